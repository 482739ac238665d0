#include "base/error.h"

#include <utility>

namespace sfumato {

Error::Error(ErrorKind kind, std::string what, std::string where,
             std::string todo)
    : std::runtime_error(what),
      kind_(kind),
      where_(std::move(where)),
      todo_(std::move(todo)) {}

std::string_view KindName(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kBadInput:
      return "bad_input";
    case ErrorKind::kBudgetSpent:
      return "budget_spent";
    case ErrorKind::kUnsupported:
      return "unsupported";
    case ErrorKind::kCorrupt:
      return "corrupt";
    case ErrorKind::kUnavailable:
      return "unavailable";
    case ErrorKind::kInterrupted:
      return "interrupted";
    case ErrorKind::kBug:
      return "bug";
  }
  return "bug";
}

int ExitCode(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kBadInput:
      return 2;
    case ErrorKind::kBudgetSpent:
      return 3;
    case ErrorKind::kUnsupported:
      return 4;
    case ErrorKind::kCorrupt:
      return 5;
    case ErrorKind::kUnavailable:
      return 6;
    case ErrorKind::kInterrupted:
      return 130;
    case ErrorKind::kBug:
      return 70;
  }
  return 70;
}

Error BadInput(std::string what, std::string where, std::string todo) {
  return {ErrorKind::kBadInput, std::move(what), std::move(where),
          std::move(todo)};
}

Error Unsupported(std::string what, std::string where, std::string todo) {
  return {ErrorKind::kUnsupported, std::move(what), std::move(where),
          std::move(todo)};
}

Error Corrupt(std::string what, std::string where, std::string todo) {
  return {ErrorKind::kCorrupt, std::move(what), std::move(where),
          std::move(todo)};
}

Error Unavailable(std::string what, std::string where, std::string todo) {
  return {ErrorKind::kUnavailable, std::move(what), std::move(where),
          std::move(todo)};
}

}  // namespace sfumato
