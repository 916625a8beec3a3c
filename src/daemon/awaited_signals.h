// The signals that reload the configuration and change the log level: they arrive at any time, and
// must not end the scheduler while it starts.
#pragma once
#include <csignal>

namespace maui {

/// SIGHUP, SIGUSR1 and SIGUSR2.
inline sigset_t awaited_signals() {
  sigset_t all;
  sigemptyset(&all);
  for (const int signal : {SIGHUP, SIGUSR1, SIGUSR2}) sigaddset(&all, signal);
  return all;
}

/// Keeps them pending until let_signals_arrive(), in programs that replace this one, too.
inline void keep_signals_waiting() {
  const sigset_t all = awaited_signals();
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}
inline void let_signals_arrive() {
  const sigset_t all = awaited_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
}

}  // namespace maui
