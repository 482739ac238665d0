// What a person's fingers do to words: spaces, articles, capitals, apostrophes,
// quotation marks, typing errors.
//
//   Typist typist(habits, rng);
//   typist.Begin();
//   typist.Write("i"); typist.Write("need");
//   typist.Article(); typist.Write("index");
//   typist.Glue(); typist.Write(".");
//   typist.Finish();  // "I need an index."

#pragma once

#include <string>
#include <string_view>

#include "base/random.h"
#include "data/generate/forum_names.h"

namespace sfumato::data {

// A person's ways of typing; every member but the flags is a probability.
struct Habits {
  bool lower_case = false;  // never reaches for the shift key
  bool curly = false;       // “quotes” and apostrophes as phones set them
  bool drops_apostrophes = false;
  bool backquotes = false;  // `code` between backquotes
  Spelling spelling = Spelling::kCamel;
  double contracts = 0;    // "don't" for "do not"
  double abbreviates = 0;  // "db" for "database"
  double dashes = 0;       // " –" where others put a comma
  double typos = 0;        // a word
  double polite = 0;       // a sentence with "please" or "thanks"
  double greets = 0;       // a sentence that starts with "Hi all,"
  double connects = 0;     // a sentence that starts with "So" or "But"
  double drops_stop = 0;   // no full stop or question mark
  double exclaims = 0;     // "!" for a full stop, "??" for "?"

  static Habits Draw(base::Rng& rng);
};

class Typist {
 public:
  // Both must outlive the typist.
  Typist(const Habits& habits, base::Rng& rng) : habits_(habits), rng_(rng) {}

  void Begin();
  void Article();                 // "a" or "an", as the next word asks
  void Glue() { glued_ = true; }  // the next word follows without a space
  void Unglue() { glued_ = false; }
  void Write(std::string_view words);  // as this person types them
  void Paste(std::string_view text);   // as it is: code, identifiers
  // Takes off the mark that ends the sentence; '\0' when there is none.
  char TakeMark();
  // The sentence, with its first letter and last mark as the person has them.
  std::string Finish();

 private:
  void Space();
  void Type(char c);
  std::string WithTypo(std::string_view word);

  const Habits& habits_;
  base::Rng& rng_;
  std::string text_;
  bool glued_ = false;
  bool article_ = false;
};

}  // namespace sfumato::data
