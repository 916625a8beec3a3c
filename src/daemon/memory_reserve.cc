#include "daemon/memory_reserve.h"

#include <malloc.h>

#include <cstdlib>
#include <new>
#include <utility>

// A function of jemalloc, which only optimised builds have.
extern "C" int mallctl(const char* name, void* old, std::size_t* old_size, void* next,
                       std::size_t next_size) __attribute__((weak));

namespace maui {
namespace {

// The reserve is global to the process, like the handler.
std::size_t reserve_size = 0;
void* kept_memory = nullptr;

/// Returns memory to the system that was freed, but is kept for further allocations.
void purge() {
  if (mallctl != nullptr)
    mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);  // MALLCTL_ARENAS_ALL
  else
    ::malloc_trim(0);
}

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
  if (reserve_size == 0 || kept_memory != nullptr) return false;
  purge();
  kept_memory = std::malloc(reserve_size);
  return kept_memory == nullptr;
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
