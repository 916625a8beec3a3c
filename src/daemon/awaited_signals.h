// Signals to the scheduler.  Those that reload the configuration and change the log level arrive at
// any time, and must not end it while it starts.  Those that have no meaning for it never end it.
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

/// Ignores the signals that would end the scheduler and that nobody sends for a reason: those of
/// timers that it does not have, and of devices, and all real-time signals.  The programs that it
/// starts have them as usual (spawn()).
inline void ignore_meaningless_signals() {
  for (const int signal : {SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT})
    std::signal(signal, SIG_IGN);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) std::signal(signal, SIG_IGN);
}

}  // namespace maui
