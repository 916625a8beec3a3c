#include "base/duration.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace maui {

Result<Seconds> parse_duration(std::string_view text) {
  const Error wrong{
      fmt::format("invalid duration '{}': expected [[[DD:]HH:]MM:]SS or INFINITY", text)};
  for (const auto word : {"INFINITY", "INFINITE", "UNLIMITED"})
    if (same_word(text, word)) return kUnlimited;
  const auto fields = split(text, ':');
  if (fields.size() == 1) {
    const auto seconds = parse_integer<std::int64_t>(text);
    if (!seconds || *seconds >= kUnlimited.raw() || *seconds <= -kUnlimited.raw()) return wrong;
    return Seconds(*seconds);
  }
  if (fields.size() > 4) return wrong;
  constexpr std::array<std::int64_t, 4> kUnits{1, 60, 3600, 86400};
  std::int64_t total = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto value = parse_integer<std::uint32_t>(fields[i]);
    if (!value) return wrong;
    total += static_cast<std::int64_t>(*value) * kUnits[fields.size() - 1 - i];
  }
  return Seconds(total);
}

std::string format_duration(Seconds duration, Seconds infinite_from) {
  std::int64_t s = duration.raw();
  const std::string_view sign = s < 0 ? "-" : "";
  if (s < 0) s = -s;
  if (s >= infinite_from.raw()) return std::string(sign) + "INFINITY";
  const std::int64_t days = s / 86400, hours = s / 3600 % 24, minutes = s / 60 % 60,
                     seconds = s % 60;
  if (days > 0) return fmt::format("{}{}:{:02}:{:02}:{:02}", sign, days, hours, minutes, seconds);
  if (hours > 0) return fmt::format("{}{}:{:02}:{:02}", sign, hours, minutes, seconds);
  return fmt::format("{}00:{:02}:{:02}", sign, minutes, seconds);
}

}  // namespace maui
