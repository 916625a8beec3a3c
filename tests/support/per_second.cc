#include "support/per_second.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace maui::test {
namespace {

bool at(Time start, Time end, Time when) { return start <= when && when < end; }

bool alone(NodeAccess access) {
  return access == NodeAccess::dedicated || access == NodeAccess::single_task;
}

/// Returns how the job shares the node, by the rule that excludes the most.
NodeAccess rule_on(const Node& node, const Request& request) {
  const NodeAccess rule = node.policy.access.value_or(request.access.usual);
  for (const auto strict :
       {NodeAccess::single_task, NodeAccess::dedicated, NodeAccess::single_user})
    if (rule == strict || request.access.demanded == strict) return strict;
  return NodeAccess::shared;
}

/// True if the node has all attributes that the requirement asks for (guide 3.3.2.4).
bool attributes_serve(const Node& node, const Requirement& wanted, const Request& request,
                      ConsumableId initiator) {
  if (!request.partitions.empty() &&
      std::count(request.partitions.begin(), request.partitions.end(), node.partition) == 0)
    return false;
  for (const FeatureId feature : wanted.features)
    if (std::count(node.features.begin(), node.features.end(), feature) == 0) return false;
  if (!wanted.network.empty() &&
      std::count(node.networks.begin(), node.networks.end(), wanted.network) == 0)
    return false;
  if (!wanted.architecture.empty() && wanted.architecture != node.architecture) return false;
  if (!wanted.operating_system.empty() && wanted.operating_system != node.operating_system)
    return false;
  if (initiator.valid() && node.configured.get(initiator) == 0) return false;
  return wanted.memory.admits(node.configured.memory()) &&
         wanted.disk.admits(node.configured.disk()) && wanted.swap.admits(node.configured.swap()) &&
         wanted.procs.admits(node.configured.procs());
}

/// Subtracts from both resources what they have in common, and returns that amount.
Resources common(Resources& a, Resources& b, std::size_t consumables) {
  Resources both;
  for (std::size_t i = 0; i < consumables; ++i) {
    const ConsumableId what(i);
    const auto amount = std::max(0, std::min(a.get(what), b.get(what)));
    both.set(what, amount);
  }
  a.add(both, -1);
  b.add(both, -1);
  return both;
}

}  // namespace

PerSecond::PerSecond(const Cluster& cluster, Time now, bool keep_job_reservations, Seconds down_for)
    : cluster_(cluster), now_(now), down_for_(down_for) {
  for (const Node& node : cluster.nodes())
    for (const Occupant& one : cluster.occupancy(node.id).occupants)
      claims_.push_back({std::min(cluster.job(one.job).started, now),
                         std::max(one.ends, now + Seconds(1)), one.job,
                         cluster.job(one.job).credentials, one.access, node.id, one.amount});
  for (const ReservationId id : cluster.reservations()) {
    const Reservation& reservation = cluster.reservation(id);
    if (reservation.end <= now) continue;
    if (reservation.kind == ReservationKind::job) {
      const Job& job = cluster.job(reservation.job);
      if (keep_job_reservations)
        hold(job, cluster.request(job.request), reservation.nodes,
             std::max(now, reservation.start));
      continue;
    }
    for (const NodeTasks& share : reservation.nodes)
      blocks_.push_back({reservation.start, reservation.end, &reservation.access, share.node,
                         cluster.reserved_on(reservation, share)});
  }
}

void PerSecond::hold(const Job& job, const Request& request, const Placement& placement,
                     Time start) {
  double slowest = 1000;
  for (const NodeTasks& share : placement)
    slowest = std::min(slowest, cluster_.node(share.node).speed);
  for (const NodeTasks& share : placement) {
    Resources amount;
    amount.add(request.requirements[share.requirement].per_task, share.tasks);
    claims_.push_back({start, start + request.limit_at(slowest), job.id, job.credentials,
                       rule_on(cluster_.node(share.node), request), share.node, amount});
  }
}

void PerSecond::release(JobId job) {
  std::erase_if(claims_, [&](const Claim& claim) { return claim.job == job; });
}

// True if the reservation admits the user, and the stay overlaps it for no longer than allowed.
bool PerSecond::lets_in(const Block& block, const Credentials& who, Time start, Seconds duration) {
  const auto terms = block.access->admission({who});
  return terms.admitted &&
         std::min(start + duration, block.end) - std::max(start, block.start) <= terms.overlap;
}

int PerSecond::tasks_at(NodeId id, const Job& job, const Request& request,
                        const Requirement& requirement, Time when, Time start,
                        Seconds duration) const {
  const Node& node = cluster_.node(id);
  const NodeAccess mine = rule_on(node, request);
  Resources free = node.configured;
  free.add(cluster_.occupancy(id).withheld, -1);
  std::set<JobId> jobs, of_user;
  std::size_t kept_from_it = 0;  // reservations that keep something from the job
  std::vector<Claim> here;
  bool company = false, own = false;
  for (const Claim& claim : claims_) {
    if (claim.node != id || !at(claim.start, claim.end, when)) continue;
    free.add(claim.amount, -1);
    here.push_back(claim);
    if (claim.job == job.id) {
      own = true;
      continue;
    }
    company = true;
    jobs.insert(claim.job);
    if (claim.who.user == job.credentials.user) of_user.insert(claim.job);
    if (alone(claim.access)) return 0;
    const bool stranger = claim.who.user != job.credentials.user;
    if (stranger && (claim.access == NodeAccess::single_user || mine == NodeAccess::single_user))
      return 0;
  }
  // Reservations that admit the job keep nothing from it, whatever jobs work inside them.
  for (const Block& block : blocks_) {
    if (block.node != id || !at(block.start, block.end, when)) continue;
    const Seconds stay = request.by_speed ? duration : request.limit;
    if (lets_in(block, job.credentials, start, stay)) continue;
    // Admitted jobs work inside the reservation, so the resources they use are not kept twice.
    Resources kept = block.amount;
    for (Claim& claim : here)
      if (lets_in(block, claim.who, claim.start, claim.end - claim.start))
        common(kept, claim.amount, cluster_.consumables.size());
    if (kept.zero()) continue;
    free.add(kept, -1);
    company = true;
    ++kept_from_it;
  }
  if (alone(mine) && company) return 0;
  if (mine == NodeAccess::single_user && kept_from_it > 0) return 0;
  const auto reached = [](int most, std::size_t there) {
    return most > 0 && static_cast<int>(there) >= most;
  };
  if (reached(node.policy.max_jobs, jobs.size() + kept_from_it) ||
      reached(node.policy.max_jobs_per_user, of_user.size()))
    return 0;
  if (own && request.apart) return 0;  // each requirement has nodes of its own
  const int most = free.tasks_of(requirement.per_task);
  return mine == NodeAccess::single_task ? (own ? 0 : std::min(1, most)) : most;
}

int PerSecond::room(NodeId id, const Job& job, const Request& request,
                    const Requirement& requirement, Time start, Seconds duration) const {
  const Node& node = cluster_.node(id);
  ConsumableId initiator;
  if (requirement.job_class.valid())
    initiator = cluster_.consumables.find("class:" + cluster_.classes[requirement.job_class]);
  if (!allowed_.empty() && !allowed_[id.index()]) return 0;
  if (!node.available() && (down_for_ >= kUnlimited || start < now_ + down_for_)) return 0;
  if (cluster_.occupancy(id).closed && start < now_ + Seconds(60)) return 0;
  if (!attributes_serve(node, requirement, request, initiator)) return 0;
  int least = std::numeric_limits<int>::max();
  const Time last = std::min(start + duration, std::max(start, horizon()) + Seconds(1));
  for (Time when = start; when < last && least > 0; when = when + Seconds(1))
    least = std::min(least, tasks_at(id, job, request, requirement, when, start, duration));
  return least;
}

bool PerSecond::shape_is_right(const Request& request, const Requirement& wanted,
                               const std::vector<int>& shares) const {
  int used = 0, tasks = 0, odd = 0, least = wanted.tasks, most = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const bool host = std::count(request.host_list.begin(), request.host_list.end(), NodeId(i)) > 0;
    if (request.host_list_use == HostListUse::all_of && host && shares[i] == 0) return false;
    if (shares[i] == 0) continue;
    if (request.host_list_use == HostListUse::some_of && !host) return false;
    if (wanted.host.valid() && wanted.host != NodeId(i)) return false;
    if (std::count(request.excluded.begin(), request.excluded.end(), NodeId(i)) > 0) return false;
    ++used;
    tasks += shares[i];
    least = std::min(least, shares[i]);
    most = std::max(most, shares[i]);
    if (wanted.tasks_per_node > 0 && shares[i] != wanted.tasks_per_node) {
      ++odd;
      if (shares[i] != wanted.tasks % wanted.tasks_per_node) return false;
    }
  }
  if (tasks != wanted.tasks || odd > 1 || used < wanted.least_nodes) return false;
  if (wanted.nodes == 0) return true;
  if (!wanted.exact_nodes) return used <= wanted.nodes;
  return used == wanted.nodes && (wanted.tasks_per_node > 0 || most - least <= 1);
}

/// Tries every way to distribute `left` tasks over the nodes from `node` on.
template <class Accept>
bool PerSecond::some_shares(const Requirement& requirement, const std::vector<int>& rooms,
                            std::size_t node, int left, std::vector<int>& shares,
                            const Accept& accept) const {
  if (node == rooms.size()) return left == 0 && accept(shares);
  for (int share = std::min(left, rooms[node]); share >= 0; --share) {
    shares[node] = share;
    if (some_shares(requirement, rooms, node + 1, left - share, shares, accept)) return true;
  }
  return false;
}

bool PerSecond::fits_from(std::size_t index, const Job& job, const Request& request,
                          PartitionId partition, Time start, Seconds duration) {
  if (index == request.requirements.size()) return true;
  const Requirement& wanted = request.requirements[index];
  std::vector<int> rooms;
  for (const Node& node : cluster_.nodes())
    rooms.push_back(
        node.partition == partition ? room(node.id, job, request, wanted, start, duration) : 0);
  long long all = 0;
  for (int& one : rooms) all += one = std::min(one, wanted.tasks);
  if (all < wanted.tasks) return false;
  std::vector<int> shares(rooms.size());
  return some_shares(wanted, rooms, 0, wanted.tasks, shares, [&](const std::vector<int>& chosen) {
    if (!shape_is_right(request, wanted, chosen)) return false;
    if (index + 1 == request.requirements.size()) return true;
    Placement placement;
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (chosen[i] > 0)
        placement.push_back({NodeId(i), chosen[i], static_cast<std::uint32_t>(index)});
    const auto before = claims_;
    hold(job, request, placement, start);
    const bool rest = fits_from(index + 1, job, request, partition, start, duration);
    claims_ = before;
    return rest;
  });
}

/// Returns the possible speeds of a slowest node, if the limit depends on speed.
std::vector<double> PerSecond::lowest_speeds(const Request& request) const {
  std::set<double> speeds{0};
  if (request.by_speed)
    for (const Node& node : cluster_.nodes()) speeds.insert(node.speed);
  return {speeds.begin(), speeds.end()};
}

/// Returns the node sets to which the request may be confined.
std::vector<std::vector<char>> PerSecond::sets_of(const NodeSet& wanted) const {
  std::vector<std::vector<char>> sets;
  const auto add = [&](auto belongs) {
    std::vector<char> set;
    for (const Node& node : cluster_.nodes()) set.push_back(belongs(node));
    sets.push_back(set);
  };
  const auto listed = [&](const std::string& value) {
    return wanted.list.empty() || std::count(wanted.list.begin(), wanted.list.end(), value) > 0;
  };
  switch (wanted.attribute) {
    case NodeSetAttribute::feature:
      for (std::uint32_t f = 0; f < cluster_.features.size(); ++f)
        if (listed(cluster_.features.all()[f]))
          add([f](const Node& node) {
            return std::count(node.features.begin(), node.features.end(), FeatureId(f)) > 0;
          });
      break;
    case NodeSetAttribute::network:
      for (const char* name : {"hps", "via"})
        if (listed(name))
          add([name](const Node& node) {
            return std::count(node.networks.begin(), node.networks.end(), name) > 0;
          });
      break;
    case NodeSetAttribute::job_class:
      for (const std::string& name : cluster_.classes.all())
        if (listed(name))
          add([&](const Node& node) {
            return node.configured.get(cluster_.consumables.find("class:" + name)) > 0;
          });
      break;
    case NodeSetAttribute::memory:
      for (const Node& low : cluster_.nodes())
        if (listed(std::to_string(low.configured.memory())))
          add([&](const Node& node) {
            return node.configured.memory() == low.configured.memory();
          });
      break;
    case NodeSetAttribute::proc_speed:
      for (const Node& low : cluster_.nodes())
        if (listed(std::to_string(low.proc_speed)))
          add([&](const Node& node) {
            return listed(std::to_string(node.proc_speed)) && node.proc_speed >= low.proc_speed &&
                   node.proc_speed - low.proc_speed <= wanted.tolerance * low.proc_speed;
          });
      break;
  }
  if (wanted.policy != NodeSetPolicy::any_of || sets.empty()) return sets;
  for (const auto& set : sets)
    for (std::size_t i = 0; i < set.size(); ++i)
      sets[0][i] = static_cast<char>(sets[0][i] | set[i]);
  sets.resize(1);
  return sets;
}

/// Returns the node sets to try at that time, and all nodes if no set is needed (any longer).
std::vector<std::vector<char>> PerSecond::choices(const Job& job, const Request& request,
                                                  Time start) const {
  std::vector<std::vector<char>> all;
  if (request.node_set) all = sets_of(*request.node_set);
  if (!request.node_set || start >= job.eligible_since + request.node_set->delay)
    all.push_back(std::vector<char>(cluster_.nodes().size(), 1));
  return all;
}

bool PerSecond::fits(const Job& job, const Request& request, Time start, Seconds duration) {
  bool found = false;
  for (const auto& set : choices(job, request, start))
    for (const double speed : lowest_speeds(request)) {
      allowed_ = set;
      for (const Node& node : cluster_.nodes())
        if (node.speed < speed) allowed_[node.id.index()] = 0;
      if (request.by_speed && speed == 0) continue;
      const Seconds length = request.by_speed ? request.limit_at(speed) : duration;
      for (std::size_t p = 0; p < cluster_.partitions.size() && !found; ++p)
        found = fits_from(0, job, request, PartitionId(p), start, length);
    }
  allowed_.clear();
  return found;
}

Time PerSecond::horizon() const {
  Time last = now_;
  const auto look_at = [&](Time when) {
    if (when < kForever) last = std::max(last, when);
  };
  for (const Claim& claim : claims_) look_at(claim.start), look_at(claim.end);
  for (const Block& block : blocks_) look_at(block.start), look_at(block.end);
  if (down_for_ < kUnlimited) look_at(now_ + down_for_);
  for (const Node& node : cluster_.nodes())
    if (cluster_.occupancy(node.id).closed) look_at(now_ + Seconds(60));
  return last;
}

std::optional<Time> PerSecond::earliest(const Job& job, const Request& request, Time from,
                                        Time not_after) {
  Time last = std::max(from, horizon());
  if (request.node_set && request.node_set->delay < kUnlimited)
    last = std::max(last, job.eligible_since + request.node_set->delay);
  last = std::min(last, not_after);
  for (Time start = from; start <= last; start = start + Seconds(1))
    if (fits(job, request, start, request.limit)) return start;
  return std::nullopt;
}

std::optional<std::string> PerSecond::objection(const Job& job, const Request& request,
                                                const Placement& placement, Time start,
                                                Seconds duration) {
  const auto before = claims_;
  std::optional<std::string> wrong;
  double slowest = 1000;
  for (const NodeTasks& share : placement)
    slowest = std::min(slowest, cluster_.node(share.node).speed);
  if (request.by_speed) duration = request.limit_at(slowest);
  const auto sets = choices(job, request, start);
  const bool inside = std::any_of(sets.begin(), sets.end(), [&](const std::vector<char>& set) {
    return std::all_of(placement.begin(), placement.end(),
                       [&](const NodeTasks& share) { return set[share.node.index()] != 0; });
  });
  if (!inside) wrong = "it is in no node set";
  PartitionId partition;
  for (std::uint32_t i = 0; i < request.requirements.size() && !wrong; ++i) {
    const Requirement& wanted = request.requirements[i];
    std::vector<int> shares(cluster_.nodes().size());
    Placement part;
    for (const NodeTasks& share : placement) {
      if (share.requirement != i) continue;
      const Node& node = cluster_.node(share.node);
      if (shares[share.node.index()] != 0) wrong = node.name + " stands twice in the placement";
      if (share.tasks < 1) wrong = node.name + " has no task";
      if (partition.valid() && partition != node.partition) wrong = "it spans partitions";
      partition = node.partition;
      shares[share.node.index()] += share.tasks;
      if (room(node.id, job, request, wanted, start, duration) < share.tasks)
        wrong = node.name + " has no room for so many tasks";
      part.push_back(share);
    }
    if (!shape_is_right(request, wanted, shares))
      wrong = "requirement " + std::to_string(i) + " is not served";
    hold(job, request, part, start);
  }
  claims_ = before;
  return wrong;
}

std::optional<std::string> PerSecond::conflict() const {
  for (const Node& node : cluster_.nodes())
    for (Time when = now_; when <= horizon(); when = when + Seconds(1)) {
      Resources free = node.configured;
      std::map<JobId, const Claim*> jobs;
      bool lonely = false, owned = false, users = false;
      for (const Claim& claim : claims_) {
        if (claim.node != node.id || !at(claim.start, claim.end, when)) continue;
        free.add(claim.amount, -1);
        for (const auto& [id, other] : jobs) users = users || other->who.user != claim.who.user;
        jobs.emplace(claim.job, &claim);
        lonely = lonely || alone(claim.access);
        owned = owned || claim.access == NodeAccess::single_user;
      }
      const std::string where =
          node.name + " at second " + std::to_string((when - now_).raw()) + " ";
      for (std::size_t i = 0; i < cluster_.consumables.size(); ++i)
        if (free.get(ConsumableId(i)) < 0)
          return where + "has less than is dedicated of " + cluster_.consumables.all()[i];
      if (lonely && jobs.size() > 1) return where + "is dedicated and has company";
      if (owned && users) return where + "is one user's and another's";
    }
  return std::nullopt;
}

}  // namespace maui::test
