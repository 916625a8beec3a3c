#include "slurm/dependency.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/enum_names.h"
#include "base/text.h"
#include "slurm/arrays.h"

namespace maui::slurm {
namespace {

using enum Fulfilment;

// To Slurm, a job has ended only when it is no longer completing.
bool gone(const Job& job) { return job.over() && !job.completing; }

void count(const Job& job, Progress& progress) {
  ++progress.jobs;
  if (job.over() || job.active()) {
    ++progress.begun;
    progress.last_start = std::max(progress.last_start, job.started);
  }
  if (!gone(job)) return;
  ++progress.gone;
  if (job.state == JobState::complete) ++progress.succeeded;
}

Progress progress_of(const Job& job) {
  Progress progress;
  count(job, progress);
  return progress;
}

Fulfilment all_begun(const Progress& others, Seconds delay, Time now) {
  return others.begun == others.jobs && others.last_start + delay <= now ? met : open;
}

Fulfilment all_gone(const Progress& others) { return others.gone == others.jobs ? met : open; }

// Requires that all jobs have ended: all with success, or some without.
Fulfilment all_ended(const Progress& others, bool success) {
  if (success && others.succeeded < others.gone) return never;
  if (all_gone(others) == open) return open;
  return success || others.succeeded < others.jobs ? met : never;
}

enum class Kind : std::uint8_t { after, after_any, after_ok, after_not_ok, after_corresponding };
constexpr std::array<EnumName<Kind>, 5> kKinds{{
    {Kind::after, "after"},
    {Kind::after_any, "afterany"},
    {Kind::after_ok, "afterok"},
    {Kind::after_not_ok, "afternotok"},
    {Kind::after_corresponding, "aftercorr"},
}};

// `target`: "17", "20_*", or "17+5" for minutes after its start.
Fulfilment of_target(Kind kind, const Job& job, std::string_view target, const JobIndex& jobs,
                     Time now) {
  const auto plus = target.find('+');
  const auto minutes = plus == std::string_view::npos
                           ? std::optional<std::int32_t>(0)
                           : parse_integer<std::int32_t>(target.substr(plus + 1));
  target = target.substr(0, plus);
  std::string name(target);
  if (kind == Kind::after_corresponding && job.array_task)
    name = std::string(target.substr(0, target.find('_'))) + "_" + std::to_string(*job.array_task);
  const auto others = jobs.progress(name);
  if (!others || !minutes) return open;  // only Slurm can decide
  switch (kind) {
    case Kind::after:
      return all_begun(*others, Seconds(std::int64_t{*minutes} * 60), now);
    case Kind::after_any:
      return all_gone(*others);
    case Kind::after_ok:
    case Kind::after_corresponding:
      return all_ended(*others, true);
    case Kind::after_not_ok:
      return all_ended(*others, false);
  }
  return open;
}

// "afterok:1(unfulfilled)", "after:1+5:2", "singleton(unfulfilled)"
Fulfilment of_term(const Job& job, std::string_view term, const JobIndex& jobs, Time now) {
  const auto bare = [](std::string_view part) { return part.substr(0, part.find('(')); };
  const auto parts = split(term, ':');
  if (bare(parts.front()) == "singleton") return jobs.is_next_singleton(job) ? met : open;
  const auto kind = value_of<Kind>(kKinds, parts.front());
  if (!kind || parts.size() < 2) return open;
  Fulfilment all = met;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto state =
        parts[i].ends_with("(failed)") ? never : of_target(*kind, job, bare(parts[i]), jobs, now);
    if (state == never) return never;
    if (state == open) all = open;
  }
  return all;
}

}  // namespace

JobIndex::JobIndex(const std::vector<Job>& jobs) {
  for (const Job& job : jobs) {
    by_id_.emplace(job.id, &job);
    if (job.array_job != 0) {
      Array& array = arrays_[job.array_job];
      count(job, array.all);
      if (job.active() || (job.pending() && job.priority != 0)) ++array.active;
      if (job.array_task)
        array.tasks.emplace(*job.array_task, &job);
      else if (array.waiting == nullptr)
        array.waiting = &job;
    }
    if (gone(job)) continue;
    Namesakes& namesakes = namesakes_[{job.user, job.name}];
    if (namesakes.first == 0 || job.id < namesakes.first) namesakes.first = job.id;
    if (!job.pending() || job.priority != 0) namesakes.active = job.id;
  }
}

std::optional<Progress> JobIndex::progress(std::string_view name) const {
  const auto mark = name.find('_');
  const auto number = parse_integer<std::uint32_t>(name.substr(0, mark));
  if (!number) return std::nullopt;
  const auto array = arrays_.find(*number);
  if (array == arrays_.end()) {
    const auto at = by_id_.find(*number);
    return at == by_id_.end() ? std::nullopt : std::optional(progress_of(*at->second));
  }
  const auto& [all, tasks, waiting, active] = array->second;
  const auto which = mark == std::string_view::npos ? "*" : name.substr(mark + 1);
  if (which == "*") return all;
  const auto task = parse_integer<std::uint32_t>(which);
  if (!task) return std::nullopt;
  if (const auto at = tasks.find(*task); at != tasks.end()) return progress_of(*at->second);
  return waiting == nullptr ? std::nullopt : std::optional(progress_of(*waiting));
}

bool JobIndex::is_next_singleton(const Job& job) const {
  const auto at = namesakes_.find({job.user, job.name});
  if (at == namesakes_.end()) return true;
  const Namesakes& all = at->second;
  return all.first >= job.id && (all.active == 0 || all.active == job.id);
}

int JobIndex::active_tasks(std::uint32_t array) const {
  const auto at = arrays_.find(array);
  return at == arrays_.end() ? 0 : at->second.active;
}

Fulfilment fulfilment(const Job& job, const JobIndex& jobs, Time now) {
  if (job.dependency.empty()) return met;
  const bool any = job.dependency.find('?') != std::string::npos;
  bool one_open = false, one_met = false, one_never = false;
  for (const auto term : split(job.dependency, any ? '?' : ',')) {
    const auto state = of_term(job, term, jobs, now);
    (state == open ? one_open : state == met ? one_met : one_never) = true;
  }
  if (any) return one_met ? met : one_open ? open : never;
  return one_never ? never : one_open ? open : met;
}

}  // namespace maui::slurm
