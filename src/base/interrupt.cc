#include "base/interrupt.h"

#include <unistd.h>

#include <csignal>

namespace sfumato::base {
namespace {

volatile std::sig_atomic_t g_signal = 0;

void OnSignal(int signal) {
  if (g_signal != 0) _exit(128 + signal);
  g_signal = signal;
}

}  // namespace

Interrupted::Interrupted(int signal)
    : Error(ErrorKind::kInterrupted,
            signal == SIGINT ? "interrupted" : "asked to end"),
      signal_(signal) {}

void WatchInterrupts() {
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  // A closed terminal, unless nohup asked to outlive it.
  if (std::signal(SIGHUP, OnSignal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

void CheckInterrupted() {
  if (g_signal != 0) throw Interrupted(g_signal);
}

}  // namespace sfumato::base
