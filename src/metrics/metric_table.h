// The metrics that the scheduler serves: what each is called, what it counts, in which unit.
//
// docs/manual/metrics.md shows this table; a name, once there, stays.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace maui {

enum class MetricKind : std::uint8_t { gauge, counter, histogram };

struct Metric {
  std::string_view name;
  MetricKind kind;
  std::string_view labels;  // between blanks
  std::string_view help;
};

/// In the order in which they are served.
std::span<const Metric> metrics();

}  // namespace maui
