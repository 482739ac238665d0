// From words to an answer: the tree of commands, parsing, errors, exit codes.

#pragma once

#include <map>
#include <string>
#include <vector>

namespace sfumato::app {

// What the process prints and how it ends.
struct Result {
  std::string out;  // stdout
  std::string err;  // stderr
  int exit_code = 0;
};

// Runs the command that `words` (without the program's name) call. Never
// throws: every error becomes a text (or with --json an object) and a code.
Result RunCommandLine(const std::vector<std::string>& words);

// What may follow each command or group ("" is the program itself): the names
// of its commands and options.
std::map<std::string, std::vector<std::string>> NextWords();

}  // namespace sfumato::app
