// The table of metrics that the scheduler serves: name, meaning and unit of each.
//
// docs/manual/metrics.md shows this table; the names are stable.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace maui {

enum class MetricKind : std::uint8_t { gauge, counter, histogram };

struct Metric {
  std::string_view name;
  MetricKind kind;
  std::string_view labels;  // separated by blanks
  std::string_view help;
};

/// Returns the metrics in the order in which they are served.
std::span<const Metric> metrics();

}  // namespace maui
