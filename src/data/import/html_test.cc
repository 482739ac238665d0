#include "data/import/html.h"

#include <string>

#include "gtest/gtest.h"

namespace sfumato::data {
namespace {

struct Case {
  const char* name;
  std::string in;
  std::string out;
};

TEST(HtmlTest, LeavesTheProse) {
  const Case cases[] = {
      {"tags", "<p>Use <b>foo</b> or <i class='x'>bar</i>.</p>",
       "Use foo or bar."},
      {"no space where there is none", "un<b>believ</b>able", "unbelievable"},
      {"blocks break", "<p>One.</p><p>Two.</p>", "One.\nTwo."},
      {"lists and headings", "<h1>T</h1><ul><li>a</li><li>b</li></ul>c",
       "T\na\nb\nc"},
      {"br breaks", "one<br>two<br/>three<BR />four", "one\ntwo\nthree\nfour"},
      {"white space is one space", " a \n\t b&nbsp;&#160; c ", "a b c"},
      {"empty blocks leave nothing", "<p></p><p> </p><hr>x", "x"},
      {"quotations stay", "<blockquote><p>He said.</p></blockquote>",
       "He said."},
      {"links", "see <a href=\"http://x.org/?a=1&amp;b=2\">this</a>",
       "see this"},
      {"a > inside quotes", "<a title=\"a > b\">x</a>", "x"},
      {"an unclosed tag", "<b>bold <i>both", "bold both"},
      {"a stray closing tag", "</p>x</b>", "x"},
      {"comments", "a<!-- <b> & --> b", "a b"},
      {"an unclosed comment", "a<!-- b", "a"},
      {"scripts and styles",
       "a<script>if (1<2) x()</script><style>p{}</style>b", "a\nb"},
      {"declarations", "<!DOCTYPE html><?php x ?>a", "a"},
      {"a sign is no tag", "1 < 2 and a<3 <- b << 4",
       "1 < 2 and a<3 <- b << 4"},
      {"a tag never closed is text", "a <b", "a <b"},
      {"a tag inside an unclosed one", "x <b <i>y</i>", "x <b y"},
      {"nothing", "", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(HtmlToText(c.in), c.out) << c.name;
}

TEST(HtmlTest, LeavesOutCodeBlocksAndKeepsCodeInSentences) {
  const Case cases[] = {
      {"pre", "<p>Try:</p><pre><code>int x;\n</code></pre><p>Done.</p>",
       "Try:\nDone."},
      {"pre splits a line", "a<pre>x</pre>b", "a\nb"},
      {"pre never closed", "a<pre>b<p>c", "a"},
      {"pre with attributes", "<PRE class=\"x\">b</Pre >c", "c"},
      {"tags inside pre", "<pre><b>x</b></prefix></pre>c", "c"},
      {"inline", "<p>Call <code>f()</code> twice.</p>", "Call f() twice."},
      {"code alone on its line", "<p><code>f()</code></p><p>ok</p>", "ok"},
      {"code alone with a break", "<p>Run<br><code>make</code></p>", "Run"},
      {"two codes alone", "<p> <code>a</code> <code>b</code> </p>", ""},
      {"stray closing code", "</code>a<code>b", "ab"},
  };
  for (const Case& c : cases) EXPECT_EQ(HtmlToText(c.in), c.out) << c.name;
}

TEST(HtmlTest, ResolvesEntities) {
  const Case cases[] = {
      {"named", "&lt;b&gt; &amp;amp; &quot;&apos;", "<b> &amp; \"'"},
      {"latin", "caf&eacute; &Uuml;ber &dagger;", "café Über †"},
      {"decimal and hex", "&#233;&#xE9;&#Xe9;", "ééé"},
      {"without semicolon", "&#233 x", "é x"},
      {"beyond the basic plane", "&#128512;", "😀"},
      {"Windows-1252", "&#150;&#x92;", "–’"},
      {"surrogates, zero and too large", "&#xD800;&#0;&#1114112;&#99999999999;",
       "����"},
      {"no entity", "AT&T &; &# &#; &#x; &nosuch; &amp",
       "AT&T &; &# &#; &#x; "
       "&nosuch; &amp"},
      {"unseen characters",
       "a&#8203;b&zwnj;&#8203;c&shy;d&#1;e\x7f"
       "f",
       "abcdef"},
      {"emoji keep their joiner", "&#128104;&zwj;&#128187;", "👨‍💻"},
  };
  for (const Case& c : cases) EXPECT_EQ(HtmlToText(c.in), c.out) << c.name;
}

TEST(HtmlTest, AlwaysGivesUtf8) {
  EXPECT_EQ(HtmlToText("a\xff\xc3"), "a\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(HtmlTest, TakesLinearTimeOnUnclosedTags) {
  // Quadratic time would be minutes.
  std::string tags;
  for (int i = 0; i < 500000; ++i) tags += "<a '";
  EXPECT_FALSE(HtmlToText(tags).empty());
}

TEST(HtmlTest, PlainTextIsNoHtml) {
  EXPECT_EQ(PlainToText(" use <img>  &amp; \n\n more\r\n"),
            "use <img> &amp;\nmore");
}

}  // namespace
}  // namespace sfumato::data
