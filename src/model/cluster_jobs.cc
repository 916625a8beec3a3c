// Jobs of a cluster: what they ask for, their credentials and their holds.
#include <algorithm>
#include <cassert>
#include <map>
#include <string_view>
#include <utility>

#include "maui/cluster.h"
#include "model/alter.h"
#include "model/keys.h"

namespace maui {

std::int64_t work_of(const Request& request) {
  constexpr Seconds kLongest(std::int64_t{1} << 30);
  constexpr std::int64_t kMost = std::int64_t{1} << 43;  // a million processors for three months
  return std::min(request.total_procs() * std::min(request.limit, kLongest).raw(), kMost);
}

JobId Cluster::add_job(Job job, Request request) {
  assert(!find_job(job.name).valid());
  assert(job.state == JobState::idle || job.state == JobState::not_queued);
  JobId id(jobs_.size());
  if (free_jobs_.empty()) {
    jobs_.emplace_back();
    bypasses_.emplace_back();
  } else {
    id = free_jobs_.back();
    free_jobs_.pop_back();
  }
  job.id = id;
  job.own_holds = static_cast<std::uint8_t>(job.own_holds | (job.holds & ~job.holds_reported));
  job.holds = static_cast<std::uint8_t>(job.own_holds | job.holds_reported);
  job.arrival = next_arrival_++;
  job.request = requests_.add_user(std::move(request));
  job_names_.emplace(job.name, id);
  servers_.add(job.name);
  Job& stored = jobs_[id.index()] = std::move(job);
  bypasses_[id.index()] = 0;
  if (stored.waiting()) enqueue(stored);
  return id;
}

JobId Cluster::find_job(std::string_view name) const {
  const auto at = job_names_.find(std::string(name));
  return at == job_names_.end() ? JobId() : at->second;
}

JobId Cluster::find_numbered_job(std::string_view number) const {
  if (number.find('.') != std::string_view::npos) return JobId();
  JobId found;
  for (const auto& [server, jobs] : servers_.all()) {
    const JobId id = find_job(std::string(number) + "." + server);
    if (!id.valid()) continue;
    if (found.valid()) return JobId();
    found = id;
  }
  return found;
}

std::vector<JobId> Cluster::jobs() const {
  std::vector<JobId> all;
  all.reserve(job_names_.size());
  for (const Job& job : jobs_)
    if (job.id.valid()) all.push_back(job.id);
  const auto in_order = [this](JobId a, JobId b) { return job(a).arrival < job(b).arrival; };
  if (!std::is_sorted(all.begin(), all.end(), in_order))  // false only after slots were reused
    std::sort(all.begin(), all.end(), in_order);
  return all;
}

void Cluster::forget_job(JobId id) {
  Job& job = jobs_[id.index()];
  assert(!job.active());
  if (job.reservation.valid()) release_reservation(job.reservation);
  if (job.waiting()) dequeue(job);
  if (job.suspended()) std::erase(suspended_, id);
  job_names_.erase(job.name);
  servers_.remove(job.name);
  requests_.drop_user(job.request);
  job = Job();
  free_jobs_.push_back(id);
}

void Cluster::set_own_holds(JobId id, std::uint8_t holds, HoldReason reason) {
  Job& job = jobs_[id.index()];
  job.own_holds = holds;
  job.hold_reason = std::move(reason);
  join_holds(job);
}

void Cluster::set_holds_reported(JobId id, std::uint8_t holds) {
  Job& job = jobs_[id.index()];
  job.holds_reported = holds;
  join_holds(job);
}

void Cluster::join_holds(Job& job) {
  const bool was_held = job.holds != 0;
  job.holds = static_cast<std::uint8_t>(job.own_holds | job.holds_reported);
  if (was_held == (job.holds != 0)) return;
  if (job.suspended()) ++releases_;  // of what is kept for it
  if (!job.waiting()) return;
  Waiting& line = waiting_[line_of(job)];
  count_share(line, -1);
  line.held = job.holds != 0;
  count_share(line, 1);
  ++releases_;
}

void Cluster::set_waits_for(JobId id, std::string what) {
  Job& job = jobs_[id.index()];
  job.waits_for = std::move(what);
  if (!job.waiting()) return;
  refresh_line(job);
  ++releases_;
}

void Cluster::lift_hold(JobId id, Hold hold) {
  auto left = jobs_[id.index()].own_holds;
  put(left, hold, false);
  set_own_holds(id, left);
}

void Cluster::set_system_priority(JobId id, SystemPriority priority) {
  Job& job = jobs_[id.index()];
  job.system_priority = priority;
  if (job.waiting()) refresh_line(job);
}

void Cluster::set_qos(JobId id, QosId wanted) {
  Job& job = jobs_[id.index()];
  if (job.credentials.qos != wanted) ++releases_;  // of the former QOS's limits
  job.credentials.qos = wanted;
  note_owner(job);
}

void Cluster::set_account(JobId id, AccountId account) {
  Job& job = jobs_[id.index()];
  if (!job.account_reported) job.account_reported = job.credentials.account;
  if (job.credentials.account != account) ++releases_;
  job.credentials.account = account;
  note_owner(job);
}

/// Notes that the job's credentials have changed.
void Cluster::note_owner(const Job& job) {
  if (job.active()) {
    placed_jobs_.note(job.id);
    active_[row_of(job)].credentials = credentials_.intern(job.credentials);
  }
  if (!job.waiting()) return;
  Waiting& line = waiting_[line_of(job)];
  count_share(line, -1);
  line.credentials = credentials_.intern(job.credentials);
  count_share(line, 1);
}

void Cluster::set_dependencies(JobId id, std::vector<Dependency> dependencies) {
  Job& job = jobs_[id.index()];
  job.dependencies = std::move(dependencies);
  if (!job.waiting()) return;
  refresh_line(job);
  ++releases_;
}

void Cluster::revise_job(JobId id, const Job& reported) {
  Job& job = jobs_[id.index()];
  assert(job.waiting());
  const QosId entitled = job.qos_set ? job.credentials.qos : reported.credentials.qos;
  const AccountId charged = job.credentials.account;
  job.credentials = reported.credentials;
  job.credentials.qos = entitled;
  if (job.account_reported == reported.credentials.account)
    job.credentials.account = charged;
  else
    job.account_reported.reset();
  note_owner(job);
  job.flags = reported.flags;
  job.access_asked = reported.access_asked;
  job.earliest_start = reported.earliest_start;
  job.deadline = reported.deadline;
  job.required_reservation = reported.required_reservation;
  job.title = reported.title;
  job.executable = reported.executable;
  job.comment = reported.comment;
  job.node_set = reported.node_set;
  job.node_set_binds = reported.node_set_binds;
  job.kinds_accepted = reported.kinds_accepted;
  job.application_data = reported.application_data;
  job.system_id = reported.system_id;
  job.group_id = reported.group_id;
  job.display = reported.display;
  job.qos_requested = reported.qos_requested;
  job.partitions_asked = reported.partitions_asked;
  job.partitions_reported = reported.partitions_reported;
  job.alternatives = reported.alternatives;
  auto dependencies = reported.dependencies;
  std::map<std::pair<DependencyKind, std::string_view>, DependencyState> known;
  for (const Dependency& before : job.dependencies) known[{before.kind, before.job}] = before.state;
  for (Dependency& dependency : dependencies)
    if (const auto at = known.find({dependency.kind, dependency.job}); at != known.end())
      dependency.state = at->second;
  set_dependencies(id, std::move(dependencies));
}

void Cluster::set_request(JobId id, Request request) {
  Job& job = jobs_[id.index()];
  assert(!job.active());
  if (job.reservation.valid()) release_reservation(job.reservation);
  if (job.waiting()) dequeue(job);
  replace_request(job, std::move(request));
  if (job.waiting()) enqueue(job);
}

void Cluster::set_limits_of_shapes(JobId id, Seconds limit) {
  for (auto& shape : jobs_[id.index()].alternatives) shape.second = limit;
}

void Cluster::set_limit(JobId id, Seconds limit) {
  Job& job = jobs_[id.index()];
  assert(job.active() || job.suspended());
  Request other = request_of(id);
  const Seconds before = limit_of(job);
  other.limit = limit;
  replace_request(job, std::move(other));
  if (job.suspended())
    job.time_left = std::max(job.time_left + (limit_of(job) - before), Seconds(1));
  else
    extend_job(id, limit_end(job));
}

void Cluster::set_access(JobId id, JobAccess access, Time now) {
  Job& job = jobs_[id.index()];
  assert(job.active() || job.suspended());
  Request other = request_of(id);
  if (other.access == access) return;
  other.access = access;
  if (job.active()) deactivate(job);
  replace_request(job, std::move(other));
  if (!job.active()) return;
  activate(job);
  placed_jobs_.note(id);
  ++releases_;
  for (const Placement::Part& part : job.placement.parts()) {
    make_room(part.nodes);
    alter(part.nodes, [&](NodeRun run, Occupancy& here) {
      for (Occupant& occupant : here.occupants)
        if (occupant.job == id)
          occupant.access = access_on(nodes_[run.first].policy.access, access);
      note_states(run, here, now);
    });
  }
}

void Cluster::forget_unconfirmed_run(std::string_view job) {
  const auto at = unconfirmed_runs_.find(job);
  if (at == unconfirmed_runs_.end()) return;
  unconfirmed_runs_.erase(at);
  ++releases_;
}

}  // namespace maui
