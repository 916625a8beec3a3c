#include "render/cells.h"

#include <algorithm>
#include <ctime>

#include "base/date.h"
#include "base/duration.h"
#include "base/utf8.h"

namespace maui {

std::string length(std::int64_t seconds) {
  return format_duration(seconds == -1 ? kUnlimited : Seconds(seconds));
}

std::string ahead(std::int64_t when, std::int64_t now) {
  return format_duration(when == -1 ? kUnlimited : Seconds(when - now));
}

std::string date(std::int64_t when, bool year) { return format_date(Time(when), year); }

double percent(double part, double whole) { return whole == 0 ? 0 : 100 * part / whole; }

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_character(text).bytes);
  return count;
}

std::string_view head(std::string_view text, std::size_t count) {
  std::size_t bytes = 0;
  for (; count > 0 && bytes < text.size(); --count)
    bytes += first_character(text.substr(bytes)).bytes;
  return text.substr(0, bytes);
}

std::string bracketed(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += fmt::format("[{}]", name);
  return text.empty() ? "[NONE]" : text;
}

std::string amounts(const std::vector<ResourceAmount>& resources) {
  std::string text;
  for (const auto& [name, amount] : resources) {
    const bool megabytes = name == "MEM" || name == "SWAP" || name == "DISK";
    if (!text.empty()) text += "  ";
    text += fmt::format("{}: {}{}", name, amount == -1 ? "[ALL]" : fmt::to_string(amount),
                        megabytes && amount != -1 ? "M" : "");
  }
  return text.empty() ? "[NONE]" : text;
}

std::string_view letter(std::string_view state) { return state.empty() ? "-" : head(state, 1); }

std::string name_and_type(std::string_view name, std::string_view type, std::size_t width) {
  const auto for_type = std::clamp<std::size_t>(type.size(), 4, width - 2);
  return fmt::format("{:<{}} {:>4}", name, width - for_type - 1, type);
}

std::string_view or_dash(std::string_view text) { return text.empty() ? "-" : text; }

std::string completion_code(const CompletedRow& job) {
  return job.state == "Removed" ? "CNCLD" : fmt::to_string(job.exit_code);
}

std::string moment(std::int64_t when) {
  if (when <= 0) return "-";
  const std::time_t time = when;
  std::tm parts{};
  if (::localtime_r(&time, &parts) == nullptr) return fmt::to_string(when);
  char text[40];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts));
}

void wait_lines(Lines& out, const std::vector<WaitPeriod>& waits) {
  if (waits.empty()) return;
  out.blank();
  for (const auto& [reason, start, end] : waits)
    out.line("waited from {} to {:<19}  {}", moment(start), end < 0 ? "now" : moment(end), reason);
}

}  // namespace maui
