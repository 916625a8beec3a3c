#include "engine/actions/refused_starts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/sorted.h"
#include "sched/placement/feasibility.h"

namespace maui {
namespace {

constexpr Seconds kFirst{5}, kLongest{300};
// How often in a row other nodes are tried soon.  Without a limit, a job that every node refuses
// would be tried for ever.
constexpr int kSoonElsewhere = 5;

std::vector<NodeId> without(const std::vector<NodeId>& all, const std::vector<NodeId>& some) {
  std::vector<NodeId> left;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(left));
  return left;
}

bool same_owner(const Job& job, const Job& other) {
  return job.resource_manager == other.resource_manager &&
         job.credentials.user == other.credentials.user;
}

}  // namespace

void RefusedStarts::add(Cluster& cluster, JobId id, const std::string& why,
                        std::vector<NodeId> nodes, Obstacle obstacle, Time now,
                        const SetRequest& set_request) {
  cluster.set_waits_for(id, why);
  const auto arrival = cluster.job(id).arrival;
  auto known = std::find_if(all_.begin(), all_.end(), [&](const Refused& refused) {
    return refused.job == id && refused.arrival == arrival;
  });
  const bool first = known == all_.end();
  if (first) {
    Refused refused;
    refused.job = id;
    refused.arrival = arrival;
    refused.again = now;
    known = all_.insert(known, std::move(refused));
  }
  const bool in_a_row = !first && now - known->again <= kLongest;
  known->why = why;
  known->nodes = std::move(nodes);
  known->obstacle = obstacle;
  const bool others =
      obstacle == Obstacle::there && try_elsewhere(cluster, *known, now, set_request);
  if (!in_a_row) known->sent_elsewhere = 0;
  if (!in_a_row)
    known->pause = known->waits_for_owner() ? kFirst : Seconds(0);
  else if (others && ++known->sent_elsewhere <= kSoonElsewhere)
    known->pause = kFirst;
  else
    known->pause = std::clamp(known->pause * 2, kFirst, kLongest);
  known->again = now + known->pause;
}

/// Restricts the job for a while to the fewest nodes it needs, since the server may have a maximum
/// that it does not report; else excludes the nodes where it was refused.  Returns false if no
/// nodes would remain; the job may then use any node.
bool RefusedStarts::try_elsewhere(const Cluster& cluster, Refused& refused, Time now,
                                  const SetRequest& set_request) {
  const JobId id = refused.job;
  const Job& job = cluster.job(id);
  Request request = cluster.request_of(id);
  Requirement& requirement = request.requirements.front();
  std::vector<NodeId> nodes = refused.nodes;
  sort_unique(nodes);
  const int fewest = std::max(1, requirement.least_nodes);
  if (request.requirements.size() == 1 && requirement.nodes == 0 && std::ssize(nodes) > fewest) {
    requirement.nodes = fewest;
    if (ever_feasible(cluster, job, request)) {
      refused.on_fewest = true;
      refused.avoided_until = now + kLongest;
      set_request(id, std::move(request));
      return true;
    }
    requirement.nodes = 0;
  }
  for (const NodeId node : without(nodes, request.excluded)) {
    add_sorted(refused.avoided, node);
    add_sorted(request.excluded, node);
  }
  if (ever_feasible(cluster, job, request)) {
    refused.avoided_until = now + kLongest;
    set_request(id, std::move(request));
    return true;
  }
  allow_again(cluster, refused, refused.avoided, set_request);
  return avoid_one(cluster, refused, nodes, now, set_request);
}

/// For a job that needs some of the nodes where it was refused: excludes one of them, another each
/// time.  Returns false after each has been excluded once.
bool RefusedStarts::avoid_one(const Cluster& cluster, Refused& refused,
                              const std::vector<NodeId>& nodes, Time now,
                              const SetRequest& set_request) {
  if (nodes.size() < 2) return false;
  const Job& job = cluster.job(refused.job);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeId node = nodes[refused.turns++ % nodes.size()];
    Request request = cluster.request_of(refused.job);
    add_sorted(request.excluded, node);
    if (!ever_feasible(cluster, job, request)) continue;
    refused.avoided = {node};
    refused.avoided_until = now + kLongest;
    set_request(refused.job, std::move(request));
    return refused.turns <= nodes.size();
  }
  return false;
}

/// Requires that the job waits.
void RefusedStarts::allow_again(const Cluster& cluster, Refused& refused,
                                const std::vector<NodeId>& nodes, const SetRequest& set_request) {
  const std::vector<NodeId> allowed = without(refused.avoided, without(refused.avoided, nodes));
  if (allowed.empty()) return;
  refused.avoided = without(refused.avoided, allowed);
  Request request = cluster.request_of(refused.job);
  const auto left = without(request.excluded, allowed);
  if (left == request.excluded) return;  // its request has changed since
  request.excluded = left;
  set_request(refused.job, std::move(request));
}

void RefusedStarts::allow_all_again(const Cluster& cluster, Refused& refused,
                                    const SetRequest& set_request) {
  allow_again(cluster, refused, std::vector(refused.avoided), set_request);
  refused.avoided_until = kForever;
  if (!std::exchange(refused.on_fewest, false)) return;
  Request request = cluster.request_of(refused.job);
  request.requirements.front().nodes = 0;
  set_request(refused.job, std::move(request));
}

void RefusedStarts::revised(JobId job) {
  for (Refused& refused : all_)
    if (refused.job == job) {
      refused.avoided.clear();
      refused.on_fewest = false;
    }
}

void RefusedStarts::forget_why(Cluster& cluster, const Refused& refused) {
  if (cluster.job(refused.job).waits_for == refused.why) cluster.set_waits_for(refused.job, {});
}

void RefusedStarts::note_room(Cluster& cluster, const Job& left, const SetRequest& set_request) {
  if (all_.empty()) return;
  std::vector<NodeId> nodes;
  for (const NodeTasks& share : left.placement) add_sorted(nodes, share.node);
  const bool empty = std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
    return cluster.occupancy(node).occupants.empty();
  });
  for (Refused& refused : all_) {
    if (!cluster.still(refused.job, refused.arrival) || !cluster.job(refused.job).waiting())
      continue;
    allow_again(cluster, refused, nodes, set_request);
    if (std::erase(refused.tasks, std::pair(left.id, left.arrival)) > 0 && refused.array_full()) {
      forget_why(cluster, refused);
      refused.again = Time(0);
    } else if (refused.waits_for_owner() ? same_owner(cluster.job(refused.job), left) : empty) {
      refused.again = std::min(refused.again, refused.again - refused.pause + kFirst);
    }
  }
}

void RefusedStarts::forgive_task(Cluster& cluster, const Job& runs,
                                 const std::vector<NodeId>& nodes) {
  const auto rest = std::find_if(all_.begin(), all_.end(), [&](const Refused& refused) {
    if (!cluster.still(refused.job, refused.arrival)) return false;
    const Job& job = cluster.job(refused.job);
    return job.waiting() && same_owner(job, runs) &&
           std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) {
             return std::find(refused.nodes.begin(), refused.nodes.end(), node) !=
                    refused.nodes.end();
           });
  });
  if (rest == all_.end()) return;
  if (rest->array_full()) {
    rest->tasks.emplace_back(runs.id, runs.arrival);
    return;
  }
  forget_why(cluster, *rest);
  if (rest->avoided.empty() && !rest->on_fewest)
    all_.erase(rest);
  else
    rest->again = Time(0);  // the task's nodes may have no space for another task
}

void RefusedStarts::look_again(Cluster& cluster, Time now, const SetRequest& set_request) {
  std::erase_if(all_, [&](Refused& refused) {
    if (!cluster.still(refused.job, refused.arrival)) return true;
    const Job& job = cluster.job(refused.job);
    if (job.state == JobState::running || job.state == JobState::suspended)
      return refused.avoided.empty() && !refused.on_fewest;  // else kept until it waits again
    if (!job.waiting()) return false;
    if (refused.avoided_until <= now) allow_all_again(cluster, refused, set_request);
    if (refused.again <= now) forget_why(cluster, refused);
    return false;
  });
}

bool RefusedStarts::keeps(const Cluster& cluster, JobId job, Time now) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Refused& refused) {
    return refused.job == job && cluster.still(job, refused.arrival) && refused.again > now &&
           cluster.job(job).waits_for == refused.why;
  });
}

Time RefusedStarts::next(const Cluster& cluster, Time now) const {
  Time next = kForever;
  for (const Refused& refused : all_)
    if (cluster.still(refused.job, refused.arrival) && cluster.job(refused.job).waiting() &&
        cluster.job(refused.job).waits_for == refused.why)
      next = std::min(next, std::max(refused.again, now + Seconds(1)));
  return next;
}

void RefusedStarts::shift(Seconds by) {
  for (Refused& refused : all_) {
    refused.again = refused.again + by;
    if (refused.avoided_until < kForever) refused.avoided_until = refused.avoided_until + by;
  }
}

}  // namespace maui
