#include "base/duration.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/text.h"

namespace maui {

namespace {

bool is_unlimited(std::string_view text) {
  return same_word(text, "INFINITY") || same_word(text, "INFINITE") || same_word(text, "UNLIMITED");
}

/// Returns the sum of the fields; nullopt if it is invalid or out of range.
std::optional<Seconds> sum_of_fields(std::string_view text) {
  constexpr std::int64_t kUnits[] = {1, 60, 3600, 86400};
  const auto fields = split(text, ':');
  if (fields.size() > std::size(kUnits)) return std::nullopt;
  std::int64_t total = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto unit = kUnits[fields.size() - 1 - i];
    const auto value = parse_integer<std::int64_t>(fields[i]);
    if (!value || *value > kUnlimited.raw() / unit || *value < -kUnlimited.raw() / unit)
      return std::nullopt;
    if (fields.size() > 1 && fields[i].find('-') != text.npos) return std::nullopt;
    total += *value * unit;
  }
  if (total >= kUnlimited.raw() || total <= -kUnlimited.raw()) return std::nullopt;
  return Seconds(total);
}

}  // namespace

bool is_duration(std::string_view text) {
  const auto fields = split(text, ':');
  return is_unlimited(text) ||
         (fields.size() <= 4 && std::all_of(fields.begin(), fields.end(), [&](auto field) {
            return is_whole_number(field) && (fields.size() == 1 || !field.starts_with('-'));
          }));
}

Result<Seconds> parse_duration(std::string_view text) {
  if (is_unlimited(text)) return kUnlimited;
  if (const auto duration = sum_of_fields(text)) return *duration;
  if (is_duration(text))
    return Error{fmt::format("duration '{}' is out of range: expected 0 to {} seconds, or INFINITY",
                             text, kUnlimited.raw() - 1)};
  return Error{fmt::format("invalid duration '{}': expected [[[DD:]HH:]MM:]SS or INFINITY", text)};
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
