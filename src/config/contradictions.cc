#include "config/contradictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/duration.h"

namespace maui::config {
namespace {

constexpr Seconds kDay(kDaySeconds), kWeek(7 * kDaySeconds);

bool says_nothing(const ParameterNames& doubtful, std::string_view prefix) {
  const auto at = doubtful.lower_bound(prefix);
  return at != doubtful.end() && at->starts_with(prefix);
}

// True if a line about that standing reservation, or about an unknown one, is wrong.
bool in_doubt(const ParameterNames& doubtful, const std::string& index) {
  return std::any_of(doubtful.begin(), doubtful.end(), [&](const std::string& name) {
    return name.starts_with("SR") &&
           (name.find('[') == name.npos || name.ends_with(fmt::format("[{}]", index)));
  });
}

std::string bank_without_host(const AllocationSettings& bank) {
  const bool server =
      bank.type != AllocationManagerType::none && bank.type != AllocationManagerType::file;
  if (server && bank.host.empty())
    return "BANKTYPE names an allocation manager: expected its host, too (BANKSERVER)";
  return {};
}

std::string port_taken(const Settings& settings) {
  if (settings.http.port == 0 || settings.http.port != settings.server.port) return {};
  return fmt::format("HTTPPORT={} is also SERVERPORT: expected another port", settings.http.port);
}

// Returns the problem if a time of day or of week exceeds its period, else an empty text.
std::string beyond_period(const std::string& name, std::string_view attribute,
                          const std::optional<Seconds>& time, StandingPeriod period) {
  if (!time || period == StandingPeriod::infinity) return {};
  const bool daily = period == StandingPeriod::day;
  if (*time <= (daily ? kDay : kWeek)) return {};
  const auto said = fmt::format("SRCFG[{}] {}={}", name, attribute, format_duration(*time));
  if (!daily) return said + ": expected a time of the week, up to 7:00:00:00, with PERIOD=WEEK";
  return said +
         ": expected a time of the day, up to 24:00:00; a time of the week needs PERIOD=WEEK";
}

}  // namespace

std::vector<std::string> contradictions(const Settings& settings, const ParameterNames& doubtful) {
  std::vector<std::string> found;
  const auto add = [&](std::string problem) {
    if (!problem.empty()) found.push_back(std::move(problem));
  };
  if (!says_nothing(doubtful, "BANK") && !says_nothing(doubtful, "AMCFG"))
    add(bank_without_host(settings.allocations));
  if (!says_nothing(doubtful, "HTTPPORT") && !says_nothing(doubtful, "SERVERPORT"))
    add(port_taken(settings));
  for (const auto& [index, reservation] : settings.standing_reservations) {
    if (in_doubt(doubtful, index)) continue;
    const auto check = [&add, &index = index, period = reservation.period](
                           std::string_view attribute, const std::optional<Seconds>& time) {
      add(beyond_period(index, attribute, time, period));
    };
    check("STARTTIME", reservation.start);
    check("ENDTIME", reservation.end);
    if (reservation.period != StandingPeriod::week) continue;
    check("WSTARTTIME", reservation.week_start);
    check("WENDTIME", reservation.week_end);
  }
  return found;
}

}  // namespace maui::config
