#include "daemon/memory_reserve.h"

#include <cstdlib>
#include <new>
#include <utility>

namespace maui {
namespace {

// The reserve is global to the process, like the handler.
std::size_t reserve_size = 0;
void* kept_memory = nullptr;

void give_back() {
  if (kept_memory == nullptr) throw std::bad_alloc();
  std::free(kept_memory);
  kept_memory = nullptr;
}

}  // namespace

void keep_memory_reserve(std::size_t bytes) {
  reserve_size = bytes;
  if (kept_memory == nullptr) kept_memory = std::malloc(reserve_size);
  std::set_new_handler(give_back);
}

bool memory_is_short() {
  if (reserve_size > 0 && kept_memory == nullptr) kept_memory = std::malloc(reserve_size);
  return reserve_size > 0 && kept_memory == nullptr;
}

bool MemoryGate::opens(Time now) {
  constexpr std::chrono::seconds kPause{1};
  if (now < next_look_) return false;
  closed_ = is_short_();
  if (closed_) next_look_ = now + kPause;
  return !closed_;
}

std::optional<std::string_view> MemoryGate::news() {
  if (std::exchange(reported_closed_, closed_) == closed_) return std::nullopt;
  return closed_ ? "ALERT: memory is short: no iteration begins until it suffices again"
                 : "there is enough memory again: iterations continue";
}

}  // namespace maui
