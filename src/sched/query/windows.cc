// Windows that are open for immediate use: showbf.
#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "base/sorted.h"
#include "model/manager_features.h"
#include "sched/availability/timeline.h"
#include "sched/placement/feasibility.h"
#include "sched/query/explain.h"
#include "sched/suspended.h"

namespace maui {
namespace {

// The processors of a node for immediate use: fewer and fewer as the duration grows.
struct Opening {
  NodeId node;
  std::vector<std::pair<Time, int>> steps;  // the processors from each time on, decreasing
};

class Openings {
 public:
  Openings(Timeline& timeline, const Cluster& cluster, const Settings& settings, Time now,
           const WindowQuery& query)
      : cluster_(cluster), timeline_(timeline) {
    timeline_.begin(cluster, settings, now, true);
    job_.credentials = query.who;
    request_.requirements = {query.requirement};
    request_.requirements.front().tasks = 1;
    request_.requirements.front().nodes = 0;
    request_.access.usual = settings.node_access;
    if (query.partition.valid()) request_.partitions = {query.partition};
    // A run without end shows the time limits of reservations.
    request_.limit = kUnlimited - Seconds(1);
    keep_for_suspended(timeline_, cluster, settings, job_);
    auto& sets = timeline_.access_sets();
    find_spans(query.everything ? sets.all() : sets.open_to(job_, request_, query.any));
  }

  NodeReason lasting(NodeId node) const {
    const auto reason = mismatch(cluster_, node, request_, request_.requirements.front());
    if (reason != NodeReason::none) return reason;
    const auto state = cluster_.state(node);
    return state == NodeState::idle || state == NodeState::running ? NodeReason::none
                                                                   : NodeReason::state;
  }

  Resources free_now(NodeId node) {
    return timeline_.model().free_on(node, question_on(node), spans_.front().set);
  }

  Opening of(NodeId node) {
    Opening opening{node, {}};
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      const auto end = i + 1 < spans_.size() ? spans_[i + 1].from : kForever;
      const auto question = question_on(node);
      const auto note = [&](Time from, int tasks) {
        const int procs = tasks * request_.requirements[0].per_task.procs();
        if (opening.steps.empty() || procs != opening.steps.back().second)
          opening.steps.emplace_back(from, procs);
      };
      // The least room so far, since the start of the span.
      int least = std::numeric_limits<int>::max();
      bool noted = false;
      for (const auto& [from, tasks] : timeline_.model().room_on(node, question, spans_[i].set)) {
        if (from >= end) break;
        if (from > spans_[i].from && !std::exchange(noted, true)) note(spans_[i].from, least);
        least = std::min(least, tasks);
        if (noted) note(from, least);
      }
      if (!noted) note(spans_[i].from, least);
    }
    return opening;
  }

  /// Returns the priority reservation that begins at that time on the node, or an invalid id.
  ReservationId begins(NodeId node, Time when) const {
    for (const auto& held : timeline_.held()) {
      const auto parts = held.placement.parts();
      if (held.start == when &&
          std::any_of(parts.begin(), parts.end(),
                      [&](const Placement::Part& part) { return part.nodes.contains(node); }))
        return held.of->reservation;
    }
    return {};
  }
  /// True if the reservation admits jobs that stay until after that time.
  bool admits(ReservationId id, Time until) {
    const auto after = std::find_if(spans_.rbegin(), spans_.rend(),
                                    [&](const Span& span) { return span.from <= until; });
    return timeline_.access_sets().admits(after->set, id);
  }

 private:
  RequirementQuestion question_on(NodeId node) const {
    return {job_, request_, 0, cluster_.node(node).partition, request_.limit};
  }

  struct Span {  // the access set of jobs that stay until after `from`
    Time from{0};
    AccessSet set = 0;
  };

  // The longer a job runs, the fewer reservations admit it.
  void find_spans(AccessSet set) {
    auto& sets = timeline_.access_sets();
    const Time now = timeline_.now();
    spans_.push_back({now, 0});
    for (const auto id : cluster_.reservations()) {
      const auto* terms = sets.terms(set, id);
      if (!terms || terms->overlap >= kUnlimited) continue;
      const auto& reservation = cluster_.reservation(id);
      const Time last = std::max(now, reservation.start) + terms->overlap;
      if (last < reservation.end) spans_.push_back({last, 0});
    }
    std::sort(spans_.begin(), spans_.end(),
              [](const Span& a, const Span& b) { return a.from < b.from; });
    for (auto& span : spans_) span.set = sets.when(set, now, span.from - now + Seconds(1));
  }

  const Cluster& cluster_;
  Timeline& timeline_;
  Job job_;
  Request request_;
  std::vector<Span> spans_;
};

/// Leaves out a window where another manager's of the same partition is at least as wide and as
/// long; puts the widest first, partition by partition.
std::vector<BackfillWindow> best_of(std::vector<BackfillWindow> windows) {
  std::stable_sort(windows.begin(), windows.end(),
                   [](const BackfillWindow& a, const BackfillWindow& b) {
                     return std::tuple(a.partition, b.procs, b.nodes, b.duration) <
                            std::tuple(b.partition, a.procs, a.nodes, a.duration);
                   });
  std::vector<BackfillWindow> best;
  // The longest window with so many nodes or more, of those before: fewer nodes last longer.
  std::map<int, Seconds> longest;
  for (const BackfillWindow& window : windows) {
    if (!best.empty() && best.back().partition != window.partition) longest.clear();
    auto at = longest.lower_bound(window.nodes);
    if (at != longest.end() && at->second >= window.duration) continue;
    while (at != longest.begin() && std::prev(at)->second <= window.duration)
      longest.erase(std::prev(at));
    longest[window.nodes] = window.duration;
    best.push_back(window);
  }
  return best;
}

}  // namespace

std::vector<BackfillWindow> backfill_windows(const Cluster& cluster, const Settings& settings,
                                             Time now, const WindowQuery& query) {
  return Questions(cluster, settings, now).backfill_windows(query);
}

std::vector<BackfillWindow> Questions::backfill_windows(const WindowQuery& query) {
  Openings openings(*timeline_, cluster_, settings_, now_, query);
  // A job gets nodes of one partition, and of one resource manager.
  std::map<std::pair<PartitionId, FeatureId>, std::vector<Opening>> together;
  for (const auto id : cluster_.open_nodes()) {
    if (openings.lasting(id) != NodeReason::none) continue;
    const Node& node = cluster_.node(id);
    together[{node.partition, manager_feature_of(cluster_, node)}].push_back(openings.of(id));
  }

  std::vector<BackfillWindow> windows;
  for (const auto& [where, nodes] : together) {
    const PartitionId partition = where.first;
    std::vector<Time> ends{kForever};
    for (const auto& opening : nodes)
      for (std::size_t i = 1; i < opening.steps.size(); ++i) ends.push_back(opening.steps[i].first);
    sort_unique(ends);
    for (const auto end : ends) {
      BackfillWindow window{partition, 0, 0, end == kForever ? kUnlimited : end - now_};
      for (const auto& opening : nodes) {
        int procs = 0;
        for (const auto& [from, most] : opening.steps)
          if (from < end) procs = most;
        window.procs += procs;
        window.nodes += procs > 0 ? 1 : 0;
      }
      if (window.procs > 0 && window.duration >= query.at_least &&
          window.procs >= query.requirement.tasks && window.nodes >= query.requirement.nodes)
        windows.push_back(window);
    }
  }
  return best_of(std::move(windows));
}

std::vector<WindowNode> window_nodes(const Cluster& cluster, const Settings& settings, Time now,
                                     const WindowQuery& query) {
  return Questions(cluster, settings, now).window_nodes(query);
}

std::vector<WindowNode> Questions::window_nodes(const WindowQuery& query) {
  Openings openings(*timeline_, cluster_, settings_, now_, query);
  std::vector<WindowNode> result;
  for (const auto& node : cluster_.nodes()) {
    if (node.purged) continue;
    WindowNode entry{node.id,    openings.lasting(node.id),        0,
                     Seconds(0), cluster_.occupancy(node.id).free, {}};
    if (entry.reason == NodeReason::none) {
      entry.free = openings.free_now(node.id);
      const auto opening = openings.of(node.id);
      entry.procs = opening.steps.front().second;
      if (entry.procs == 0) {
        entry.reason = NodeReason::reserve_time;
      } else {
        const bool ends = opening.steps.size() > 1;
        entry.duration = ends ? opening.steps[1].first - now_ : kUnlimited;
      }
      // Finds the reservation that begins when the window ends.
      const Time when =
          entry.procs == 0 || opening.steps.size() < 2 ? now_ : opening.steps[1].first;
      for (const auto id : cluster_.occupancy(node.id).reservations) {
        const auto& reservation = cluster_.reservation(id);
        if (reservation.kind != ReservationKind::job && reservation.start <= when &&
            when < reservation.end && !openings.admits(id, when))
          entry.blocked_by = id;
      }
      if (when > now_)
        if (const auto id = openings.begins(node.id, when); id.valid()) entry.blocked_by = id;
    }
    result.push_back(entry);
  }
  return result;
}

}  // namespace maui
