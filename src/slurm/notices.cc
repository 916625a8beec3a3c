#include "slurm/notices.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "slurm/arrays.h"
#include "slurm/holds.h"
#include "slurm/start_note.h"

namespace maui::slurm {
namespace {

constexpr std::size_t kMostAtOnce = 20;
constexpr Seconds kLeastShown{60}, kLeastMove{60};
constexpr std::string_view kWaits = "maui: waits since ";

// Formats a time like squeue.
std::string squeue_time(Time when) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::localtime(static_cast<std::time_t>(when.raw())));
}

std::string words_for(const JobNotice* wanted, const Job& job) {
  if (wanted == nullptr) return words_of_wait(job);
  if (!wanted->held.empty()) return "maui: held: " + wanted->held;
  return fmt::format("maui: planned to start {}, waits since {}", squeue_time(wanted->start),
                     squeue_time(job.submitted));
}

std::string with_words(const Job& job, std::string text) {
  auto note = read_note(job.admin_comment);
  if (!note) return text;
  note->words = std::move(text);
  return write_note(*note);
}

/// Returns true if only the gate keeps the job from starting.
bool waits_for_maui(const Job& job) {
  return job.pending() && !job.completing && job.het_job == 0 && job.priority == 0;
}

}  // namespace

std::string name_of_record(const Job& job) {
  if (job.array_tasks.empty() || job.array_task) return job_name(job);
  return fmt::format("{}_[{}]", job.array_job,
                     std::string_view(job.array_tasks).substr(0, job.array_tasks.find('%')));
}

std::string words_of_wait(const Job& job) {
  return fmt::format("{}{}, see checkjob", kWaits, squeue_time(job.submitted));
}

std::string words_of_start(Time when) { return "maui: started " + squeue_time(when); }

void Notices::take(const std::vector<JobNotice>& notices, bool all) {
  all_given_ = all_given_ || all;
  if (all) wanted_.clear();
  for (const JobNotice& notice : notices)
    if (notice.held.empty() && notice.start == kForever)
      wanted_.erase(notice.job);
    else
      wanted_[notice.job] = notice;
}

/// Returns the notice for each record; tasks that share a record get that of the first to start.
Notices::ByName Notices::by_record(const Cluster& cluster) const {
  if (wanted_.empty()) return {};
  std::set<std::string> own;
  std::map<std::string, std::string> shared;  // by array
  for (const Job& job : cluster.jobs)
    if (job.array_tasks.empty() || job.array_task)
      own.insert(job_name(job));
    else
      shared[std::to_string(job.array_job)] = name_of_record(job);
  ByName wanted;
  for (const auto& [name, notice] : wanted_) {
    const auto at = shared.find(name.substr(0, name.find('_')));
    const auto& record = own.contains(name) || at == shared.end() ? name : at->second;
    const auto [known, is_new] = wanted.emplace(record, notice);
    if (!is_new && notice.start < known->second.start) known->second = notice;
  }
  return wanted;
}

bool Notices::is_due(const std::string& record, const JobNotice* wanted, Time now) const {
  const auto shown = shown_.find(record);
  if (shown == shown_.end()) return true;
  if (now - shown->second.since < kLeastShown) return false;
  if (wanted == nullptr || !wanted->held.empty()) return true;
  const Seconds moved =
      std::max(wanted->start - shown->second.start, shown->second.start - wanted->start);
  return moved > std::max(kLeastMove, Seconds((wanted->start - now).raw() / 10));
}

std::vector<Change> Notices::changes(const Cluster& cluster, Time now) {
  if (!all_given_ || now == last_) return {};
  const ByName wanted = by_record(cluster);
  std::vector<Change> changes;
  std::set<std::string> there;
  for (const Job& job : cluster.jobs) {
    if (!waits_for_maui(job) || holds_of(job) != job.holds) continue;  // its hold is stored first
    const auto record = name_of_record(job);
    there.insert(record);
    const auto at = wanted.find(record);
    const JobNotice* const notice = at == wanted.end() ? nullptr : &at->second;
    const std::string_view before = words_in(job.admin_comment);
    if (notice == nullptr && before.starts_with(kWaits)) continue;
    auto text = words_for(notice, job);
    if (before == text || changes.size() == kMostAtOnce || !is_due(record, notice, now)) continue;
    shown_[record] = {notice == nullptr ? kForever : notice->start, now};
    changes.push_back({.job = record, .admin_comment = with_words(job, std::move(text))});
  }
  std::erase_if(shown_, [&](const auto& shown) { return !there.contains(shown.first); });
  if (!changes.empty()) last_ = now;
  return changes;
}

}  // namespace maui::slurm
