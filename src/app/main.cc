// The program: words in, answer on stdout, talk on stderr, an exit code.

#include <langinfo.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/command_line.h"
#include "base/interrupt.h"
#include "base/launcher.h"
#include "base/progress.h"

namespace {

std::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void SetTalk() {
  std::setlocale(LC_CTYPE, "");
  sfumato::base::Talk& talk = sfumato::base::ProcessTalk();
  talk.utf8 = std::string_view(nl_langinfo(CODESET)) == "UTF-8";
  talk.terminal = isatty(STDERR_FILENO) && Environment("TERM") != "dumb";
}

}  // namespace

int main(int argc, char** argv) {
  SetTalk();
  sfumato::base::WatchInterrupts();
  // Of the processes of a launcher, the first speaks.
  const bool speaks = sfumato::base::LaunchedRank().value_or(0) == 0;
  if (!speaks) sfumato::base::ProcessTalk().quiet = true;
  const auto result = sfumato::app::RunCommandLine({argv + 1, argv + argc});
  std::fputs(result.err.c_str(), stderr);
  if (!speaks) return result.exit_code;
  if (std::fwrite(result.out.data(), 1, result.out.size(), stdout) !=
          result.out.size() ||
      std::fflush(stdout) != 0) {
    std::fputs("error: the answer could not be written to stdout\n", stderr);
    return 6;
  }
  return result.exit_code;
}
