#include "daemon/lease/lease_keeper.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <system_error>
#include <utility>

#include "base/boot_time.h"
#include "base/fence.h"
#include "base/server_places.h"
#include "daemon/boot_id.h"
#include "daemon/logging/system_log.h"
#include "daemon/privileges.h"

namespace maui {
namespace {

// Renewals per LEASETIME; after a failure, the next renewal comes sooner.
constexpr int kRenewals = 8, kSooner = 4;

std::chrono::nanoseconds held_for(std::chrono::nanoseconds time) { return time / 5 * 4; }

std::string stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc);
}

/// Blocks signals in the new thread: they are for the scheduler's main thread.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t all;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&all, fault);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsHeldBack() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

LeaseRecord lease_of_this_process(std::int64_t generation, std::chrono::milliseconds time) {
  LeaseRecord mine;
  mine.generation = generation;
  mine.host = own_host_name();
  mine.process = ::getpid();
  mine.boot = boot_id();
  mine.time = time;
  mine.renewed_at = stamp();
  return mine;
}

void announce(bool grave, const std::string& text) {
  const auto line = fmt::format("{}{}\n", grave ? "ALERT:    " : "INFO:     ", text);
  if (!is_journal(STDERR_FILENO)) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  }
  const auto level = grave ? spdlog::level::err : spdlog::level::info;
  const auto system = fmt::format("{}maui[{}]: {}{}", system_log_priority(level), ::getpid(),
                                  grave ? "ALERT: " : "", text);
  write_system_log(kSystemLog, system.data(), system.size());
}

LeaseKeeper::LeaseKeeper(std::unique_ptr<LeaseStore> store, LeaseRecord mine,
                         std::chrono::nanoseconds begun)
    : store_(std::move(store)), mine_(std::move(mine)), time_(mine_.time) {
  set_fence(begun + held_for(time_));
  const SignalsHeldBack held_back;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    release();
    throw;
  }
}

LeaseKeeper::~LeaseKeeper() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
  release();
}

/// Nothing is written after this, so the next scheduler finds everything.
void LeaseKeeper::release() {
  if (fence_is_open()) {
    mine_.released = true;
    ++mine_.renewals;
    mine_.renewed_at = stamp();
    if (const auto done = store_->renew(mine_); !done)
      announce(true, "the lease is not released: " + done.error().what);
  }
  store_.reset();
  set_fence(std::chrono::nanoseconds(0));
}

/// Gives up root's capabilities for this thread: they are those of threads, not of processes, and
/// the scheduler's own thread gives up only its own.  The file of the lease is ours.
void LeaseKeeper::run() {
  drop_capabilities(ReservedPorts::unused);
  std::unique_lock lock(mutex_);
  while (!ending_) {
    wake_.wait_for(lock, time_ / kRenewals / (failing_ ? kSooner : 1), [this] { return ending_; });
    if (ending_) return;
    lock.unlock();
    renew();
    lock.lock();
  }
}

void LeaseKeeper::renew() {
  const auto begun = boot_time();
  ++mine_.renewals;
  mine_.renewed_at = stamp();
  const auto done = store_->renew(mine_);
  if (done && *done == Renewal::lost) end();
  const bool failed = !done || *done == Renewal::contested;
  if (!failed) set_fence(begun + held_for(time_));
  if (failed != std::exchange(failing_, failed))
    announce(failed,
             !failed ? "the lease is renewed again"
                     : fmt::format("the lease is not renewed: {}",
                                   done ? "another host is about to take it" : done.error().what));
}

/// Ends the process; the scheduling thread stands at the closed fence, or will stop there.
void LeaseKeeper::end() {
  const auto seen = store_->look();
  std::string who = "its file is missing";
  if (seen && *seen && (*seen)->record)
    who = fmt::format("{} has it (process {}, generation {})", (*seen)->record->host,
                      (*seen)->record->process, (*seen)->generation);
  announce(true, fmt::format("generation {} of the lease is over, {}: this scheduler ends and "
                             "writes nothing more",
                             mine_.generation, who));
  ::_exit(kLeaseLost);
}

}  // namespace maui
