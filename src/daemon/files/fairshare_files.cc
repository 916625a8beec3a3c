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
  const bool is_time = start && *start >= 0 && Time(*start) < kForever;
  return is_time ? std::optional(Time(*start)) : std::nullopt;
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

/// Removes windows of the future, of which there may be any number: all but the next `most`, and
/// the last `most`, which count if it is the clock that is wrong.  Returns how many there were.
std::size_t drop_far_ahead(std::vector<Time>& starts, Time now, std::size_t most) {
  const auto is_ahead = [now](Time start) { return start > now; };
  const auto ahead_end = std::find_if_not(starts.begin(), starts.end(), is_ahead);
  const auto ahead = static_cast<std::size_t>(ahead_end - starts.begin());
  if (ahead <= 2 * most) return 0;
  const auto kept = static_cast<std::ptrdiff_t>(most);
  starts.erase(starts.begin() + kept, ahead_end - kept);
  return ahead - 2 * most;
}

}  // namespace

std::string FairshareFiles::path(Time start) const {
  return fmt::format("{}/{}{}", directory_, kPrefix, start.raw());
}

FairshareHistory FairshareFiles::read(const FairshareSettings& settings, Time now, bool only_past,
                                      ClusterNames& names,
                                      std::vector<std::string>& problems) const {
  FairshareHistory history;
  Time complete{-1};
  auto starts = starts_in(directory_);
  const auto depth = static_cast<std::size_t>(std::max(settings.depth, 1));
  if (const auto dropped = drop_far_ahead(starts, now, depth); dropped > 0)
    problems.push_back(fmt::format("{}: {} of fairshare windows of the future {} ignored",
                                   directory_, counted(dropped, "file"),
                                   by_number(dropped, "is", "are")));
  std::size_t past = 0;
  bool some_count = false;
  for (const Time start : starts) {
    const auto age = window_start(settings.interval, now) - window_start(settings.interval, start);
    const bool counts = age.raw() / settings.interval.raw() < settings.depth;
    if (!counts && (only_past || past >= depth)) continue;
    if (start <= now) ++past;
    const auto text = read_plain_file(path(start));
    if (!text) problems.push_back(fmt::format("{}: {}", path(start), text.error().what));
    auto file = read_fairshare_text(text ? *text : "", start, settings.interval, names);
    for (const auto& problem : file.problems)
      problems.push_back(fmt::format("{}: {}", path(start), problem));
    if (only_past && start + file.window.length > now) continue;
    // A window of the future is from before the clock was set back, and counts when it comes.
    if (start <= now) complete = std::max(complete, file.complete_until);
    if (file.complete_until >= Time(0)) history.files_until.push_back(file.complete_until);
    some_count = some_count || counts;
    history.windows.push_back(std::move(file.window));
  }
  if (some_count)
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
