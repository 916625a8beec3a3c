#include "base/fence.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <limits>

#include "base/boot_time.h"

namespace maui {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::atomic<std::int64_t> closes{kNever};
std::atomic<std::int64_t> fenced{0};  // total time waited

/// Makes these signals end the process during its lifetime, then restores their handlers.
class EndedBySignals {
 public:
  EndedBySignals() {
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    ::sigaction(SIGTERM, &plain, &term_);
    ::sigaction(SIGINT, &plain, &interrupt_);
  }
  ~EndedBySignals() {
    ::sigaction(SIGTERM, &term_, nullptr);
    ::sigaction(SIGINT, &interrupt_, nullptr);
  }
  EndedBySignals(const EndedBySignals&) = delete;
  EndedBySignals& operator=(const EndedBySignals&) = delete;

 private:
  struct sigaction term_ {
  }, interrupt_{};
};

void wait_for_opening() {
  const EndedBySignals ended;
  const auto begin = boot_time();
  for (auto seen = closes.load(); seen != kNever && boot_time().count() >= seen;
       seen = closes.load())
    closes.wait(seen);
  fenced += (boot_time() - begin).count();
}

}  // namespace

void set_fence(std::chrono::nanoseconds when) {
  closes = when.count();
  closes.notify_all();
}

void remove_fence() { set_fence(std::chrono::nanoseconds(kNever)); }

bool fence_is_open() {
  const auto seen = closes.load(std::memory_order_acquire);
  return seen == kNever || boot_time().count() < seen;
}

void pass_fence() {
  if (!fence_is_open()) wait_for_opening();
}

std::chrono::nanoseconds take_fenced_time() { return std::chrono::nanoseconds(fenced.exchange(0)); }

}  // namespace maui
