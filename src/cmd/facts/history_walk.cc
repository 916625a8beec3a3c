#include "cmd/facts/history_walk.h"

#include <fmt/format.h>

#include "base/local_zone.h"

namespace maui {

Result<history::Reader> history_of(const Context& context) {
  auto reader = context.server.history();
  if (reader == nullptr)
    return Error{fmt::format(
        "{}: {}", context.request.command,
        context.settings().server.mode == ServerMode::test
            ? "no history is kept in SERVERMODE TEST; profiler can read the records in STATDIR"
            : "a simulation keeps no history; profiler can read its records")};
  return reader;
}

const TimeZone& server_zone() {
  static const TimeZone zone = local_zone();
  return zone;
}

Result<Period> period_of(const Context& context, std::string_view flag) {
  auto period = parse_period(context.value(flag), context.now(), server_zone());
  if (!period)
    return Error{fmt::format("{}: -{}: {}", context.request.command, flag, period.error().what)};
  return period;
}

}  // namespace maui
