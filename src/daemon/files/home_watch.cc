#include "daemon/files/home_watch.h"

#include <fmt/format.h>

#include "daemon/files/private_directories.h"

namespace maui {
namespace {

// The interval between checks that the socket's and the lock's file still exist.
constexpr std::chrono::seconds kHomeLook{5};

}  // namespace

void HomeWatch::close_to_others() {
  const LockFile& lock = around_.lock;
  if (!lock.stranger().empty())
    log(
        fmt::format("WARNING: {} has locked the directory '{}': the scheduler runs without that "
                    "lock until it is free",
                    lock.stranger(), around_.home));
  if (around_.simulation || around_.shared) return;
  const auto closed = forbid_listing(around_.home);
  if (!closed) log("WARNING: " + closed.error().what);
  if (closed && *closed)
    log(
        fmt::format("others may no longer read the directory '{}' itself, only use files in it by "
                    "name: whoever can read it can lock it (--shared-home permits it)",
                    around_.home));
}

void HomeWatch::look(std::chrono::steady_clock::time_point now) {
  if (now < due_) return;
  if (!around_.simulation && around_.lock.home_replaced()) {
    log(
        fmt::format("ALERT: the directory '{}' has been replaced by another: the scheduler begins "
                    "anew there, unless another one runs in it",
                    around_.home));
    return around_.begin_anew();
  }
  around_.look_after_sockets();
  for (const auto& line : around_.lock.look_after()) log(line);
  [[maybe_unused]] const Status in_place =
      around_.log.reopen();  // it says so itself where it is not
  due_ = now + kHomeLook;
  next_look_.set(due_);
}

}  // namespace maui
