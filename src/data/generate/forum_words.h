// The words of the forum, by topic and class, as text that ForumLexicon reads.
//
//   topic databases
//   thing: table, query, index:indices, database/db
//   action: load, write:wrote:written, commit+
//
// Within a class words stand from frequent to rare. "long/short" gives the form
// that hurried people type; irregular forms follow colons (a plural, or past
// and participle); a plus doubles the last consonant ("committing").

#pragma once

#include <string_view>

namespace sfumato::data {

std::string_view ForumGeneralWords();  // everyday talk, for every topic
std::string_view ForumTopicWords();

}  // namespace sfumato::data
