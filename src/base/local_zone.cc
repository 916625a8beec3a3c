#include "base/local_zone.h"

#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <utility>

namespace maui {
namespace {

constexpr std::int64_t kEnd = 130 * 365 * kDaySeconds;
constexpr std::int64_t kStep =
    10 * kDaySeconds;  // no zone changes its clocks twice within this time

std::int64_t offset(std::int64_t when) {
  const auto t = static_cast<std::time_t>(when);
  std::tm fields{};
  localtime_r(&t, &fields);
  return fields.tm_gmtoff;
}

TimeZone read_zone() {
  const Seconds before(offset(0));
  std::vector<TimeZone::Change> changes;
  auto known = before.raw();
  for (std::int64_t from = 0; from < kEnd; from += kStep) {
    const auto ahead = offset(from + kStep);
    if (ahead == known) continue;
    auto low = from, high = from + kStep;  // low has the old offset, high the new one
    while (high - low > 1) {
      const auto middle = low + (high - low) / 2;
      (offset(middle) == known ? low : high) = middle;
    }
    changes.push_back({Time(high), Seconds(ahead)});
    known = ahead;
  }
  return {before, std::move(changes)};
}

}  // namespace

TimeZone local_zone() {
  thread_local std::optional<std::pair<std::string, TimeZone>> known;  // of that TZ
  const char* text = std::getenv("TZ");
  const std::string name = text == nullptr ? std::string() : std::string("=") + text;
  if (!known || known->first != name) known.emplace(name, read_zone());
  return known->second;
}

}  // namespace maui
