#include "daemon/fairshare_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/text.h"
#include "engine/fairshare_text.h"
#include "sched/fairshare.h"

namespace maui {
namespace {

constexpr std::string_view kPrefix = "FS.";

std::optional<Time> start_of(const std::string& name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  const auto start = parse_integer<std::int64_t>(std::string_view(name).substr(kPrefix.size()));
  return start ? std::optional(Time(*start)) : std::nullopt;
}

// The beginnings of the windows that there are files of, newest first.
std::vector<Time> starts_in(const std::string& directory) {
  std::vector<Time> starts;
  std::error_code ignored;  // without a directory there are no files
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
    if (const auto start = start_of(entry.path().filename().string())) starts.push_back(*start);
  std::sort(starts.begin(), starts.end(), std::greater<>());
  return starts;
}

Status failure(std::string_view what, const std::string& path) {
  return Error{
      fmt::format("cannot {} the fairshare file '{}': {}", what, path, std::strerror(errno))};
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
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
    if (start > now || age.raw() / settings.interval.raw() >= settings.depth) continue;
    std::ifstream in(path(start), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    auto file = read_fairshare_text(text.str(), start, settings.interval, names);
    if (!in) problems.push_back(fmt::format("{}: cannot be read", path(start)));
    for (const auto& problem : file.problems)
      problems.push_back(fmt::format("{}: {}", path(start), problem));
    if (only_past && start + file.window.length > now) continue;
    complete = std::max(complete, file.complete_until);
    history.windows.push_back(std::move(file.window));
  }
  if (!history.windows.empty())
    history.complete_until = complete < Time(0) || only_past ? now : std::min(complete, now);
  return history;
}

Status FairshareFiles::write(const Cluster& names, const FairshareWindow& window,
                             Time complete_until, bool safely) const {
  std::error_code ignored;  // what is wrong with the directory shows when the file is opened
  std::filesystem::create_directories(directory_, ignored);
  const auto target = path(window.start), draft = target + ".new";
  const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return failure("open", draft);
  bool written = write_all(file, fairshare_text(names, window, complete_until));
  if (written && safely) written = ::fsync(file) == 0;
  const int error = errno;
  if (::close(file) != 0 || !written) {
    errno = written ? errno : error;
    return failure("write to", draft);
  }
  if (std::rename(draft.c_str(), target.c_str()) != 0) return failure("replace", target);
  return Done{};
}

}  // namespace maui
