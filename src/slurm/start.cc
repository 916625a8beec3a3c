#include "slurm/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/host_range.h"
#include "base/text.h"
#include "slurm/arrays.h"
#include "slurm/start_note.h"

namespace maui::slurm {
namespace {

using NodeCounts = std::vector<std::pair<std::string, int>>;

NodeCounts by_node(std::span<const std::string> task_list) {
  NodeCounts counts;
  for (const auto& name : task_list) {
    const auto at = std::find_if(counts.begin(), counts.end(),
                                 [&](const auto& one) { return one.first == name; });
    if (at == counts.end())
      counts.emplace_back(name, 1);
    else
      ++at->second;
  }
  return counts;
}

StartNote note_of(const Job& job) {
  const Job asked = as_asked(job);
  StartNote note;
  note.min_nodes = asked.min_nodes;
  note.max_nodes = asked.max_nodes;
  note.min_cpus = asked.min_cpus;
  note.set_nodes = job.min_nodes;
  note.required_nodes = asked.required_nodes;
  return note;
}

// Closes the gate and gives the job its own nodes back.
Change taken_back(const Job& job) {
  const StartNote note = note_of(job);
  Change change{.job = job_name(job), .gate = Change::Gate::close};
  change.required_nodes = note.required_nodes;
  change.min_cpus = note.min_cpus;
  change.admin_comment = write_note(note);
  return change;
}

// Slurm lets a job that was requeued wait for two minutes; whom we start may begin at once.
bool came_back(const Job& job, Time now) { return job.eligible > now; }

}  // namespace

Result<Change> start_change(const Job& job, std::span<const std::string> task_list, Time now) {
  const std::string name = job_name(job);
  if (!job.pending()) return Error{fmt::format("job {} is not pending", name)};
  if (job.priority != 0) return Error{fmt::format("job {} is starting already", name)};
  if (job.holds != 0) return Error{fmt::format("job {} is held", name)};
  if (static_cast<int>(task_list.size()) != std::max(1, job.tasks))
    return Error{fmt::format("job {} has {} tasks, the task list {}", name, std::max(1, job.tasks),
                             task_list.size())};
  const auto counts = by_node(task_list);
  std::vector<std::string> nodes;
  for (const auto& [node, tasks] : counts) nodes.push_back(node);
  StartNote note = note_of(job);
  note.started = now;
  note.set_nodes = static_cast<int>(counts.size());
  Change change{.job = name, .gate = Change::Gate::open};
  change.required_nodes = join(nodes, ",");
  change.min_nodes = change.max_nodes = note.set_nodes;
  // Slurm fills the first node and leaves one CPU to the last, unless each must have its share.
  const int share = counts.front().second;
  const bool even = std::all_of(counts.begin(), counts.end(),
                                [&](const auto& one) { return one.second == share; });
  if (even && counts.size() > 1)
    change.min_cpus = std::max(note.min_cpus, share * std::max(1, job.cpus_per_task));
  change.admin_comment = write_note(note);
  change.begin_now = job.restarts > 0;
  return change;
}

std::vector<Change> repairs(const Cluster& cluster, Time now, Seconds patience) {
  std::vector<Change> changes;
  for (const Job& job : cluster.jobs) {
    if (!job.pending() || job.completing) continue;
    const auto note = read_note(job.admin_comment);
    const bool asked_to_start = note && note->started;
    const bool open = job.priority != 0;
    if (asked_to_start && open) {
      if (came_back(job, now) || *note->started + patience < now)
        changes.push_back(taken_back(job));
    } else if (asked_to_start || open) {
      changes.push_back(taken_back(job));
    }
  }
  return changes;
}

}  // namespace maui::slurm
