#include "compare/changes.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

namespace maui::compare {
namespace {

/// Returns the first `most` elements in the order of `less`.
template <class T, class Less>
std::vector<T> first_by(std::vector<T> all, std::size_t most, Less less) {
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
  std::partial_sort(all.begin(), end, all.end(), less);
  all.erase(end, all.end());
  return all;
}

void compare_users(const std::vector<JobChange>& jobs, const Outcome& before, std::size_t most,
                   Changes& changes) {
  std::map<std::string_view, UserChange> users;
  for (const JobChange& job : jobs) {
    auto& change = users[before.name_of(*job.before, CredentialKind::user)];
    ++change.jobs;
    change.before += static_cast<double>(job.before->wait().raw());
    change.after += static_cast<double>(job.after->wait().raw());
  }
  std::vector<UserChange> sooner, later;
  for (auto& [name, change] : users) {
    change.user = name;
    change.before /= static_cast<double>(change.jobs);
    change.after /= static_cast<double>(change.jobs);
    if (change.after < change.before) sooner.push_back(change);
    if (change.after > change.before) later.push_back(change);
  }
  const auto more = [](const UserChange& change) { return change.after - change.before; };
  changes.user_winners = first_by(std::move(sooner), most, [&](const auto& a, const auto& b) {
    return more(a) != more(b) ? more(a) < more(b) : a.user < b.user;
  });
  changes.user_losers = first_by(std::move(later), most, [&](const auto& a, const auto& b) {
    return more(a) != more(b) ? more(a) > more(b) : a.user < b.user;
  });
}

}  // namespace

Changes changes_between(const Outcome& before, const Outcome& after, std::size_t most) {
  std::unordered_map<std::string_view, const JobOutcome*> by_name;
  for (const JobOutcome& job : before.jobs) by_name.emplace(job.name, &job);
  Changes changes;
  std::vector<JobChange> all, sooner, later;
  for (const JobOutcome& job : after.jobs) {
    const auto at = by_name.find(job.name);
    if (at == by_name.end()) continue;
    const JobChange change{at->second, &job};
    all.push_back(change);
    if (change.more() < Seconds(0)) sooner.push_back(change);
    if (change.more() > Seconds(0)) later.push_back(change);
  }
  changes.sooner = static_cast<std::int64_t>(sooner.size());
  changes.later = static_cast<std::int64_t>(later.size());
  changes.same = static_cast<std::int64_t>(all.size() - sooner.size() - later.size());
  changes.winners = first_by(std::move(sooner), most, [](const auto& a, const auto& b) {
    return a.more() != b.more() ? a.more() < b.more() : a.after->name < b.after->name;
  });
  changes.losers = first_by(std::move(later), most, [](const auto& a, const auto& b) {
    return a.more() != b.more() ? a.more() > b.more() : a.after->name < b.after->name;
  });
  compare_users(all, before, most, changes);
  return changes;
}

std::vector<const JobOutcome*> longest_waits(const Outcome& outcome, std::size_t most) {
  std::vector<const JobOutcome*> jobs;
  for (const JobOutcome& job : outcome.jobs) jobs.push_back(&job);
  return first_by(std::move(jobs), most, [](const JobOutcome* a, const JobOutcome* b) {
    return a->wait() != b->wait() ? a->wait() > b->wait() : a->name < b->name;
  });
}

}  // namespace maui::compare
