#include "support/scenario.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace maui::test {
namespace {

/// Ends the test with a message: a scenario that contradicts itself is an error in the test.
[[noreturn]] void wrong(const std::string& what) {
  std::fprintf(stderr, "scenario: %s\n", what.c_str());
  std::abort();
}

std::vector<std::pair<std::string, int>> copied(Scenario::CountList list) {
  std::vector<std::pair<std::string, int>> all;
  for (const auto& [name, count] : list) all.emplace_back(name, count);
  return all;
}

}  // namespace

Scenario& Scenario::nodes(int count, Resources each) {
  finish();
  for (int i = 0; i < count; ++i) {
    Node node;
    node.name = "n" + std::to_string(++node_count_);
    node.reported = NodeState::idle;
    node.state_since = kNow;
    node.configured = each;
    nodes_.push_back(std::move(node));
  }
  return *this;
}

Scenario& Scenario::node(const std::string& name, Resources all) {
  nodes(1, std::move(all));
  --node_count_;
  nodes_.back().name = name;
  return *this;
}

Scenario& Scenario::partition(const std::string& name) {
  const PartitionId id = cluster_.partitions.intern(name);
  for (Node& node : nodes_) node.partition = id;
  if (job_) job_->request.partitions.push_back(id);
  return *this;
}

Scenario& Scenario::features(NameList names) {
  std::vector<FeatureId> ids;
  for (const char* name : names) ids.push_back(cluster_.features.intern(name));
  std::sort(ids.begin(), ids.end());
  for (Node& node : nodes_) node.features = ids;
  if (job_) last_requirement().features = ids;
  return *this;
}

Scenario& Scenario::classes(CountList initiators) {
  for (const auto& [name, count] : initiators)
    for (Node& node : nodes_)
      node.configured.set(cluster_.initiator(cluster_.classes.intern(name)), count);
  return *this;
}

Scenario& Scenario::state(NodeState reported) {
  for (Node& node : nodes_) node.reported = reported;
  return *this;
}

Scenario& Scenario::change_nodes(void (*change)(Node&)) {
  for (Node& node : nodes_) change(node);
  return *this;
}

Scenario& Scenario::job(const std::string& name) {
  finish();
  job_ = PendingJob{};
  job_->job.name = name;
  job_->request.limit = hours(1);
  job_->request.access = {NodeAccess::shared};
  ++job_count_;
  queued(Seconds(1000 - job_count_));
  return by("user", "group");
}

Scenario& Scenario::tasks(int count) {
  last_requirement().tasks = count;
  return *this;
}

Scenario& Scenario::each(Resources task) {
  last_requirement().per_task = std::move(task);
  return *this;
}

Scenario& Scenario::per_node(int tasks) {
  last_requirement().tasks_per_node = tasks;
  return *this;
}

Scenario& Scenario::requirement() {
  job_->request.requirements.emplace_back();
  return *this;
}

Scenario& Scenario::limit(Seconds limit) {
  job_->request.limit = limit;
  return *this;
}

Scenario& Scenario::dedicated() { return access(NodeAccess::dedicated); }

Scenario& Scenario::access(NodeAccess access) {
  job_->request.access = {access};
  return *this;
}

Scenario& Scenario::demanding(NodeAccess access) {
  job_->request.access = {access, access};
  return *this;
}

Scenario& Scenario::queued(Seconds ago) {
  job_->job.submitted = job_->job.queued = job_->job.eligible_since = kNow - ago;
  return *this;
}

Scenario& Scenario::by(const std::string& user, const std::string& group) {
  job_->job.credentials.user = cluster_.users.intern(user);
  if (!group.empty()) job_->job.credentials.group = cluster_.groups.intern(group);
  return *this;
}

Scenario& Scenario::account(const std::string& name) {
  job_->job.credentials.account = cluster_.accounts.intern(name);
  return *this;
}

Scenario& Scenario::in_class(const std::string& name) {
  const ClassId id = cluster_.classes.intern(name);
  job_->job.credentials.job_class = id;
  last_requirement().job_class = id;
  last_requirement().per_task.set(cluster_.initiator(id), 1);
  return *this;
}

Scenario& Scenario::qos(const std::string& name) {
  job_->job.credentials.qos = cluster_.qos.intern(name);
  return *this;
}

Scenario& Scenario::hosts(NameList names, HostListUse use) {
  for (const char* name : names) job_->request.host_list.push_back(node_named(cluster_, name));
  std::sort(job_->request.host_list.begin(), job_->request.host_list.end());
  job_->request.host_list_use = use;
  return *this;
}

Scenario& Scenario::held(Hold hold) {
  put(job_->job.holds, hold);
  return *this;
}

Scenario& Scenario::start_date(Time when) {
  job_->job.earliest_start = when;
  return *this;
}

Scenario& Scenario::end_date(Time when) {
  job_->job.deadline = when;
  return *this;
}

Scenario& Scenario::change_job(void (*change)(Job&)) {
  change(job_->job);
  return *this;
}

Scenario& Scenario::change_request(void (*change)(Request&)) {
  change(job_->request);
  return *this;
}

Scenario& Scenario::running_on(CountList tasks, Seconds ago) {
  job_->placed = copied(tasks);
  job_->started = kNow - ago;
  last_requirement().tasks = 0;
  for (const auto& [name, count] : job_->placed) last_requirement().tasks += count;
  return *this;
}

Scenario& Scenario::reserved_on(CountList tasks, Time start) {
  job_->reserved = copied(tasks);
  job_->reserved_from = start;
  return *this;
}

Scenario& Scenario::reservation(const std::string& name) {
  finish();
  reservation_.emplace();
  reservation_->name = name;
  reservation_->start = kNow;
  return *this;
}

Scenario& Scenario::on(NameList nodes) {
  for (const char* name : nodes) reservation_->nodes.push_back({node_named(cluster_, name), 1, 0});
  return *this;
}

Scenario& Scenario::from(Time start) {
  reservation_->start = start;
  return *this;
}

Scenario& Scenario::until(Time end) {
  reservation_->end = end;
  return *this;
}

Scenario& Scenario::per_task(Resources task) {
  reservation_->per_task = std::move(task);
  return *this;
}

Scenario& Scenario::for_users(NameList names) {
  for (const char* name : names)
    reservation_->access.add(AccessKind::user, cluster_.users.intern(name));
  return *this;
}

Cluster Scenario::build() {
  finish();
  if (const auto bad = cluster_.check()) wrong(*bad);
  return std::move(cluster_);
}

void Scenario::finish() {
  finish_nodes();
  if (job_) finish_job();
  if (reservation_) cluster_.add_reservation(std::move(*reservation_));
  reservation_.reset();
}

void Scenario::finish_nodes() {
  for (Node& node : nodes_) cluster_.add_node(std::move(node));
  nodes_.clear();
}

void Scenario::finish_job() {
  PendingJob pending = std::move(*job_);
  job_.reset();
  const JobId id = cluster_.add_job(pending.job, pending.request);
  if (!pending.placed.empty()) cluster_.start_job(id, placement(pending.placed), pending.started);
  if (pending.reserved.empty()) return;
  Reservation kept;
  kept.kind = ReservationKind::job;
  kept.job = id;
  kept.start = pending.reserved_from;
  kept.end = kept.start + pending.request.limit;
  kept.nodes = placement(pending.reserved);
  cluster_.add_reservation(std::move(kept));
}

Placement Scenario::placement(const std::vector<std::pair<std::string, int>>& tasks) const {
  Placement all;
  for (const auto& [name, count] : tasks) all.push_back({node_named(cluster_, name), count, 0});
  return all;
}

NodeId node_named(const Cluster& cluster, const std::string& name) {
  const NodeId id = cluster.find_node(name);
  if (!id.valid()) wrong("there is no node " + name);
  return id;
}

JobId job_named(const Cluster& cluster, const std::string& name) {
  const JobId id = cluster.find_job(name);
  if (!id.valid()) wrong("there is no job " + name);
  return id;
}

std::string show(const Cluster& cluster, const Placement& placement) {
  std::string text;
  for (const NodeTasks& share : placement) {
    if (!text.empty()) text += ' ';
    text += cluster.node(share.node).name + ":" + std::to_string(share.tasks);
  }
  return text;
}

}  // namespace maui::test
