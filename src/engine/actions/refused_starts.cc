// Starts that the resource manager refuses for what passes by itself: when, and where, such a job
// is tried again.
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/sorted.h"
#include "engine/state.h"
#include "sched/placement/feasibility.h"

namespace maui {
namespace {

constexpr Seconds kFirst{5}, kLongest{300};

std::vector<NodeId> without(const std::vector<NodeId>& all, const std::vector<NodeId>& some) {
  std::vector<NodeId> left;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(left));
  return left;
}

}  // namespace

/// The job is looked at again with the next answer; refused in a row, ever more seldom, unless it
/// goes to other nodes each time.
void Engine::State::wait_until_it_passes(JobId id, const std::string& why,
                                         std::vector<NodeId> nodes, bool elsewhere) {
  cluster.set_waits_for(id, why);
  const auto arrival = cluster.job(id).arrival;
  auto known = std::find_if(
      refused_for_now.begin(), refused_for_now.end(),
      [&](const RefusedForNow& one) { return one.job == id && one.arrival == arrival; });
  const bool first = known == refused_for_now.end();
  if (first) {
    RefusedForNow one;
    one.job = id;
    one.arrival = arrival;
    one.again = now();
    known = refused_for_now.insert(known, std::move(one));
  }
  const bool in_a_row = !first && now() - known->again <= kLongest;
  known->why = why;
  known->nodes = std::move(nodes);
  const bool others = elsewhere && try_elsewhere(*known);
  if (!in_a_row)
    known->pause = Seconds(0);
  else if (others)
    known->pause = kFirst;
  else
    known->pause = std::clamp(known->pause * 2, kFirst, kLongest);
  known->again = now() + known->pause;
}

/// Keeps the job for a while from spreading over more nodes than it must, since the server may know
/// of a most that it does not tell; or else from the nodes where it was refused.  False if then no
/// nodes would do; it may go anywhere again.
bool Engine::State::try_elsewhere(RefusedForNow& refused) {
  const JobId id = refused.job;
  const Job& job = cluster.job(id);
  Request request = cluster.request_of(id);
  Requirement& one = request.requirements.front();
  std::vector<NodeId> nodes = refused.nodes;
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  const int fewest = std::max(1, one.least_nodes);
  if (request.requirements.size() == 1 && one.nodes == 0 && std::ssize(nodes) > fewest) {
    one.nodes = fewest;
    if (ever_feasible(cluster, job, request)) {
      refused.on_fewest = true;
      refused.avoided_until = now() + kLongest;
      set_request(id, std::move(request));
      return true;
    }
    one.nodes = 0;
  }
  for (const NodeId node : without(nodes, request.excluded)) {
    add_sorted(refused.avoided, node);
    add_sorted(request.excluded, node);
  }
  if (ever_feasible(cluster, job, request)) {
    refused.avoided_until = now() + kLongest;
    set_request(id, std::move(request));
    return true;
  }
  allow_again(refused, refused.avoided);
  return avoid_one(refused, nodes);
}

/// The job needs some of the nodes where it was refused: it is kept from one of them, each time
/// from another.  False if it has had its turn with each.
bool Engine::State::avoid_one(RefusedForNow& refused, const std::vector<NodeId>& nodes) {
  if (nodes.size() < 2) return false;
  const Job& job = cluster.job(refused.job);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeId node = nodes[refused.turns++ % nodes.size()];
    Request request = cluster.request_of(refused.job);
    add_sorted(request.excluded, node);
    if (!ever_feasible(cluster, job, request)) continue;
    refused.avoided = {node};
    refused.avoided_until = now() + kLongest;
    set_request(refused.job, std::move(request));
    return refused.turns <= nodes.size();
  }
  return false;
}

/// Requires that the job waits.
void Engine::State::allow_again(RefusedForNow& refused, const std::vector<NodeId>& nodes) {
  const std::vector<NodeId> allowed = without(refused.avoided, without(refused.avoided, nodes));
  if (allowed.empty()) return;
  refused.avoided = without(refused.avoided, allowed);
  Request request = cluster.request_of(refused.job);
  const auto left = without(request.excluded, allowed);
  if (left == request.excluded) return;  // it has asked for something else since
  request.excluded = left;
  set_request(refused.job, std::move(request));
}

void Engine::State::allow_all_again(RefusedForNow& refused) {
  allow_again(refused, std::vector(refused.avoided));
  refused.avoided_until = kForever;
  if (!std::exchange(refused.on_fewest, false)) return;
  Request request = cluster.request_of(refused.job);
  request.requirements.front().nodes = 0;
  set_request(refused.job, std::move(request));
}

/// A job has left these nodes: who was refused there may try them again.
void Engine::State::note_room(const Placement& nodes) {
  if (refused_for_now.empty()) return;
  std::vector<NodeId> left;
  for (const NodeTasks& share : nodes) add_sorted(left, share.node);
  for (RefusedForNow& one : refused_for_now)
    if (still(one.job, one.arrival) && cluster.job(one.job).waiting()) allow_again(one, left);
}

/// Forgets why starts were refused for now, since that may have passed: the reports count again.
void Engine::State::look_again() {
  std::erase_if(refused_for_now, [this](RefusedForNow& one) {
    if (!still(one.job, one.arrival)) return true;
    const Job& job = cluster.job(one.job);
    if (job.state == JobState::running || job.state == JobState::suspended)
      return one.avoided.empty() && !one.on_fewest;  // else until it waits again
    if (!job.waiting()) return false;
    if (one.avoided_until <= now()) allow_all_again(one);
    if (one.again <= now() && job.waits_for == one.why) cluster.set_waits_for(one.job, {});
    return false;
  });
}

}  // namespace maui
