#include "sched/reservations/standing_nodes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/sorted.h"
#include "model/placement.h"
#include "sched/availability/node_line.h"
#include "sched/placement/node_choice.h"
#include "sched/reservations/host_expression.h"
#include "sched/rules/partition_policies.h"

namespace maui {
namespace {

bool whole_nodes(const Resources& per_task) { return per_task.procs() < 0; }

int capacity_of(const Node& node, const Resources& per_task) {
  if (node.purged) return 0;
  return whole_nodes(per_task) ? 1 : node.configured.tasks_of(per_task);
}

// The room that a floating reservation finds on a node.
class Room {
 public:
  Room(const StandingContext& context, const StandingReservationSettings& standing,
       const Reservation& wanted, const Reservation* kept, Time now)
      : context_(context),
        cluster_(context.cluster()),
        standing_(standing),
        wanted_(wanted),
        self_(kept ? kept->id : ReservationId()),
        precedes_jobs_(wanted.kind == ReservationKind::standing &&
                       !keeps_reservations(context.settings())),
        now_(now),
        size_(task_size(whole_nodes(wanted.per_task) ? Resources(0) : wanted.per_task)) {
    for (const JobId id : cluster_.suspended()) {
      if (!cluster_.job(id).keeps_nodes()) continue;
      for (const auto& share : cluster_.job(id).placement) resting_.emplace_back(share.node, id);
    }
    std::sort(resting_.begin(), resting_.end());
    move_to(wanted.start);
  }

  /// Asks about that start instead; the duration stays the same.
  void move_to(Time start) {
    from_ = std::max(start, now_);
    end_ = wanted_.end < kForever ? start + (wanted_.end - wanted_.start) : kForever;
  }
  /// Sets whether it may lie on top of other reservations, as ACCESS=SHARED allows.
  void stack(bool on) { stacks_ = on; }
  /// Returns how many tasks fit on the node for the whole time frame, ignoring its own tasks.
  int on(NodeId id, int capacity) {
    const Node& node = cluster_.node(id);
    if (!node.available()) return 0;
    if (has(standing_.flags, ReservationFlag::force)) return capacity;
    NodeLine line = line_on(node);
    if (line.uses.empty() && line.blocks.empty()) return capacity;
    // A reservation of whole nodes cannot share a node with any use or block.
    return whole_nodes(wanted_.per_task) ? 0 : std::min(capacity, least(line, node));
  }

  /// Returns the starts in (from, to) at which the answer of on() may change: where something ends,
  /// and where the reservation would come to reach into what begins later.
  std::vector<Time> changes_on(NodeId id, Time from, Time to) {
    move_to(from);
    end_ = kForever;
    const Seconds duration = wanted_.end - wanted_.start;
    std::vector<Time> starts;
    const auto add = [&](Time when) {
      if (when > from && when < to) starts.push_back(when);
    };
    const auto note = [&](Time start, Time end) {
      add(end);
      if (wanted_.end < kForever) add(start - duration + Seconds(1));
    };
    const NodeLine line = line_on(cluster_.node(id));
    for (const Use& use : line.uses) note(use.start, use.end);
    for (const Block& block : line.blocks) note(block.start, block.end);
    sort_unique(starts);
    return starts;
  }

 private:
  /// Returns what takes room on the node in [from_, end_).
  NodeLine line_on(const Node& node) {
    NodeLine line;
    for (const auto& occupant : cluster_.occupancy(node.id).occupants)
      add_use(line, cluster_.job(occupant.job), now_, std::max(occupant.ends, now_ + Seconds(1)),
              occupant.access, occupant.amount);
    add_resting(line, node);
    for (const auto other : cluster_.occupancy(node.id).reservations) add(line, node.id, other);
    return line;
  }
  /// Adds the suspended jobs for which the node is kept.
  void add_resting(NodeLine& line, const Node& node) {
    const auto first =
        std::lower_bound(resting_.begin(), resting_.end(), std::pair(node.id, JobId(0U)));
    for (auto at = first; at != resting_.end() && at->first == node.id; ++at) {
      const Job& job = cluster_.job(at->second);
      const Request& request = cluster_.request(job.request);
      add_use(line, job, now_, now_ + job.time_left, access_on(node.policy.access, request.access),
              amount_on(node.id, job.placement, request));
    }
  }
  void add(NodeLine& line, NodeId id, ReservationId other) {
    if (other == self_) return;
    const Reservation& r = cluster_.reservation(other);
    if (r.kind == ReservationKind::job && precedes_jobs_) return;
    if (r.kind == ReservationKind::job) return add_job(line, id, r);
    if (stacks_ || r.end <= from_ || r.start >= end_) return;
    each_share_on(r.nodes, id, [&](const NodeTasks& share) {
      line.blocks.push_back({r.start, r.end, other, cluster_.reserved_on(r, share)});
    });
  }
  void add_job(NodeLine& line, NodeId id, const Reservation& r) {
    const Job& job = cluster_.job(r.job);
    const Request& request = cluster_.request(job.request);
    const Time start = std::max(r.start, now_);
    for (const Placement::Part& part : r.nodes.parts())
      if (part.nodes.contains(id))
        add_use(line, job, start, start + request.limit,
                access_on(cluster_.node(id).policy.access, request.access),
                cluster_.reserved_on(r, {id, part.tasks, part.requirement}));
  }
  // Skips jobs with access: they run inside the reservation, so their nodes are no conflict.
  void add_use(NodeLine& line, const Job& job, Time start, Time end, NodeAccess access,
               const Resources& amount) {
    if (end <= from_ || start >= end_) return;
    if (works_inside(job)) return;
    line.uses.push_back({start, end, job.id, job.credentials.user, access, 0, amount, true});
  }
  bool works_inside(const Job& job) const {
    if (wanted_.access.empty() && !has(wanted_.flags, ReservationFlag::preemptee)) return false;
    const auto admitted = admission(wanted_, applicant_of(cluster_, context_.flags(), job));
    return admitted.admitted && admitted.overlap >= kUnlimited;
  }
  int least(NodeLine& line, const Node& node) {
    if (!line.blocks.empty())
      for (Use& use : line.uses) use.set = context_.sets().of(cluster_.job(use.job));
    Profile profile;
    line.profile(from_, node.configured, cluster_.consumables.size(), {}, context_.sets(), profile);
    int tasks = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < profile.size() && profile.level(i).from < end_; ++i) {
      const Presence& there = profile.level(i).presence;
      if (there.exclusive > 0 || there.owner.valid()) return 0;
      // No job that the reservation admits could join these.
      if (node.policy.max_jobs > 0 && there.limited >= node.policy.max_jobs) return 0;
      tasks = std::min(tasks, profile.tasks(i, size_));
    }
    return tasks;
  }

  const StandingContext& context_;
  const Cluster& cluster_;
  const StandingReservationSettings& standing_;
  const Reservation& wanted_;
  ReservationId self_;
  // Each iteration makes the priority reservations of waiting jobs anew, and these come later: a
  // standing reservation would otherwise stay short while jobs that need all nodes wait.
  bool precedes_jobs_;
  Time now_, from_{0}, end_{0};  // the time frame is [from_, end_)
  TaskSize size_;
  bool stacks_ = standing_.shared;
  std::vector<std::pair<NodeId, JobId>> resting_;  // the nodes of suspended jobs
};

/// Returns the floating tasks that stay on hosts that still qualify, if the terms are unchanged.
std::vector<int> kept_tasks(const StandingSite& site, const Reservation& wanted,
                            const Reservation* kept) {
  std::vector<int> tasks(site.floating.size(), 0);
  if (!kept || kept->per_task != wanted.per_task || kept->start != wanted.start ||
      kept->end != wanted.end)
    return tasks;
  int left = site.tasks;
  for (const NodeTasks& share : kept->nodes) {
    const auto at = std::lower_bound(
        site.floating.begin(), site.floating.end(), share.node,
        [](const StandingSite::Host& host, NodeId node) { return host.node < node; });
    if (at == site.floating.end() || at->node != share.node) continue;
    const int some = std::min({share.tasks, at->capacity, left});
    tasks[static_cast<std::size_t>(at - site.floating.begin())] = some;
    left -= some;
  }
  return tasks;
}

/// The nodes that have gained room since a Cluster::room_count(); 0: any node may have.
class Roomier {
 public:
  Roomier(const Cluster& cluster, std::uint64_t since) {
    if (since > 0) runs_ = cluster.roomier().since(since);
  }
  bool contains(NodeId id) const {
    if (!runs_) return true;
    const auto run =
        std::partition_point(runs_->begin(), runs_->end(),
                             [id](const NodeRun& candidate) { return candidate.end <= id.raw(); });
    return run != runs_->end() && run->first <= id.raw();
  }

 private:
  std::optional<std::vector<NodeRun>> runs_;
};

std::vector<Offer> offers_of(const StandingSite& site, const std::vector<int>& taken,
                             const StandingReservationSettings& standing, Room& room,
                             const Roomier& roomier) {
  std::vector<Offer> offers;
  for (std::size_t i = 0; i < site.floating.size(); ++i) {
    const auto& host = site.floating[i];
    if (!roomier.contains(host.node)) continue;
    const int there = room.on(host.node, host.capacity);
    if (there < std::max(1, standing.tasks_per_node) || there <= taken[i]) continue;
    Offer offer;
    offer.node = host.node;
    offer.tasks = offer.tasks_now = there - taken[i];
    offers.push_back(offer);
  }
  return offers;
}

int sum(const std::vector<int>& tasks) {
  int all = 0;
  for (const int some : tasks) all += some;
  return all;
}

/// Returns the tasks that may move: under BESTEFFORT those on nodes that are down, under SPACEFLEX
/// also those whose node is taken by others.
std::vector<int> moving_tasks(const Cluster& cluster, const StandingSite& site, std::uint16_t flags,
                              const std::vector<int>& taken, Room& room) {
  std::vector<int> tasks(taken.size(), 0);
  const bool anywhere = has(flags, ReservationFlag::space_flex);
  if (!anywhere && !has(flags, ReservationFlag::best_effort)) return tasks;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const NodeId node = site.floating[i].node;
    if (taken[i] == 0 || (!anywhere && cluster.node(node).available())) continue;
    tasks[i] = taken[i] - std::min(taken[i], room.on(node, taken[i]));
  }
  return tasks;
}

void float_tasks(const Cluster& cluster, NodeAllocation policy,
                 const StandingReservationSettings& standing, const StandingSite& site, Room& room,
                 std::vector<int>& taken, std::uint64_t look_since) {
  const auto moving = moving_tasks(cluster, site, standing.flags, taken, room);
  for (std::size_t i = 0; i < taken.size(); ++i) taken[i] -= moving[i];
  int missing = site.tasks - sum(taken);
  if (missing <= 0) return;
  // Reservations are stacked only where there is no room beside others (seed 7.1.5.2.3).
  for (const bool stacks : {false, true}) {
    if (missing <= 0 || (stacks && !standing.shared)) break;
    room.stack(stacks);
    auto offers = offers_of(site, taken, standing, room, {cluster, look_since});
    order_offers(cluster, policy, offers, offers.size());
    for (const Offer& offer : offers) {
      const auto at = std::lower_bound(
          site.floating.begin(), site.floating.end(), offer.node,
          [](const StandingSite::Host& host, NodeId node) { return host.node < node; });
      const int some = std::min(missing, offer.tasks);
      taken[static_cast<std::size_t>(at - site.floating.begin())] += some;
      missing -= some;
    }
  }
  // Tasks without a better place stay, except on nodes that are down under BESTEFFORT.
  const bool content = has(standing.flags, ReservationFlag::best_effort);
  for (std::size_t i = 0; i < taken.size() && missing > 0; ++i) {
    if (content && !cluster.node(site.floating[i].node).available()) continue;
    const int some = std::min(missing, moving[i]);
    taken[i] += some;
    missing -= some;
  }
}

}  // namespace

int StandingSite::total() const {
  int all = tasks;
  for (const Host& host : locked) all += host.capacity;
  return all;
}

Applicant applicant_of(const Cluster& cluster, const JobFlags& flags, const Job& job) {
  const Request& request = cluster.request(job.request);
  return {job.credentials, flags.of(job), request.total_procs(), request.total_tasks(),
          flags.required_reservation(job)};
}

StandingSite standing_site(const Cluster& cluster, const StandingReservationSettings& standing) {
  StandingSite site;
  if (standing.hosts.empty() && standing.tasks == 0) return site;
  std::vector<FeatureId> features;
  for (const auto& name : standing.features) features.push_back(cluster.features.find(name));
  const PartitionId partition = cluster.partitions.find(standing.partition);
  const auto eligible = [&](const Node& node) {
    if (!standing.partition.empty() && node.partition != partition) return 0;
    for (const FeatureId feature : features)
      if (!node.has(feature)) return 0;
    const int capacity = capacity_of(node, standing.per_task);
    return capacity < std::max(1, standing.tasks_per_node) ? 0 : capacity;
  };
  const auto hosts = nodes_named(cluster, standing.hosts);
  int listed = 0;
  for (const NodeId id : hosts)
    if (const int capacity = eligible(cluster.node(id)); capacity > 0) {
      site.locked.push_back({id, capacity});
      listed += capacity;
    }
  if (standing.tasks == 0) return site;
  if (listed > standing.tasks) {  // the host list only restricts the choice
    site.floating.swap(site.locked);
    site.tasks = standing.tasks;
    return site;
  }
  site.tasks = standing.tasks - listed;
  if (site.tasks == 0) return site;
  for (const Node& node : cluster.nodes())
    if (!std::binary_search(hosts.begin(), hosts.end(), node.id))
      if (const int capacity = eligible(node); capacity > 0)
        site.floating.push_back({node.id, capacity});
  return site;
}

const JobFlags& StandingContext::flags() const {
  if (!flags_) flags_.emplace(cluster_, settings_);
  return *flags_;
}

AccessSets& StandingContext::sets() const {
  if (!sets_) sets_.emplace(cluster_, settings_);
  return *sets_;
}

Placement standing_nodes(const StandingContext& context,
                         const StandingReservationSettings& standing, const StandingSite& site,
                         const Reservation& wanted, const Reservation* kept, Time now,
                         std::uint64_t look_since) {
  std::vector<NodeTasks> nodes;
  for (const auto& host : site.locked) nodes.push_back({host.node, host.capacity, 0});
  if (site.tasks > 0) {
    auto taken = kept_tasks(site, wanted, kept);
    const bool moves = has(standing.flags, ReservationFlag::space_flex) ||
                       has(standing.flags, ReservationFlag::best_effort);
    if (moves || sum(taken) < site.tasks) {
      Room room(context, standing, wanted, kept, now);
      float_tasks(context.cluster(),
                  node_allocation(context.cluster(), context.settings(), wanted.partition),
                  standing, site, room, taken, look_since);
    }
    for (std::size_t i = 0; i < taken.size(); ++i)
      if (taken[i] > 0) nodes.push_back({site.floating[i].node, taken[i], 0});
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const NodeTasks& a, const NodeTasks& b) { return a.node < b.node; });
  return {nodes.begin(), nodes.end()};
}

std::vector<Time> starts_with_room(const StandingContext& context,
                                   const StandingReservationSettings& standing,
                                   const StandingSite& site, const Reservation& wanted,
                                   const Reservation* kept, Time now, Time from, Time to) {
  Room room(context, standing, wanted, kept, now);
  std::map<Time, int> changes;  // of the tasks that all hosts have room for
  for (const auto& host : site.floating) {
    auto starts = room.changes_on(host.node, from, to);
    starts.insert(starts.begin(), from);
    int before = 0;
    for (const Time start : starts) {
      room.move_to(start);
      int tasks = room.on(host.node, host.capacity);
      if (tasks < standing.tasks_per_node) tasks = 0;
      changes[start] += tasks - std::exchange(before, tasks);
    }
  }
  std::vector<Time> starts;
  int tasks = 0;
  for (const auto& [start, change] : changes)
    if ((tasks += change) >= site.tasks) starts.push_back(start);
  return starts;
}

}  // namespace maui
