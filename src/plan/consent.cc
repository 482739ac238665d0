#include "plan/consent.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"

namespace sfumato::plan {
namespace {

// What somebody types up to the end of the line. Ctrl-C ends it at once.
std::string ReadTypedLine() {
  std::string line;
  for (;;) {
    base::CheckInterrupted();
    pollfd typed{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (poll(&typed, 1, 100) <= 0) continue;  // nothing yet, or a signal
    char letter = 0;
    const ssize_t got = read(STDIN_FILENO, &letter, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || letter == '\n') break;
    line += letter;
  }
  base::CheckInterrupted();
  return line;
}

}  // namespace

void RequireSomebodyToAsk(const std::string& price, bool yes) {
  if (yes || (isatty(STDIN_FILENO) != 0 && base::ProcessTalk().terminal)) {
    return;
  }
  base::Note(price.substr(0, price.find_last_not_of('\n') + 1));
  throw BadInput("spending privacy needs a yes", "--yes",
                 "give --yes to spend it");
}

bool Consents(const std::string& price) {
  RequireSomebodyToAsk(price, /*yes=*/false);
  std::cerr << base::ForPeople(price) << "Spend it? [y/N] " << std::flush;
  const std::string answer = ReadTypedLine();
  return answer == "y" || answer == "Y" || answer == "yes";
}

void RequireYes(const std::string& price, bool yes) {
  if (yes) {
    base::Note(price.substr(0, price.find_last_not_of('\n') + 1));
  } else if (!Consents(price)) {
    throw BadInput("nobody said yes, and nothing was spent", "Spend it?");
  }
}

}  // namespace sfumato::plan
