// Kinds of options that several commands have.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/error.h"
#include "base/suggest.h"
#include "data/dataset.h"
#include "fmt/format.h"

namespace sfumato::app {

// An option whose value is one of a few words. An unknown word is BadInput
// with the nearest known one.
template <typename Value>
CLI::Option* AddChoice(CLI::App& app, const std::string& name, Value& value,
                       std::vector<std::pair<std::string, Value>> choices,
                       const std::string& help) {
  std::string words;
  std::string now;
  for (const auto& [word, choice] : choices) {
    words += (words.empty() ? "" : "|") + word;
    if (choice == value) now = word;
  }
  return app
      .add_option_function<std::string>(
          name,
          [&value, choices, name](const std::string& word) {
            std::vector<std::string> known;
            for (const auto& [known_word, choice] : choices) {
              if (word == known_word) {
                value = choice;
                return;
              }
              known.push_back(known_word);
            }
            throw BadInput(fmt::format("unknown value '{}'", word), name,
                           base::DidYouMean(word, known));
          },
          help)
      ->option_text(fmt::format("{}={}", words, now));
}

// An option HEIGHTxWIDTH, such as 28x28.
CLI::Option* AddSize(CLI::App& app, const std::string& name,
                     data::ImageShape& shape, const std::string& help);

// "split=train" → column and value; both stay empty when nothing was given.
void ReadColumnValue(const std::string& given, std::string& column,
                     std::string& value);

// Throws BadInput where a file's name promises another kind, such as ".pdf"
// where `ending` is ".png".
void RequireEnding(const std::string& file, const std::string& ending);

// The file that was named, which must be new; or, where none was, `usual` or
// the first of usual-2, usual-3, … that is: "grid.png", "grid-2.png". Throws
// BadInput when the named one exists.
std::string NewFileName(const std::string& named, const std::string& usual);

}  // namespace sfumato::app
