#include "sim/trace_summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace maui {

std::string SkippedJobs::names() const {
  const auto more = jobs - static_cast<std::int64_t>(first.size());
  return more > 0 ? fmt::format("{} and {} more", fmt::join(first, ", "), more)
                  : fmt::format("{}", fmt::join(first, ", "));
}

}  // namespace maui
