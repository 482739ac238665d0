// Ctrl-C and requests to end, noticed where it is safe to stop.
//
// The first SIGINT, SIGTERM or SIGHUP sets a flag; loops call CheckInterrupted,
// which throws, and whatever was half-written is taken away on the way out. A
// second signal ends the process at once.

#pragma once

#include "base/error.h"

namespace sfumato::base {

class Interrupted : public Error {
 public:
  explicit Interrupted(int signal, std::string where = "",
                       std::string todo = "");
  int signal() const { return signal_; }

 private:
  int signal_;
};

void WatchInterrupts();   // installs the handlers; once, in main
void IgnoreInterrupts();  // for a process that another one ends
void CheckInterrupted();  // throws Interrupted after a signal

}  // namespace sfumato::base
