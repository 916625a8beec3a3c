// The expected end of a running job, based on earlier runs (docs/learning.md).
#pragma once
#include <cstdint>

namespace maui {

struct ExpectedEnd {
  std::int64_t end = 0;
  std::int64_t earliest = 0, latest = 0;  // nine of ten such jobs end between them
  std::int64_t similar = 0;               // number of similar jobs used, up to eight
  friend bool operator==(const ExpectedEnd&, const ExpectedEnd&) = default;
};

}  // namespace maui
