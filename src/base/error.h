// What went wrong, where, and what to do about it.
//
//   throw BadInput("label 12 where 0 to 9 were expected", "train.csv:17",
//                  "give --classes 13 or correct the file");
//
// Errors are thrown anywhere and end in app/command_line.cc; on the way they
// are caught only to add to them, to clean up, or where a failure is an answer.
// A broken invariant of our own is not an Error but an assertion.

#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace sfumato {

// The kinds that a caller can distinguish. Each has one exit code (ExitCode
// below).
enum class ErrorKind {
  kBadInput,     // what the user gave cannot be used
  kBudgetSpent,  // a privacy budget refuses
  kUnsupported,  // not built, or not proven
  kCorrupt,      // a file of ours is damaged
  kUnavailable,  // a device, a library, a disk is not there
  kInterrupted,  // Ctrl-C or a request to end
  kBug,          // a mistake of ours
};

class Error : public std::runtime_error {
 public:
  // `where` names a file (with line or offset), an option or a key; `todo`
  // says what would help. Either may be empty.
  Error(ErrorKind kind, std::string what, std::string where = "",
        std::string todo = "");

  ErrorKind kind() const { return kind_; }
  const std::string& where() const { return where_; }
  const std::string& todo() const { return todo_; }

 private:
  ErrorKind kind_;
  std::string where_;
  std::string todo_;
};

// The name used in JSON: "bad_input", "budget_spent", …
std::string_view KindName(ErrorKind kind);

// The process's exit code: 2 bad input, 3 budget, 4 unsupported, 5 corrupt,
// 6 unavailable, 130 interrupted, 70 bug.
int ExitCode(ErrorKind kind);

Error BadInput(std::string what, std::string where = "", std::string todo = "");
Error Unsupported(std::string what, std::string where = "",
                  std::string todo = "");
Error Corrupt(std::string what, std::string where = "", std::string todo = "");
Error Unavailable(std::string what, std::string where = "",
                  std::string todo = "");

}  // namespace sfumato
