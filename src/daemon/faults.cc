#include "daemon/faults.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "daemon/awaited_signals.h"
#include "daemon/logging/system_log.h"

namespace maui {
namespace {

struct Fault {
  int signal;
  std::string_view name;
  struct sigaction before {};  // the previous action
  std::string line, system_line;
};

// Prepared in advance, because a signal handler must not allocate.
struct Prepared {
  std::array<Fault, 5> faults{{{SIGSEGV, "SIGSEGV", {}, {}, {}},
                               {SIGBUS, "SIGBUS", {}, {}, {}},
                               {SIGFPE, "SIGFPE", {}, {}, {}},
                               {SIGILL, "SIGILL", {}, {}, {}},
                               {SIGABRT, "SIGABRT", {}, {}, {}}}};
  bool handled = false;
  volatile std::sig_atomic_t may_begin_anew = 1;
  FaultPlan plan;
  std::vector<char*> arguments;
  std::vector<unsigned> kept;         // ascending
  std::array<char, 1 << 16> stack{};  // the normal stack may be what overflowed
};
Prepared prepared;
volatile std::sig_atomic_t survived = 0;

void log_fault(const Fault& fault) {
  int file = STDERR_FILENO;
  if (!prepared.plan.log_file.empty())
    file = ::open(prepared.plan.log_file.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  [[maybe_unused]] const auto written = ::write(file, fault.line.data(), fault.line.size());
  write_system_log(kSystemLog, fault.system_line.data(), fault.system_line.size());
}

/// Closes sockets, which would stay in use.
void close_between(unsigned first, unsigned last) {
  if (first > last || ::syscall(SYS_close_range, first, last, 0) == 0) return;
  for (unsigned file = first; file <= std::min(last, 1U << 16); ++file)
    ::close(static_cast<int>(file));
}

void begin_anew() {
  if (prepared.may_begin_anew == 0) return;
  unsigned next = STDERR_FILENO + 1;
  for (const unsigned file : prepared.kept) {
    close_between(next, file - 1);
    ::fcntl(static_cast<int>(file), F_SETFD, 0);
    next = file + 1;
  }
  close_between(next, ~0U);
  keep_signals_waiting();
  ::execv("/proc/self/exe", prepared.arguments.data());
}

void on_fault(int signal) {
  for (const Fault& fault : prepared.faults) {
    if (fault.signal != signal) continue;
    log_fault(fault);
    if (prepared.plan.mode == CrashMode::restart && survived != 0) begin_anew();
    if (prepared.plan.mode == CrashMode::stop) ::raise(SIGSTOP);
    ::sigaction(signal, &fault.before, nullptr);
  }
  ::raise(signal);
}

void take_over() {
  stack_t stack{};
  stack.ss_sp = prepared.stack.data();
  stack.ss_size = prepared.stack.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = on_fault;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (Fault& fault : prepared.faults) ::sigaction(fault.signal, &action, &fault.before);
  prepared.handled = true;
}

}  // namespace

void handle_faults(FaultPlan plan) {
  prepared.plan = std::move(plan);
  prepared.arguments.clear();
  static std::string program = "maui";
  prepared.arguments.push_back(program.data());
  for (auto& word : prepared.plan.command_line) prepared.arguments.push_back(word.data());
  prepared.arguments.push_back(nullptr);
  prepared.kept.clear();
  for (const int file : prepared.plan.kept)
    if (file > STDERR_FILENO) prepared.kept.push_back(static_cast<unsigned>(file));
  std::sort(prepared.kept.begin(), prepared.kept.end());
  for (Fault& fault : prepared.faults) {
    const auto text = fmt::format("internal error: {}", fault.name);
    fault.line = fmt::format("ALERT:    {}\n", text);
    fault.system_line = fmt::format("{}maui[{}]: ALERT: {}",
                                    system_log_priority(spdlog::level::err), ::getpid(), text);
  }
  if (!prepared.handled) take_over();
}

void begin_anew_unless_at_once() {
  if (can_begin_anew()) begin_anew();
}

bool can_begin_anew() { return survived != 0 && prepared.may_begin_anew != 0; }

void survived_iteration() { survived = 1; }

bool has_survived_iteration() { return survived != 0; }

void never_begin_anew() { prepared.may_begin_anew = 0; }

}  // namespace maui
