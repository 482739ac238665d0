#include "base/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <utility>

namespace sfumato::base {
namespace {

volatile std::sig_atomic_t g_signal = 0;

void OnSignal(int signal) {
  if (g_signal != 0) _exit(128 + signal);
  g_signal = signal;
}

}  // namespace

Interrupted::Interrupted(int signal, std::string where, std::string todo)
    : Error(ErrorKind::kInterrupted,
            signal == SIGINT ? "interrupted" : "asked to end", std::move(where),
            std::move(todo)),
      signal_(signal) {}

void WatchInterrupts() {
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  // A closed terminal, unless nohup asked to outlive it.
  if (std::signal(SIGHUP, OnSignal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

void IgnoreInterrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::signal(signal, SIG_IGN);
  }
  g_signal = 0;
}

void CheckInterrupted() {
  if (g_signal != 0) throw Interrupted(g_signal);
}

}  // namespace sfumato::base
