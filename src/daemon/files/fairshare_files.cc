#include "daemon/files/fairshare_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/text.h"
#include "engine/accounts/fairshare_text.h"
#include "sched/priority/fairshare.h"

namespace maui {
namespace {

constexpr std::string_view kPrefix = "FS.";

std::optional<Time> start_of(const std::string& name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  const auto start = parse_integer<std::int64_t>(std::string_view(name).substr(kPrefix.size()));
  return start ? std::optional(Time(*start)) : std::nullopt;
}

// Returns the start times of the windows that have files, newest first.
std::vector<Time> starts_in(const std::string& directory) {
  std::vector<Time> starts;
  std::error_code ignored;  // without a directory there are no files
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
    if (const auto start = start_of(entry.path().filename().string())) starts.push_back(*start);
  std::sort(starts.begin(), starts.end(), std::greater<>());
  return starts;
}

}  // namespace

std::string FairshareFiles::path(Time start) const {
  return fmt::format("{}/{}{}", directory_, kPrefix, start.raw());
}

FairshareHistory FairshareFiles::read(const FairshareSettings& settings, Time now, bool only_past,
                                      Cluster& names, std::vector<std::string>& problems) const {
  FairshareHistory history;
  Time complete{-1};
  for (const Time start : starts_in(directory_)) {
    const auto age = window_start(settings.interval, now) - window_start(settings.interval, start);
    if (age.raw() / settings.interval.raw() >= settings.depth) continue;
    const auto text = read_plain_file(path(start));
    if (!text) problems.push_back(fmt::format("{}: {}", path(start), text.error().what));
    auto file = read_fairshare_text(text ? *text : "", start, settings.interval, names);
    for (const auto& problem : file.problems)
      problems.push_back(fmt::format("{}: {}", path(start), problem));
    if (only_past && start + file.window.length > now) continue;
    // A window of the future is from before the clock was set back, and counts when it comes.
    if (start <= now) complete = std::max(complete, file.complete_until);
    history.windows.push_back(std::move(file.window));
  }
  if (!history.windows.empty())
    history.complete_until = complete < Time(0) || only_past ? now : std::min(complete, now);
  return history;
}

Status FairshareFiles::write(const Cluster& names, const FairshareWindow& window,
                             Time complete_until, Durability durability) const {
  std::error_code ignored;  // errors show when the file is opened
  std::filesystem::create_directories(directory_, ignored);
  const auto written =
      replace_file(path(window.start), fairshare_text(names, window, complete_until), durability);
  if (!written) return Error{"fairshare: " + written.error().what};
  return Done{};
}

}  // namespace maui
