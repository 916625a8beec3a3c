#include "support/random_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "support/per_second.h"

namespace maui::test {
namespace {

constexpr const char* kUsers[] = {"amy", "bob", "cid"};
constexpr const char* kClasses[] = {"batch", "short"};

}  // namespace

RandomCluster::RandomCluster(unsigned seed, Mixture mixture) : random_(seed), mixture_(mixture) {
  for (const char* user : kUsers) cluster.users.intern(user);
  for (const char* group : {"staff", "guests"}) cluster.groups.intern(group);
  for (const char* qos : {"low", "high"}) cluster.qos.intern(qos);
  for (const char* feature : {"fast", "wide"}) cluster.features.intern(feature);
  for (const char* name : kClasses) cluster.initiator(cluster.classes.intern(name));
  cluster.consumables.intern("tape");
}

void RandomCluster::furnish() {
  add_nodes();
  run_jobs(below(6));
  if (mixture_.reservations) reserve(below(4));
  keep_job_reservations(below(4));
}

Resources RandomCluster::remainder() { return Resources(0, below(127), below(127), below(63)); }

void RandomCluster::withhold_some(NodeId node) {
  Resources amount(below(2), 64 * below(2));
  const bool closed = one_in(4);
  if (mixture_.odd_amounts) amount.add(remainder());
  cluster.withhold(node, std::move(amount), closed, kNow);
}

NodeAccess RandomCluster::some_access() {
  if (!mixture_.access_rules || one_in(2)) return NodeAccess::shared;
  return one_of({NodeAccess::dedicated, NodeAccess::single_user, NodeAccess::single_task,
                 NodeAccess::shared});
}

JobAccess RandomCluster::some_job_access() {
  const NodeAccess usual = some_access();
  const NodeAccess some[] = {usual, NodeAccess::shared, std::min(usual, NodeAccess::dedicated)};
  return {usual, some[++accesses_ % std::size(some)]};
}

void RandomCluster::classes_and_generics(Node& node) {
  for (const char* name : kClasses)
    if (!one_in(4))
      node.configured.set(cluster.initiator(cluster.classes.find(name)), 1 + below(4));
  if (one_in(3)) node.configured.set(cluster.consumables.find("tape"), 1 + below(2));
}

void RandomCluster::add_nodes() {
  const int kinds = 1 + below(3);
  for (int kind = 0; kind < kinds; ++kind) {
    Node node;
    node.configured = Resources(1 + below(4), 128 * (1 + below(4)), 256 * below(3), 64 * below(3));
    classes_and_generics(node);
    for (std::uint32_t f = 0; f < 2; ++f)
      if (one_in(2)) node.features.push_back(FeatureId(f));
    if (one_in(2)) node.networks = {"hps"};
    node.architecture = one_in(3) ? "arm" : "x86";
    node.operating_system = one_in(3) ? "AIX" : "Linux";
    if (one_in(4)) node.partition = cluster.partitions.intern("other");
    if (!node.partition.valid()) node.partition = PartitionId(0U);
    if (one_in(6) && mixture_.access_rules) node.policy.access = some_access();
    if (mixture_.job_limits && one_in(2)) node.policy.max_jobs = below(3);
    if (mixture_.job_limits && one_in(3)) node.policy.max_jobs_per_user = 1 + below(2);
    if (mixture_.node_sets) node.proc_speed = one_of({400, 500, 750});
    if (mixture_.node_sets && one_in(2)) node.networks.push_back("via");
    if (mixture_.speeds) node.speed = one_of({0.5, 1.0, 2.0});
    const int most = std::max(1, mixture_.most_nodes / kinds);
    for (int i = 1 + below(most); i > 0; --i) {
      node.name = "n" + std::to_string(++names_);
      node.reported = one_in(12) ? NodeState::drained : NodeState::idle;
      Node added = node;
      if (mixture_.odd_amounts) added.configured.add(remainder());
      const NodeId id = cluster.add_node(std::move(added));
      if (mixture_.loads && one_in(4)) withhold_some(id);
    }
  }
}

Requirement RandomCluster::some_requirement() {
  Requirement wanted;
  wanted.per_task = Resources(1 + (one_in(4) ? below(3) : 0), one_in(3) ? 128 * below(3) : 0,
                              one_in(8) ? 128 : 0, one_in(8) ? 64 : 0);
  wanted.tasks = 1 + below(mixture_.most_tasks);
  if (one_in(8)) wanted.per_task.set(cluster.consumables.find("tape"), 1);
  if (one_in(4)) {
    wanted.job_class = ClassId(static_cast<std::uint32_t>(below(2)));
    wanted.per_task.set(cluster.initiator(wanted.job_class), 1);
  }
  if (one_in(4)) wanted.nodes = 1 + below(std::min(4, wanted.tasks + 1));
  if (one_in(4)) wanted.least_nodes = 1 + below(std::min(4, wanted.tasks + 1));
  wanted.exact_nodes = one_in(2);
  if (one_in(5)) wanted.tasks_per_node = 1 + below(3);
  if (one_in(6)) wanted.features = {FeatureId(static_cast<std::uint32_t>(below(2)))};
  if (one_in(10)) wanted.network = "hps";
  if (one_in(10)) wanted.architecture = "x86";
  if (one_in(10)) wanted.operating_system = "Linux";
  const auto compare =
      one_of({Comparison::at_least, Comparison::less, Comparison::equal, Comparison::more});
  if (one_in(8)) wanted.memory = {compare, 256};
  if (one_in(12)) wanted.procs = {compare, 2};
  if (mixture_.odd_amounts && one_in(12)) wanted.per_task.set(kMemory, 1 + below(300));
  if (mixture_.odd_amounts && one_in(12)) wanted.memory = {compare, 1 + below(600)};
  return wanted;
}

void RandomCluster::host_list(Request& request) {
  request.host_list_use = one_in(2) ? HostListUse::all_of : HostListUse::some_of;
  for (const Node& node : cluster.nodes())
    if (one_in(2)) request.host_list.push_back(node.id);
  if (request.host_list.empty()) request.host_list.push_back(NodeId(0U));
}

NodeSet RandomCluster::some_node_set() {
  NodeSet set;
  set.policy = one_of({NodeSetPolicy::one_of, NodeSetPolicy::first_of, NodeSetPolicy::any_of});
  set.attribute =
      one_of({NodeSetAttribute::feature, NodeSetAttribute::network, NodeSetAttribute::proc_speed,
              NodeSetAttribute::job_class, NodeSetAttribute::memory});
  set.priority = one_of({NodeSetPriority::best_fit, NodeSetPriority::worst_fit,
                         NodeSetPriority::best_resource, NodeSetPriority::min_loss});
  if (set.policy != NodeSetPolicy::any_of) set.tolerance = one_of({0.0, 0.25, 0.5});
  set.delay = one_of({Seconds(0), Seconds(98), Seconds(104), kUnlimited});
  if (one_in(2) && set.attribute == NodeSetAttribute::feature) set.list = {"wide"};
  if (one_in(2) && set.attribute == NodeSetAttribute::proc_speed) set.list = {"500", "400"};
  return set;
}

Request RandomCluster::some_request() {
  Request request;
  request.requirements = {some_requirement()};
  if (mixture_.several_requirements && one_in(2))
    request.requirements.push_back(some_requirement());
  request.limit = Seconds(1 + below(8));
  request.access = some_job_access();
  request.by_speed = mixture_.speeds;
  if (mixture_.node_sets && !one_in(4)) request.node_set = some_node_set();
  if (mixture_.host_lists && request.requirements.size() == 1 && one_in(6)) host_list(request);
  if (mixture_.host_lists && one_in(8))
    request.excluded = {
        NodeId(static_cast<std::uint32_t>(below(static_cast<int>(cluster.nodes().size()))))};
  if (one_in(8))
    request.partitions = {PartitionId(
        static_cast<std::uint32_t>(below(static_cast<int>(cluster.partitions.size()))))};
  return request;
}

Job RandomCluster::some_job() {
  Job job;
  job.name = "j" + std::to_string(++names_);
  job.credentials.user = UserId(static_cast<std::uint32_t>(below(3)));
  job.credentials.group = GroupId(static_cast<std::uint32_t>(below(2)));
  job.credentials.qos = QosId(static_cast<std::uint32_t>(below(2)));
  job.queued = job.submitted = job.eligible_since = kNow - Seconds(below(100));
  return job;
}

void RandomCluster::run_jobs(int count) {
  for (; count > 0; --count) {
    const Job job = some_job();
    Request request;
    request.requirements = {some_requirement()};
    Requirement& wanted = request.requirements.front();
    wanted.least_nodes = wanted.nodes = wanted.tasks_per_node = 0;
    request.access = some_job_access();
    request.limit = Seconds(1 + below(15));
    const Time started = kNow - Seconds(below(6));
    const PerSecond now(cluster, kNow, false);
    Placement placement;
    int tasks = 0;
    for (const Node& node : cluster.nodes()) {
      if (one_in(2) || tasks == wanted.tasks) continue;
      const int most = now.tasks_at(node.id, job, request, wanted, kNow);
      const int share = std::min({most, wanted.tasks - tasks, 1 + below(3)});
      if (share > 0) placement.push_back({node.id, share, 0});
      tasks += std::max(0, share);
    }
    if (tasks == 0) continue;
    wanted.tasks = tasks;
    cluster.start_job(cluster.add_job(job, request), placement, started);
  }
}

// Uses a copy of the generator, so that later draws are not affected.
void RandomCluster::limit_access(Reservation& made) const {
  std::mt19937 own = random_;
  const auto some = [&](int n) { return static_cast<int>(own() % static_cast<unsigned>(n)); };
  const auto length = std::min<std::int64_t>((made.end - made.start).raw(), 12);
  if (some(4) == 0)
    made.access.criteria.push_back({AccessKind::time, 1 + some(static_cast<int>(length)),
                                    Comparison::at_most, Affinity::neutral, false, some(2) == 0});
  for (AccessCriterion& one : made.access.criteria) one.affinity = static_cast<Affinity>(some(3));
}

void RandomCluster::reserve(int count) {
  for (; count > 0; --count) {
    Reservation made;
    made.name = "r" + std::to_string(++names_);
    made.start = kNow + Seconds(below(14) - 4);
    made.end = one_in(6) ? kForever : made.start + Seconds(1 + below(12));
    if (one_in(2)) made.per_task = Resources(1, one_in(2) ? 64 : 0);
    if (one_in(2)) made.access.add(AccessKind::user, UserId(static_cast<std::uint32_t>(below(3))));
    if (one_in(4))
      made.access.add(AccessKind::group, GroupId(static_cast<std::uint32_t>(below(2))));
    limit_access(made);
    for (const Node& node : cluster.nodes())
      if (one_in(3)) made.nodes.push_back({node.id, 1 + below(2), 0});
    if (!made.nodes.empty()) cluster.add_reservation(made);
  }
}

void RandomCluster::keep_job_reservations(int count) {
  for (; count > 0; --count) {
    const Job job = some_job();
    Request request = some_request();
    request.host_list_use = HostListUse::none;
    request.host_list.clear();
    request.excluded.clear();
    request.requirements.resize(1);
    auto& wanted = request.requirements.front();
    wanted.least_nodes = wanted.nodes = wanted.tasks_per_node = 0;
    PerSecond later(cluster, kNow, true);
    const auto start = later.earliest(job, request, kNow + Seconds(below(6)));
    if (!start) continue;
    Placement placement;
    int left = wanted.tasks;
    for (const Node& node : cluster.nodes()) {
      for (int share = left; share > 0; --share) {
        Request part = request;
        part.requirements.front().tasks = share;
        if (later.objection(job, part, {{node.id, share, 0}}, *start, request.limit)) continue;
        if (!placement.empty() && cluster.node(placement.front().node).partition != node.partition)
          break;
        placement.push_back({node.id, share, 0});
        left -= share;
        break;
      }
    }
    if (left > 0) continue;
    const JobId id = cluster.add_job(job, request);
    Reservation kept;
    kept.kind = ReservationKind::job;
    kept.job = id;
    kept.start = *start;
    kept.end = *start + request.limit;
    kept.nodes = placement;
    cluster.add_reservation(kept);
  }
}

JobId RandomCluster::submit(Time now) {
  Job job = some_job();
  job.queued = job.submitted = job.eligible_since = now;
  Request request = some_request();
  return cluster.add_job(std::move(job), std::move(request));
}

NodeAllocation RandomCluster::some_allocation() {
  return one_of({NodeAllocation::first_available, NodeAllocation::last_available,
                 NodeAllocation::min_resource, NodeAllocation::cpu_load,
                 NodeAllocation::machine_prio, NodeAllocation::local, NodeAllocation::contiguous,
                 NodeAllocation::max_balance, NodeAllocation::fastest});
}

Settings RandomCluster::some_settings() {
  Settings settings;
  settings.backfill =
      one_of({BackfillPolicy::first_fit, BackfillPolicy::best_fit, BackfillPolicy::greedy,
              BackfillPolicy::shortest_first, BackfillPolicy::none});
  settings.backfill_metric =
      one_of({BackfillMetric::procs, BackfillMetric::proc_seconds, BackfillMetric::seconds,
              BackfillMetric::pe, BackfillMetric::pe_seconds});
  settings.window_order =
      one_of({WindowOrder::widest, WindowOrder::longest, WindowOrder::priority});
  settings.reservation_policy = one_of(
      {ReservationPolicy::current_highest, ReservationPolicy::highest, ReservationPolicy::never});
  settings.reservation_stacks = {{below(4), {}}};
  if (one_in(4)) settings.reservation_stacks = {{1 + below(2), {"high"}}, {1, {"low"}}};
  settings.node_allocation = some_allocation();
  settings.node.down_node_delay = kUnlimited;
  settings.priority.xfactor.weight = one_of({0.0, 10.0});
  settings.priority.proc.weight = one_of({0.0, 0.0, 1.0});
  return settings;
}

unsigned rounds(unsigned usual) {
  const char* more = std::getenv("MAUI_TEST_ROUNDS");
  return usual * (more ? static_cast<unsigned>(std::max(1, std::atoi(more))) : 1U);
}

std::string describe(const Cluster& cluster, const Request& request) {
  std::string text = fmt::format("{} seconds, access {}/{}", request.limit.raw(),
                                 static_cast<int>(request.access.usual),
                                 static_cast<int>(request.access.demanded));
  for (const Requirement& one : request.requirements) {
    text += fmt::format("; {} tasks of {}/{}/{}/{}", one.tasks, one.per_task.procs(),
                        one.per_task.memory(), one.per_task.swap(), one.per_task.disk());
    for (const auto& [what, amount] : one.per_task.extra())
      text += fmt::format(" {}={}", cluster.consumables.all()[what.index()], amount);
    if (one.nodes > 0)
      text += fmt::format(", {} {} nodes", one.exact_nodes ? "exactly" : "up to", one.nodes);
    if (one.least_nodes > 0) text += fmt::format(", at least {} nodes", one.least_nodes);
    if (one.tasks_per_node > 0) text += fmt::format(", {} a node", one.tasks_per_node);
  }
  for (const NodeId node : request.excluded) text += "; not " + cluster.node(node).name;
  if (request.host_list_use == HostListUse::none) return text;
  text += request.host_list_use == HostListUse::all_of ? "; all of" : "; some of";
  for (const NodeId host : request.host_list) text += " " + cluster.node(host).name;
  return text;
}

}  // namespace maui::test
