// The prose inside HTML as people post it: tolerant, never failing.
//
//   HtmlToText("<p>Use <b>foo</b> &amp; <code>bar</code>.</p><pre>x</pre>");
//   // "Use foo & bar."
//
// Tags are dropped; block tags and <br> end a line; entities are resolved.
// Left out are comments, scripts, styles, <pre>, and a <code> that is all its
// line holds. A <code> inside a sentence stays, for it is a word there and the
// sentence would have a hole without it. Quotations stay.

#pragma once

#include <string>
#include <string_view>

namespace sfumato::data {

// Lines of text without empty ones, separated by '\n'; within a line white
// space is one space. Well-formed UTF-8 stays well-formed; control characters
// and zero-width spaces are dropped. Unclosed and unknown tags are harmless; a
// '<' that opens no tag is itself.
std::string HtmlToText(std::string_view html);

// The same lines of text that is not HTML: '<' and '&' are themselves.
std::string PlainToText(std::string_view plain);

}  // namespace sfumato::data
