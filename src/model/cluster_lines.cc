// The tables that a cluster keeps beside its jobs: the lines of the queue and of active jobs, the
// occupancy of nodes.
#include <algorithm>
#include <utility>

#include "maui/cluster.h"
#include "model/alter.h"
#include "model/keys.h"

namespace maui {
namespace {

/// The sort key of waiting() and of active(): a time, then arrival.
struct Key {
  Time when;
  std::uint64_t arrival;
};
bool queue_order(const Waiting& line, const Key& key) {
  return line.queued != key.when ? line.queued < key.when : line.arrival < key.arrival;
}
bool end_order(const Active& row, const Key& key) {
  return row.ends != key.when ? row.ends < key.when : row.arrival < key.arrival;
}

// False for most jobs, so that a cycle needs to read only their line.
bool special(const Job& job) {
  return job.system_priority.value != 0 || job.earliest_start > Time(0) ||
         job.deadline < kForever || !job.alternatives.empty() || !job.dependencies_met() ||
         !job.waits_for.empty();
}

}  // namespace

void Cluster::replace_request(Job& job, Request request) {
  const RequestId old = job.request;
  job.request = requests_.add_user(std::move(request));
  requests_.drop_user(old);
}

// --- lines --------------------------------------------------------------------------

void Cluster::set_queued(JobId id, Time queued) {
  Job& job = jobs_[id.index()];
  if (job.waiting()) dequeue(job);
  job.queued = queued;
  if (job.waiting()) enqueue(job);
}

void Cluster::delay_queue(std::span<const JobId> jobs, Seconds by, Time latest) {
  for (const JobId id : jobs)
    if (Job& job = jobs_[id.index()]; job.id.valid() && job.waiting())
      job.queued = std::max(job.queued, std::min(latest, job.queued + by));
  // Two queues, sorted except for equals made by `latest`: lines that stay, lines that move.
  const auto lines = waiting_.all();
  const auto moved = std::stable_partition(lines.begin(), lines.end(), [this](const Waiting& line) {
    return line.queued == job(line.job).queued;
  });
  for (auto line = moved; line != lines.end(); ++line) line->queued = job(line->job).queued;
  const auto earlier = [](const Waiting& a, const Waiting& b) {
    return queue_order(a, {b.queued, b.arrival});
  };
  if (!std::is_sorted(moved, lines.end(), earlier)) std::sort(moved, lines.end(), earlier);
  std::inplace_merge(lines.begin(), moved, lines.end(), earlier);
}

bool Cluster::some_job_may_fit() const {
  const auto lines = waiting();
  return std::any_of(lines.begin(), lines.end(), [this](const Waiting& line) {
    return !line.held &&
           (request(line.request).total_procs() <= counts_.open_procs || has_alternatives(line));
  });
}

std::size_t Cluster::line_of(const Job& job) const {
  return waiting_.place(Key{job.queued, job.arrival}, queue_order);
}

std::size_t Cluster::row_of(const Job& job) const {
  return active_.place(Key{job.ends, job.arrival}, end_order);
}

void Cluster::count_line(const Waiting& line, int times) {
  const Request& asked = request(line.request);
  counts_.waiting_proc_seconds += times * backlog_of(asked);
  counts_.special_waiting += line.special ? times : 0;
  counts_.waiting_for_sets += asked.node_set ? times : 0;
  counts_.waiting_particular += asked.takes_any_procs() ? 0 : times;
  counts_.waiting_preemptors += line.preemptor ? times : 0;
  count_share(line, times);
}

void Cluster::count_share(const Waiting& line, int times) {
  const std::size_t index = line.credentials.index();
  if (index >= queue_shares_.size()) queue_shares_.resize(index + 1);
  queue_shares_[index].jobs += times;
  queue_shares_[index].held += line.held ? times : 0;
}

/// Updates the job's line in the queue after its flags have changed.
void Cluster::refresh_line(const Job& job) {
  Waiting& line = waiting_[line_of(job)];
  count_line(line, -1);
  line.special = special(job);
  line.preemptor = has(job.flags, JobFlag::preemptor);
  count_line(line, 1);
}

void Cluster::enqueue(const Job& job) {
  const std::size_t place = line_of(job);
  waiting_.insert(place, {job.queued, job.arrival, job.id, job.request,
                          credentials_.intern(job.credentials), job.holds != 0, special(job),
                          job.reservation.valid(), has(job.flags, JobFlag::preemptor)});
  count_line(waiting_[place], 1);
}

void Cluster::dequeue(const Job& job) {
  const std::size_t place = line_of(job);
  count_line(waiting_[place], -1);
  waiting_.erase(place);
}

void Cluster::activate(const Job& job) {
  active_.insert(row_of(job), {job.ends, job.arrival, job.id, job.request,
                               credentials_.intern(job.credentials), job.flags});
}

void Cluster::deactivate(const Job& job) { active_.erase(row_of(job)); }

// --- shares of nodes ----------------------------------------------------------------

/// Adds, for each node of the run, `sign` times `when`, or the time from which the node's use is
/// counted if that is later: jobs may have started and ended before their nodes were known.
void Cluster::count_busy(NodeRun run, Time when, int sign) {
  if (when >= all_counted_from_) return busy_.add(run, sign * when.raw());
  for (std::uint32_t i = run.first; i < run.end; ++i)
    busy_.add({i, i + 1}, sign * std::max(when, use_since_[i] - nodes_[i].use.total).raw());
}

void Cluster::occupy(const Job& job, Time now) {
  const Request& asked = request(job.request);
  placed_jobs_.note(job.id);
  for (const Placement::Part& part : job.placement.parts()) {
    const Resources& per_task = asked.requirements[part.requirement].per_task;
    alter(part.nodes, [&](NodeRun run, Occupancy& here) {
      auto& all = here.occupants;
      if (all.empty()) count_busy(run, now, -1);
      // The job's share on these nodes, if there is one, was added last.
      if (all.empty() || all.back().job != job.id) {
        // Nodes of one kind have the same access policy, and the same resources.
        const NodeAccess access = access_on(nodes_[run.first].policy.access, asked.access);
        all.push_back({job.id, job.credentials.user, access, 0, {}, job.ends});
      }
      all.back().tasks += part.tasks;
      all.back().amount.add(per_task, part.tasks);
      count_free(here, nodes_[run.first].configured);
      note_states(run, here, now);
    });
  }
}

void Cluster::vacate(const Job& job, Time now) {
  placed_jobs_.note(job.id);
  for (const Placement::Part& part : job.placement.parts()) {
    alter(part.nodes, [&](NodeRun run, Occupancy& here) {
      const auto mine =
          std::find_if(here.occupants.begin(), here.occupants.end(),
                       [&](const Occupant& occupant) { return occupant.job == job.id; });
      if (mine == here.occupants.end()) return;  // removed with its first requirement
      here.occupants.erase(mine);
      count_free(here, nodes_[run.first].configured);
      if (here.occupants.empty()) count_busy(run, now, 1);
      make_room(run);
      note_states(run, here, now);
    });
  }
}

}  // namespace maui
