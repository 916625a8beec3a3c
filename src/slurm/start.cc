#include "slurm/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/host_range.h"
#include "base/text.h"
#include "rm/slurm_reason.h"
#include "rm/wiki_message.h"
#include "slurm/arrays.h"
#include "slurm/holds.h"
#include "slurm/job_record.h"
#include "slurm/notices.h"
#include "slurm/start_note.h"

namespace maui::slurm {
namespace {

using NodeCounts = std::vector<std::pair<std::string, int>>;

NodeCounts by_node(std::span<const std::string> task_list) {
  NodeCounts counts;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const auto& name : task_list) {
    const auto [at, is_new] = places.emplace(name, counts.size());
    if (is_new) counts.emplace_back(name, 0);
    ++counts[at->second].second;
  }
  return counts;
}

StartNote note_of(const Job& job) {
  const Job asked = as_asked(job);
  StartNote note;
  note.min_nodes = asked.min_nodes;
  note.max_nodes = asked.max_nodes;
  note.min_cpus = asked.min_cpus;
  note.overcommitted = job.overcommitted;
  note.set_nodes = job.min_nodes;
  note.required_nodes = asked.required_nodes;
  note.excluded_nodes = asked.excluded_nodes;
  if (const auto known = read_note(job.admin_comment)) {
    note.refusals = known->refusals;
    note.refusal_code = known->refusal_code;
    note.refusal = known->refusal;
  }
  return note;
}

// Closes the gate and restores the job's own request for nodes.
Change taken_back(const Job& job, StartNote note) {
  note.words = words_of_wait(job);
  Change change{.job = name_of_record(job), .gate = Change::Gate::close};
  change.required_nodes = note.required_nodes;
  change.excluded_nodes = note.excluded_nodes;
  // When root writes min_cpus, Slurm lifts the job's CPU limits.
  if (job.min_cpus != note.min_cpus) change.min_cpus = note.min_cpus;
  change.admin_comment = write_note(note);
  return change;
}

/// Slurm may withhold nodes for a while (while it clears one, for example): not the job's fault.
bool lacks_room(const Job& job) { return job.reason == "Resources" || job.reason == "Priority"; }

StartNote refused(const Job& job, int code) {
  StartNote note = note_of(job);
  ++note.refusals;
  note.refusal_code = code;
  note.refusal = job.launch_failure.empty() ? job.reason : job.launch_failure;
  if (lacks_room(job) && job.switches > 0)
    note.refusal += fmt::format(" (it requests --switches={})", job.switches);
  std::replace(note.refusal.begin(), note.refusal.end(), ' ', '_');
  return note;
}

/// Returns the code of a failed start; none: Slurm may still carry the start out.
std::optional<int> failure(const Job& job, const StartNote& note, Time now, Seconds patience) {
  if (!job.launch_failure.empty()) return kWikiRefused;
  const auto prospects = outlook(job.reason);
  // An obstacle in one of several partitions may not exist in another, which Slurm tries later.
  const bool of_one = job.partition.find(',') == std::string::npos;
  const bool is_over = prospects == Outlook::failed || (prospects != Outlook::open && of_one);
  if (!is_over && *note.started + patience >= now) return std::nullopt;
  switch (prospects) {
    case Outlook::passes:
      return kWikiNotNow;
    case Outlook::stays:
      return of_one ? kWikiNever : kWikiRefused;
    case Outlook::failed:
      return kWikiRefused;
    case Outlook::open:
      break;
  }
  return lacks_room(job) ? kWikiNoRoom : kWikiRefused;
}

// Slurm does not find the nodes of such jobs if they are required, so all others are excluded.
std::string all_but(const NodeCounts& counts, const Cluster& cluster) {
  std::vector<std::string> others;
  const std::unordered_map<std::string_view, int> tasks(counts.begin(), counts.end());
  for (const Node& node : cluster.nodes)
    if (!tasks.contains(node.name)) others.push_back(node.name);
  return join(others, ",");
}

/// Returns the tasks on each node, in Slurm's order of nodes.
std::vector<int> shares_of(const NodeCounts& counts, const Cluster& cluster) {
  if (counts.size() == 1) return {counts.front().second};
  std::vector<int> shares;
  const std::unordered_map<std::string_view, int> tasks(counts.begin(), counts.end());
  for (const Node& node : cluster.nodes)
    if (const auto at = tasks.find(node.name); at != tasks.end()) shares.push_back(at->second);
  return shares;
}

int least_procs(const Request& request) {
  int least = request.requirements.front().per_task.procs();
  for (const Requirement& requirement : request.requirements)
    least = std::min(least, requirement.per_task.procs());
  return least;
}

// Passes a hold that only Slurm knows to the gate, before the sign of the hold is lost.
void keep_hold(const Job& job, Change& change) {
  if (const auto holds = holds_of(job); holds != job.holds) change.holds = holds;
}

/// Slurm refuses to change the holds of jobs whose partitions are all inactive, but still writes
/// the admin_comment of the same change.  Such jobs wait until a partition is up.
bool takes_holds(const Job& job, const Cluster& cluster) {
  const auto& all = cluster.partitions;
  const auto names = split(job.partition, ',');
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return std::none_of(all.begin(), all.end(), [&](const Partition& partition) {
      return partition.name == name && !partition.up;
    });
  });
}

// Returns true if the job was requeued: Slurm delays it by two minutes unless maui starts it.
bool came_back(const Job& job, Time now) { return job.eligible > now; }

}  // namespace

Result<Change> start_change(const Job& job, std::span<const std::string> task_list,
                            const Surroundings& all, std::int64_t generation) {
  const std::string name = job_name(job);
  if (!job.pending()) return Error{fmt::format("job {} is not pending", name)};
  if (job.priority != 0) return Error{fmt::format("job {} is starting already", name)};
  if (holds_of(job) != 0) return Error{fmt::format("job {} is held", name)};
  const WikiJob reported = reported_job(job, all);
  const auto& request = reported.report.request;
  if (static_cast<int>(task_list.size()) != request.total_tasks())
    return Error{fmt::format("job {} has {} tasks, but the task list has {}", name,
                             request.total_tasks(), task_list.size())};
  const auto counts = by_node(task_list);
  std::vector<std::string> nodes;
  for (const auto& [node, tasks] : counts) nodes.push_back(node);
  StartNote note = note_of(job);
  note.started = all.now;
  note.generation = generation;
  note.words = words_of_start(all.now);
  note.set_nodes = static_cast<int>(counts.size());
  Change change{.job = name, .gate = Change::Gate::open};
  const int share = counts.front().second;
  const bool even = std::all_of(counts.begin(), counts.end(),
                                [&](const auto& node) { return node.second == share; });
  // With a fixed number of nodes, Slurm gives each node of such jobs the same number of GPUs.
  const bool by_gpu = job.tasks_per_gpu > 0 && (!even || request.requirements.size() > 1);
  if (job.features.find('*') == std::string::npos && !by_gpu)
    change.required_nodes = join(nodes, ",");
  else
    change.excluded_nodes = all_but(counts, all.cluster);
  if (!job.overcommitted && !by_gpu)
    change.min_nodes = change.max_nodes = note.set_nodes;
  else if (job.max_nodes > note.set_nodes)  // a new node count makes Slurm count CPUs by tasks
    change.excluded_nodes = all_but(counts, all.cluster);
  // Slurm fills the first node and leaves one task per other node, unless each must have its share.
  if (even && counts.size() > 1 && !job.overcommitted && !by_gpu)
    change.min_cpus = std::max(note.min_cpus, share * least_procs(request));
  // Slurm counts fewer CPUs for a requeued job, and does not correct that.
  if (by_gpu) change.cpus = request.total_procs();
  // Slurm takes the sum of min_cpus for the job's whole request, so the real total is set, too.
  if (change.min_cpus && request.requirements.size() > 1) change.cpus = request.total_procs();
  note.shares = shares_of(counts, all.cluster);
  change.admin_comment = write_note(note);
  change.holds = 0;  // also removes the gate's marks: see holds_of()
  change.begin_now = job.restarts > 0;
  return change;
}

bool carried_out(const Change& start, const Job& job) {
  if (job.admin_comment != start.admin_comment) return false;
  return !job.pending() || job.priority != 0 || given_up_by_slurm(job);
}

std::vector<Change> repairs(const Cluster& cluster, Time now, Seconds patience) {
  std::vector<Change> changes;
  for (const Job& job : cluster.jobs) {
    if (!job.pending() || job.completing || job.het_job != 0) continue;
    const auto note = read_note(job.admin_comment);
    const bool asked_to_start = note && note->started;
    const bool open = job.priority != 0;
    if (!asked_to_start && !open) {
      // Without maui's notice, which would mark the job as maui's even if Slurm refuses the hold.
      Change kept{.job = name_of_record(job)};
      keep_hold(job, kept);
      if (kept.holds && takes_holds(job, cluster)) changes.push_back(std::move(kept));
      continue;
    }
    const bool closed = !open && !given_up_by_slurm(job);
    if (holds_of(job) != job.holds && !takes_holds(job, cluster)) continue;
    const bool ran = job.launch_failure.empty() && came_back(job, now);
    if (!asked_to_start || closed || ran) {
      changes.push_back(taken_back(job, note_of(job)));
      keep_hold(job, changes.back());
    } else if (const auto code = failure(job, *note, now, patience)) {
      changes.push_back(taken_back(job, refused(job, *code)));
    }
  }
  return changes;
}

std::vector<std::string> waiting_records(const Cluster& cluster, HeldBy by) {
  std::vector<std::string> names;
  for (const Job& job : cluster.jobs) {
    if (!job.pending() || job.completing || job.het_job != 0 || job.priority != 0) continue;
    const auto holds = holds_of(job);
    if (by == HeldBy::gate ? holds == 0 : (holds & kAdminHold) != 0)
      names.push_back(name_of_record(job));
  }
  return names;
}

}  // namespace maui::slurm
