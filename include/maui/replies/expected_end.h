// When a running job is expected to end, by the runs of earlier jobs (docs/learning.md).
#pragma once
#include <cstdint>

namespace maui {

struct ExpectedEnd {
  std::int64_t end = 0;
  std::int64_t earliest = 0, latest = 0;  // nine times of ten it ends between them
  std::int64_t similar = 0;               // how many jobs like it have ended of late, up to eight
  friend bool operator==(const ExpectedEnd&, const ExpectedEnd&) = default;
};

}  // namespace maui
