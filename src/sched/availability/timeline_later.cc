// The earliest moment at which something fits: one walk forward in time.
//
// Two streams of changes are merged: ends of active jobs, of which the cluster
// keeps a sorted list, for nodes without a line; and, for nodes with a line, the
// moments at which they gain or lose room for a start.
#include <algorithm>

#include "sched/availability/timeline.h"
#include "sched/partition_policies.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/requirement_fit.h"

namespace maui {
// Room for starts on the nodes of one partition, as time goes on.
class Timeline::Sweep {
 public:
  Sweep(Timeline& timeline, const Ask& ask, PartitionId partition, Time bound);

  /// The first moment in [from, bound] at which the requirement is met.
  std::optional<Time> run(Time from);
  /// What the nodes offer at the moment that run() found.
  std::vector<Offer> offers(Time start) const;

 private:
  bool usable(NodeId node) const {
    return kinds_[timeline_.cluster_->occupancy(node).kind] &&
           in_reach(*ask_.request, timeline_.cluster_->node(node).partition, partition_) &&
           timeline_.returns(timeline_.cluster_->node(node)) && ask_.request->may_use(node);
  }
  void set_tasks(NodeId node, int tasks, Time when);
  bool met() const {
    return need_.met() && (ask_.request->host_list_use != HostListUse::all_of ||
                           hosts_ == ask_.request->host_list.size());
  }
  void release_ends(std::span<const Active> ended, Time when);

  Timeline& timeline_;
  const Ask& ask_;
  PartitionId partition_;
  Time bound_;
  const std::vector<char>& kinds_;
  Need need_;
  std::size_t hosts_ = 0;  // listed hosts with room
  std::vector<Room>& rooms_;
  std::vector<NodeId>& seen_;
  std::vector<Event>& events_;
};

Timeline::Sweep::Sweep(Timeline& timeline, const Ask& ask, PartitionId partition, Time bound)
    : timeline_(timeline),
      ask_(ask),
      partition_(partition),
      bound_(bound),
      kinds_(*ask.kinds),
      need_(*ask.requirement),
      rooms_(timeline.rooms_),
      seen_(timeline.seen_),
      events_(timeline.events_) {
  for (const auto node : seen_) rooms_[node.index()] = {};
  seen_.clear();
  events_.clear();
  rooms_.resize(timeline_.cluster_->nodes().size());
}

void Timeline::Sweep::set_tasks(NodeId node, int tasks, Time when) {
  auto& room = rooms_[node.index()];
  if (!room.seen) {
    room.seen = true;
    seen_.push_back(node);
  }
  if (tasks == room.tasks) return;
  if (tasks > room.tasks) room.since = when;
  if (when <= timeline_.now_) room.at_first = tasks;
  need_.change(room.tasks, tasks);
  if ((room.tasks > 0) != (tasks > 0) && ask_.request->host_list_use == HostListUse::all_of &&
      ask_.request->lists(node))
    hosts_ += tasks > 0 ? std::size_t{1} : ~std::size_t{0};
  room.tasks = tasks;
}

void Timeline::Sweep::release_ends(std::span<const Active> ended, Time when) {
  for (const auto& row : ended)
    for (const auto& share : timeline_.cluster_->job(row.job).placement)
      if (!timeline_.lined(share.node) && usable(share.node))
        set_tasks(share.node, timeline_.simple_tasks(share.node, ask_, when), when);
}

std::optional<Time> Timeline::Sweep::run(Time from) {
  const auto now = timeline_.now_;
  for (const auto node : timeline_.lined_)
    if (usable(node)) timeline_.starts_of(node, ask_, bound_);
  std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
    return a.when != b.when ? a.when < b.when : a.node < b.node;
  });
  for (const auto node : timeline_.cluster_->open_nodes())
    if (!timeline_.lined(node) && usable(node))
      set_tasks(node, timeline_.simple_tasks(node, ask_, now), now);

  const auto active = timeline_.cluster_->active();
  const auto ends = [&](std::size_t i) { return std::max(active[i].ends, now + Seconds(1)); };
  std::size_t event = 0, end = 0;
  bool checked = false;  // the moment `from` itself
  for (;;) {
    const auto next_event = event < events_.size() ? events_[event].when : kForever;
    const auto next_end = end < active.size() ? ends(end) : kForever;
    const auto when = std::min(next_event, next_end);
    if (!checked && when > from) {
      if (met()) return from;
      checked = true;
    }
    if (when > bound_ || when >= kForever) return std::nullopt;
    for (; event < events_.size() && events_[event].when == when; ++event)
      set_tasks(events_[event].node, events_[event].tasks, when);
    const auto first = end;
    while (end < active.size() && ends(end) == when) ++end;
    release_ends(active.subspan(first, end - first), when);
    if (when >= from && met()) return when;
  }
}

std::vector<Offer> Timeline::Sweep::offers(Time start) const {
  std::vector<Offer> found;
  const auto policy = node_allocation(*timeline_.cluster_, *timeline_.settings_, partition_);
  const bool in_time = policy == NodeAllocation::last_available || policy == NodeAllocation::local;
  for (const auto node : seen_) {
    const auto& room = rooms_[node.index()];
    if (room.tasks == 0) continue;
    Offer offer{node,       room.tasks, room.at_first,
                room.since, kForever,   timeline_.affinity_on(node, ask_, start)};
    if (in_time) offer.until = timeline_.room_until(node, ask_, start + ask_.duration, room.tasks);
    found.push_back(offer);
  }
  return found;
}

int Timeline::simple_tasks(NodeId node, const Ask& ask, Time when) {
  if (sets_->confined(ask.set)) return 0;  // no reservation is there
  const auto& here = cluster_->occupancy(node);
  scratch_.reset(now_, here.free, consumables_);
  auto& presence = scratch_.level(0).presence;
  const auto free = scratch_.free(0);
  const auto& policy = cluster_->node(node).policy;
  int of_user = 0;
  for (const auto& occupant : here.occupants) {
    if (end_of(occupant) <= when) {
      for (const auto& need : *ask.size)
        free[need.first] += occupant.amount.get(ConsumableId(need.first));
      continue;
    }
    ++presence.jobs;
    if (policy.max_jobs > 0) ++presence.limited;
    if (occupant.user == ask.user) ++of_user;
    if (exclusive(occupant.access)) ++presence.exclusive;
    presence.several =
        presence.several || (presence.user.valid() && presence.user != occupant.user);
    presence.user = occupant.user;
    if (occupant.access == NodeAccess::single_user) presence.owner = occupant.user;
  }
  if (policy.max_jobs_per_user > 0 && of_user >= policy.max_jobs_per_user) return 0;
  return tasks_at(scratch_, 0, ask, terms_on(node, ask));
}

// The moments from which on another set of reservations admits a job that starts: where it can end
// within a time limit no longer, and where it can begin within one.
std::vector<Time> Timeline::cuts(NodeId node, const Ask& ask) const {
  std::vector<Time> when{now_};
  if (!sets_->limited(ask.set)) return when;
  for (const auto& block : filled_line(node).all.blocks) {
    const auto* terms = sets_->terms(ask.set, block.reservation);
    if (!terms || terms->overlap >= kUnlimited) continue;
    when.push_back(block.start + terms->overlap - ask.duration + Seconds(1));
    if (block.end < kForever) when.push_back(block.end - terms->overlap);
  }
  std::erase_if(when, [this](Time one) { return one < now_; });
  std::sort(when.begin(), when.end());
  when.erase(std::unique(when.begin(), when.end()), when.end());
  return when;
}

void Timeline::starts_of(NodeId node, const Ask& ask, Time bound) {
  const auto from = cuts(node, ask);
  int last = 0;
  for (std::size_t i = 0; i < from.size() && from[i] <= bound; ++i) {
    Ask then = ask;
    then.set = sets_->when(ask.set, from[i], ask.duration);
    const Time until = i + 1 < from.size() ? from[i + 1] - Seconds(1) : kForever;
    last = starts_within(node, then, from[i], std::min(until, bound), last);
  }
}

// Where a start at t leaves room for its whole duration: the least room in [t, t + duration).
int Timeline::starts_within(NodeId node, const Ask& ask, Time from, Time bound, int last) {
  const auto& profile = seen_by(node, ask, scratch_);
  const auto terms = terms_on(node, ask);
  auto& room = room_scratch_;  // from when, how many tasks at that moment
  room.clear();
  for (std::size_t i = 0; i < profile.size(); ++i) {
    if (i > 0 && bound < kForever && profile.level(i).from >= bound + ask.duration) break;
    const int tasks = tasks_at(profile, i, ask, terms);
    if (room.empty() || tasks != room.back().second)
      room.emplace_back(profile.level(i).from, tasks);
  }
  if (room.size() == 1) {
    if (room.front().second != last) events_.push_back({from, node, room.front().second});
    return room.front().second;
  }
  // The answer changes where room grows, and one duration before it shrinks.
  auto& times = times_scratch_;
  times.assign(1, from);
  for (std::size_t i = 1; i < room.size(); ++i) {
    const bool grows = room[i].second > room[i - 1].second;
    const Time when = grows ? room[i].first : room[i].first - ask.duration + Seconds(1);
    if (when > from && when <= bound) times.push_back(when);
  }
  std::sort(times.begin(), times.end());
  std::size_t first = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (i > 0 && times[i] == times[i - 1]) continue;
    while (first + 1 < room.size() && room[first + 1].first <= times[i]) ++first;
    int least = room[first].second;
    for (auto j = first + 1; j < room.size() && room[j].first < times[i] + ask.duration; ++j)
      least = std::min(least, room[j].second);
    if (least != last) events_.push_back({times[i], node, least});
    last = least;
  }
  return last;
}

std::optional<Slot> Timeline::earliest(const Job& job, const Request& request, Time from,
                                       Time not_after) {
  from = std::max(from, now_);
  if (sets_->nowhere(sets_->of(job, request))) return std::nullopt;
  if (!request.node_set && !request.by_speed)
    return earliest_one_way(job, request, from, not_after);
  return earliest_by_ways(job, request, from, not_after, [&](Time first, Time last) {
    return earliest_one_way(job, request, first, last);
  });
}

std::optional<Slot> Timeline::earliest_one_way(const Job& job, const Request& request, Time from,
                                               Time not_after) {
  if (request.requirements.size() > 1) return earliest_several(job, request, from, not_after);
  if (held_.empty()) return earliest_one(ask(job, request), from, not_after);
  // No moment before that can be one.
  const auto first = first_by_count(request, from, not_after);
  if (!first) return std::nullopt;
  if (interchangeable(request)) {
    const auto asked = ask(job, request);
    auto placement = choose(asked, offers_during(asked, PartitionId(0U), *first), *first);
    if (!placement) placement = rearrange(job, request, *first);
    if (placement) return Slot{*first, PartitionId(0U), std::move(*placement)};
  }
  return earliest_one(ask(job, request), *first, not_after);
}

std::optional<Slot> Timeline::earliest_one(const Ask& ask, Time from, Time not_after) {
  const auto in = [&](PartitionId partition, Time bound) -> std::optional<Slot> {
    for (Time start = from; start <= bound;) {
      Sweep sweep(*this, ask, partition, bound);
      const auto met = sweep.run(start);
      if (!met) break;
      if (auto placement = choose(ask, sweep.offers(*met), *met))
        return Slot{*met, partition, std::move(*placement)};
      // Enough room, but not of the shape that host lists ask for.
      start = next_change(*met, ask.set);
    }
    return std::nullopt;
  };
  return first_in_partitions(*ask.of, *ask.request, from, not_after, in);
}

Time Timeline::next_change(Time after, AccessSet set) const {
  Time next = kForever;
  const auto look_at = [&](Time when) {
    if (when > after) next = std::min(next, when);
  };
  for (const auto node : lined_) {
    const auto& all = lines_[line_index_[node.index()]].all;
    for (const auto& use : all.uses) look_at(use.start), look_at(use.end);
    for (const auto& block : all.blocks) {
      look_at(block.start), look_at(block.end);
      if (const auto* terms = sets_->terms(set, block.reservation); terms && block.end < kForever)
        look_at(block.end - terms->overlap);
    }
  }
  for (const auto& row : cluster_->active()) {
    const auto end = std::max(row.ends, now_ + Seconds(1));
    if (end > after) return std::min(next, end);
  }
  return next;
}

Time Timeline::first_room(const Ask& ask, PartitionId partition, Time from, Time bound) {
  return Sweep(*this, ask, partition, bound).run(from).value_or(kForever);
}

std::vector<Offer> Timeline::offers_at(const Ask& ask, PartitionId partition, Time start) const {
  std::vector<Offer> offers;
  for (const auto& node : cluster_->nodes()) {
    if (!in_reach(*ask.request, node.partition, partition) || !returns(node)) continue;
    Offer offer;
    offer.node = node.id;
    offer.tasks = tasks_on(node.id, ask, start);
    if (offer.tasks == 0) continue;
    offer.affinity = affinity_on(node.id, ask, start);
    offer.until = room_until(node.id, ask, start + ask.duration, offer.tasks);
    offers.push_back(offer);
  }
  return offers;
}

}  // namespace maui
