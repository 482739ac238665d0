// English inflection, as far as the generated forum needs it.
//
//   Plural("query");                      // "queries"
//   Inflect("commit+").gerund;            // "committing"
//   Inflect("write:wrote:written").past;  // "wrote"
//   Inflect("time out").third_person;     // "times out"
//   Article("hour");                      // "an"

#pragma once

#include <string>
#include <string_view>

namespace sfumato::data {

// The last word takes the ending: "primary keys".
std::string Plural(std::string_view noun);

// The forms of a verb; of several words the first takes the endings. After
// "not " they are negated: "does not respond". `able`, `agent` and `undone` are
// empty where nobody would say them: for verbs of several words, and `undone`
// for those that already begin with re-, un- or de-.
struct VerbForms {
  std::string base;          // to load
  std::string plural;        // they load
  std::string third_person;  // it loads
  std::string gerund;        // loading
  std::string past;          // it loaded
  std::string participle;    // it was loaded
  std::string able;          // loadable
  std::string agent;         // loader
  std::string undone;        // unloaded
};

// `verb` may end in "+" (the last consonant doubles before an ending) and be
// followed by ":past:participle" where those are irregular.
VerbForms Inflect(std::string_view verb);

// "a" or "an" by the sound of `word`; capitals ("LED") are spelt out.
std::string_view Article(std::string_view word);

}  // namespace sfumato::data
