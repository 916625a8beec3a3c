#include "pbs/comments.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "rm/wiki_notices.h"

namespace maui::pbs {
namespace {

constexpr std::int64_t kRoundedTo = 600;  // seconds
constexpr std::string_view kWaits = "maui: waits, see checkjob";

std::string words_of(const JobNotice& notice) {
  if (!notice.held.empty()) return "maui: held: " + notice.held;
  if (notice.start == kForever) return {};
  const auto about = (notice.start.raw() + kRoundedTo - 1) / kRoundedTo * kRoundedTo;
  return fmt::format("maui: planned to start about {:%a %b %d at %H:%M}",
                     fmt::localtime(static_cast<std::time_t>(about)));
}

}  // namespace

void Comments::take(const WikiRequest& notes) {
  const WikiNotices given = read_notices(notes);
  if (given.all) wanted_.clear();
  for (const JobNotice& notice : given.notices) {
    if (auto words = words_of(notice); words.empty())
      wanted_.erase(notice.job);
    else
      wanted_[notice.job] = std::move(words);
  }
}

std::vector<std::pair<std::string, std::string>> Comments::changes(
    std::size_t most, const std::function<Does(const std::string& job)>& does) {
  std::vector<std::pair<std::string, std::string>> made;
  for (const auto& [job, words] : wanted_) {
    if (made.size() >= most) return made;
    if (does(job) != Does::wait) continue;
    auto& shown = shown_[job];
    if (shown != words) made.emplace_back(job, shown = words);
  }
  for (auto at = shown_.begin(); at != shown_.end();) {
    const Does now = does(at->first);
    if (!wanted_.contains(at->first) && now == Does::neither) {
      at = shown_.erase(at);
      continue;
    }
    if (!wanted_.contains(at->first) && now == Does::wait && at->second != kWaits) {
      if (made.size() >= most) return made;
      made.emplace_back(at->first, at->second = kWaits);
    }
    ++at;
  }
  return made;
}

std::string Comments::forget(const std::string& job) {
  wanted_.erase(job);
  auto shown = shown_.extract(job);
  return shown.empty() ? std::string() : std::move(shown.mapped());
}

}  // namespace maui::pbs
