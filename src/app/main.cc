// The program: words in, answer on stdout, talk on stderr, an exit code.

#include <fcntl.h>
#include <langinfo.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
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

// A stream that was closed would be the number of the next file that is
// opened, and talk would go into that file. Where stdout should be nothing can
// be written, so that the answer's loss is noticed.
void FillClosedStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free number is this one: those below are taken.
    open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

int main(int argc, char** argv) {
  FillClosedStreams();
  // A reader of stderr that went away stops no work; the answer's reader is
  // another matter.
  std::signal(SIGPIPE, SIG_IGN);
  SetTalk();
  sfumato::base::WatchInterrupts();
  // Of the processes of a launcher, the first speaks.
  const bool speaks = sfumato::base::LaunchedRank().value_or(0) == 0;
  if (!speaks) sfumato::base::ProcessTalk().quiet = true;
  const auto result = sfumato::app::RunCommandLine({argv + 1, argv + argc});
  std::fputs(result.err.c_str(), stderr);
  if (!speaks) return result.exit_code;
  std::signal(SIGPIPE, SIG_DFL);
  if (std::fwrite(result.out.data(), 1, result.out.size(), stdout) !=
          result.out.size() ||
      std::fflush(stdout) != 0) {
    std::fputs("error: the answer could not be written to stdout\n", stderr);
    return 6;
  }
  return result.exit_code;
}
