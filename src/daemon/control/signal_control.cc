#include "daemon/control/signal_control.h"

#include <fmt/format.h>

#include <csignal>

#include "daemon/awaited_signals.h"

namespace maui {

void SignalControl::begin() {
  boost::system::error_code ignored;  // a signal that cannot be caught takes its default action
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2})
    signals_.add(number, ignored);
  await();
  let_signals_arrive();
}

void SignalControl::await() {
  signals_.async_wait([this](boost::system::error_code error, int number) {
    if (error) return;
    handle(number);
    await();
  });
}

void SignalControl::handle(int number) {
  around_.update_clock();
  switch (number) {
    case SIGHUP:
      if (had_terminal_ && !around_.has_terminal()) return end("the terminal was closed");
      return around_.reload();
    case SIGUSR1:
    case SIGUSR2:
      around_.log.change_level(number == SIGUSR1 ? 1 : -1);
      around_.lines.write(0, "fCORE", fmt::format("LOGLEVEL is now {}", around_.log.level()));
      return;
    default:
      end(fmt::format("signal {} received", number));
  }
}

void SignalControl::end(std::string_view why) {
  around_.lines.write(0, "fCORE", why);
  ending_ = true;
}

}  // namespace maui
