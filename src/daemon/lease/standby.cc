#include "daemon/lease/standby.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <optional>
#include <system_error>
#include <utility>

#include "base/boot_time.h"
#include "base/server_places.h"
#include "daemon/lease/lease_watch.h"

namespace maui {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// The number of looks per LEASETIME, and limits on their interval.
constexpr int kLooks = 32;
// The part of LEASETIME during which a standby on this host leaves a released lease to other hosts.
constexpr int kHandOver = 4;
constexpr nanoseconds kSoonest = milliseconds(20), kLatest = milliseconds(250);

/// Blocks the signals that would end the process, and waits for them instead.
class Signals {
 public:
  Signals() {
    sigemptyset(&awaited_);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2})
      sigaddset(&awaited_, signal);
    ::pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
  }
  ~Signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// True if a signal that ends the scheduler arrived.
  bool end_within(nanoseconds most) const {
    timespec time{};
    time.tv_sec = static_cast<std::time_t>(most.count() / 1'000'000'000);
    time.tv_nsec = static_cast<long>(most.count() % 1'000'000'000);
    const int signal = ::sigtimedwait(&awaited_, nullptr, &time);
    return signal == SIGTERM || signal == SIGINT;
  }

 private:
  sigset_t awaited_{}, before_{};
};

std::string holder_text(const std::optional<LeaseSeen>& seen) {
  if (!seen) return "nobody";
  if (!seen->record) return fmt::format("the holder of generation {}", seen->generation);
  return fmt::format("{} (process {}, generation {})", seen->record->host, seen->record->process,
                     seen->generation);
}

class Wait {
 public:
  Wait(std::unique_ptr<LeaseStore> store, const LeaseTerms& terms)
      : store_(std::move(store)),
        terms_(terms),
        time_(std::chrono::seconds(terms.time.raw())),
        watch_(time_) {}

  Result<std::unique_ptr<LeaseKeeper>> run() {
    const Signals signals;
    if (auto status = store_->prepared(); !status) return status.error();
    const auto between = std::clamp(time_ / kLooks, kSoonest, kLatest);
    do {
      if (auto status = look(); !status) return status.error();
      if (keeper_) return std::move(keeper_);
    } while (!signals.end_within(between));
    return std::unique_ptr<LeaseKeeper>();
  }

 private:
  Status look() {
    const auto seen = store_->look();
    if (!seen) return unusable(seen.error());
    const bool first = !std::exchange(looked_, true);
    if (first && comes_again(*seen)) give_way_until_ = boot_time() + time_ / kHandOver;
    if (boot_time() < give_way_until_ && *seen && (*seen)->record && (*seen)->record->released)
      return Done{};
    auto verdict = watch_.look(*seen, boot_time());
    if (*seen && (*seen)->record && store_->holder_is_gone(*(*seen)->record))
      verdict = LeaseWatch::Verdict::over;
    if (verdict == LeaseWatch::Verdict::over) return take(*seen);
    if (verdict == LeaseWatch::Verdict::alive) return alive(*seen);
    return Done{};
  }

  Status alive(const std::optional<LeaseSeen>& seen) {
    if (!terms_.stand_by)
      return Error{
          fmt::format("a scheduler is already running here: {} has the lease "
                      "(maui --standby waits for it)",
                      holder_text(seen))};
    complaint_.clear();
    look_after_disk();
    if (std::exchange(announced_, seen->generation) == seen->generation) return Done{};
    announce(false, fmt::format("standing by: {} schedules", holder_text(seen)));
    if (!std::exchange(waiting_, true)) terms_.waiting();
    return Done{};
  }

  /// True if the scheduler of this host has just ended in good order: a standby on another host
  /// should take the lease then, so that a restart hands over.
  bool comes_again(const std::optional<LeaseSeen>& seen) const {
    return terms_.stand_by && seen && seen->record && seen->record->released &&
           seen->record->host == own_host_name();
  }

  /// Reports when this standby could not take over, and when it could again.
  void look_after_disk() {
    const auto status = store_->writable();
    if (std::exchange(helpless_, !status) == !status) return;
    announce(!status, status ? "the home directory is writable again"
                             : "standing by, but it could not take over: " + status.error().what);
  }

  /// Returns an error, unless the scheduler that answers has just taken the lease here.
  Status answered_elsewhere(const std::string& place) {
    const auto now = store_->look();
    if (!now || *now) return Done{};  // the next look finds it
    return Error{fmt::format(
        "a scheduler answers at {}, and there has never been a lease in this home directory: "
        "expected the directory that all hosts of SERVERHOST share (is it mounted?), and no "
        "scheduler that was started before SERVERHOST named several",
        place)};
  }

  Status take(const std::optional<LeaseSeen>& seen) {
    const auto begun = boot_time();
    if (!seen) {
      if (const auto place = terms_.elsewhere(); !place.empty()) return answered_elsewhere(place);
    }
    const auto last = std::max(seen ? seen->generation : 0, terms_.at_least());
    const auto mine =
        lease_of_this_process(last + 1, std::chrono::duration_cast<milliseconds>(time_));
    const auto taken = store_->take(seen, mine);
    if (!taken) return unusable(taken.error());
    if (!*taken) return Done{};  // the winner shows at the next look
    const bool in_order = seen && seen->record && seen->record->released;
    announce(false, seen ? fmt::format("taking over: generation {} of the lease, after {}{}",
                                       mine.generation, holder_text(seen),
                                       in_order ? ", which ended normally" : "")
                         : fmt::format("taking over: generation {} of the lease, which nobody held",
                                       mine.generation));
    try {
      keeper_ = std::make_unique<LeaseKeeper>(std::move(store_), mine, begun);
    } catch (const std::system_error& problem) {
      return Error{fmt::format(
          "cannot create a thread: {}; is there a limit of processes (ulimit -u, TasksMax)?",
          problem.code().message())};
    }
    return Done{};
  }

  /// A standby waits until the disk is back, and reports once what is wrong with it.
  Status unusable(const Error& why) {
    if (!terms_.stand_by) return why;
    if (std::exchange(complaint_, why.what) != why.what) announce(true, why.what);
    return Done{};
  }

  std::unique_ptr<LeaseStore> store_;
  const LeaseTerms& terms_;
  nanoseconds time_;
  LeaseWatch watch_;
  std::unique_ptr<LeaseKeeper> keeper_;
  std::int64_t announced_ = 0;
  bool looked_ = false, waiting_ = false, helpless_ = false;
  std::string complaint_;
  nanoseconds give_way_until_{0};
};

}  // namespace

Result<std::unique_ptr<LeaseKeeper>> take_lease(std::unique_ptr<LeaseStore> store,
                                                const LeaseTerms& terms) {
  return Wait(std::move(store), terms).run();
}

}  // namespace maui
