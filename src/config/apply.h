// Functions that store checked words in a member of Settings.
//
// into(get) makes the function that a row of the parameter table carries; `get`
// returns the member: into([](Settings& s) -> auto& { return s.log.level; }).
// The words are canonical, so nothing here can fail.
#pragma once
#include <string>
#include <type_traits>
#include <vector>

#include "base/duration.h"
#include "base/text.h"
#include "config/value_type.h"
#include "maui/job.h"
#include "maui/settings.h"

namespace maui::config {

inline void assign(bool& member, const Words& value) { member = value.at(0) == "TRUE"; }
inline void assign(double& member, const Words& value) {
  member = parse_number(value.at(0)).value_or(0);
}
inline void assign(std::string& member, const Words& value) {
  member = value.empty() ? std::string() : value.front();
}
inline void assign(std::vector<std::string>& member, const Words& value) { member = value; }
inline void assign(Seconds& member, const Words& value) {
  if (const auto duration = parse_duration(value.at(0))) member = *duration;
}
inline void assign(Time& member, const Words& value) {
  member = Time(value.empty() ? -1 : parse_integer<std::int64_t>(value.front()).value_or(-1));
}
/// One number sets both limits; a soft limit of 0 or above the hard limit becomes the hard limit.
inline void assign(Limit& member, const Words& value) {
  const auto parts = split(value.at(0), ',');
  const auto number = [](std::string_view part) {
    if (const auto seconds = parse_duration(part)) return seconds->raw();
    return parse_integer<std::int64_t>(part).value_or(0);
  };
  member.soft = number(parts.front());
  member.hard = number(parts.back());
  if (member.soft == 0 || (member.hard != 0 && member.soft > member.hard))
    member.soft = member.hard;
}
/// "25.5", with + for a floor, - for a ceiling, ^ for a cap.
inline void assign(FairshareTarget& member, const Words& value) {
  constexpr std::string_view kSigns = "+-^";
  constexpr TargetType kTypes[] = {TargetType::floor, TargetType::ceiling, TargetType::cap};
  std::string_view digits = value.at(0);
  const auto sign = kSigns.find(digits.back());
  if (sign != std::string_view::npos) digits.remove_suffix(1);
  member.type = sign == std::string_view::npos ? TargetType::target : kTypes[sign];
  member.percent = parse_number(digits).value_or(0);
}
template <std::integral T>
void assign(T& member, const Words& value) {
  member = parse_integer<T>(value.at(0)).value_or(T{});
}
template <class T>
void assign(std::optional<T>& member, const Words& value) {
  assign(member.emplace(), value);
}

template <class Get>
auto into(Get get) {
  return [get](Settings& settings, const std::string&, const Words& value) {
    assign(get(settings), value);
  };
}

/// For a member of an enumeration type.
template <class E, std::size_t N, class Get>
auto into(const EnumName<E> (&table)[N], Get get) {
  return [&table, get](Settings& settings, const std::string&, const Words& value) {
    if (const auto chosen = value_of(std::span<const EnumName<E>>(table), value.at(0)))
      get(settings) = *chosen;
  };
}

/// For a policy that each partition may override; the parameter's index is the partition.
template <class E, std::size_t N>
auto into_partition(const EnumName<E> (&table)[N], E Settings::*general,
                    std::optional<E> PartitionPolicies::*own) {
  return [&table, general, own](Settings& settings, const std::string& index, const Words& value) {
    const auto chosen = value_of(std::span<const EnumName<E>>(table), value.at(0));
    if (!chosen) return;
    if (index.empty())
      settings.*general = *chosen;
    else
      settings.partition_policies[index].*own = *chosen;
  };
}

/// For a member that is a set of bits: each word sets one bit, and all other bits are cleared.
template <class E, std::size_t N, class Get>
auto into_bits(const EnumName<E> (&table)[N], Get get) {
  return [&table, get](Settings& settings, const std::string&, const Words& value) {
    auto& member = get(settings);
    member = {};
    for (const auto& word : value)
      if (const auto bit = value_of(std::span<const EnumName<E>>(table), word)) put(member, *bit);
  };
}

}  // namespace maui::config
