// The hash by which equal requests are interned, and sums over requests.
#pragma once
#include <cstddef>
#include <cstdint>

#include "maui/request.h"

namespace maui {

/// Returns processors times limit, clamped so that the sum over a million jobs does not overflow.
std::int64_t work_of(const Request& request);
/// Returns the same for sums over the queue; 0 for a job without a limit, which would hide all
/// others.
inline std::int64_t backlog_of(const Request& request) {
  return request.limit < kUnlimited ? work_of(request) : 0;
}

std::size_t hash_of(const Request& request);

}  // namespace maui
