#include "sched/timeline.h"

#include <algorithm>

#include "sched/feasibility.h"

namespace maui {
namespace {

constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};

std::size_t mix(std::size_t seed, std::uint64_t value) {
  return (seed ^ static_cast<std::size_t>(value)) * 0x9e3779b97f4a7c15ULL + (seed >> 29);
}

std::size_t hash_of(std::uint32_t kind, const Moment& moment) {
  auto hash = mix(kind, static_cast<std::uint32_t>(moment.free.procs()));
  hash = mix(hash, static_cast<std::uint32_t>(moment.free.memory()));
  hash = mix(hash, static_cast<std::uint32_t>(moment.free.swap()));
  hash = mix(hash, static_cast<std::uint32_t>(moment.free.disk()));
  for (const auto& [what, amount] : moment.free.extra())
    hash = mix(mix(hash, what.raw()), static_cast<std::uint32_t>(amount));
  return mix(hash, (moment.whole ? 1U : 0U) | (moment.closed ? 2U : 0U)) ^ moment.owner.raw();
}

}  // namespace

Timeline::Timeline(const Cluster& cluster, const Settings& settings, Time now,
                   bool keep_job_reservations)
    : cluster_(cluster),
      settings_(settings),
      now_(now),
      sets_(cluster),
      line_index_(cluster.nodes().size(), kNoLine) {
  for (const auto id : cluster.reservations()) {
    const auto& reservation = cluster.reservation(id);
    if (reservation.end <= now) continue;
    if (reservation.kind == ReservationKind::job) {
      if (!keep_job_reservations) continue;
      const auto& job = cluster.job(reservation.job);
      hold(job, cluster.request(job.request), reservation.nodes, std::max(reservation.start, now));
      continue;
    }
    for (const auto& share : reservation.nodes)
      line(share.node).blocks.push_back(
          {reservation.start, reservation.end, id, cluster.reserved_on(reservation, share)});
  }
}

Ask Timeline::ask(const Job& job, const Request& request, std::uint32_t requirement) {
  return {&request,
          &request.requirements[requirement],
          requirement,
          job.id.valid() && &cluster_.request(job.request) == &request ? job.request : RequestId(),
          job.id,
          job.credentials.user,
          sets_.of(job.credentials),
          request.limit};
}

Time Timeline::end_of(const Occupant& occupant) const {
  // A job that has run over its limit may end at any moment, but not before the next one.
  return std::max(occupant.ends, now_ + Seconds(1));
}

NodeLine Timeline::line_of(NodeId node) const {
  if (line_index_[node.index()] != kNoLine) return lines_[line_index_[node.index()]];
  NodeLine made;
  for (const auto& occupant : cluster_.occupancy(node).occupants)
    made.uses.push_back({std::min(cluster_.job(occupant.job).started, now_), end_of(occupant),
                         occupant.job, occupant.user, occupant.access, 0, occupant.amount});
  return made;
}

NodeLine& Timeline::line(NodeId node) {
  auto& index = line_index_[node.index()];
  if (index == kNoLine) {
    auto made = line_of(node);
    for (auto& use : made.uses) use.set = sets_.of(cluster_.job(use.job).credentials);
    index = static_cast<std::uint32_t>(lines_.size());
    lines_.push_back(std::move(made));
    lined_.push_back(node);
  }
  return lines_[index];
}

Moment Timeline::moment(NodeId node, Time when, AccessSet set, JobId self) const {
  const auto& configured = cluster_.node(node).configured;
  if (line_index_[node.index()] != kNoLine)
    return lines_[line_index_[node.index()]].at(when, configured, set, self, sets_);
  return line_of(node).at(when, configured, set, self, sets_);
}

void Timeline::hold(const Job& job, const Request& request, const Placement& placement, Time start) {
  const auto set = sets_.of(job.credentials);
  for (const auto& share : placement) {
    const auto& requirement = request.requirements[share.requirement];
    Resources amount;
    amount.add(requirement.per_task, share.tasks);
    const auto access = cluster_.node(share.node).policy.access.value_or(request.access);
    line(share.node).uses.push_back({start, start + request.limit, job.id, job.credentials.user,
                                     access, set, std::move(amount)});
  }
  for (auto& view : views_)
    for (const auto& share : placement) place_in_view(view, share.node);
}

void Timeline::release(JobId job, const Placement& placement) {
  for (const auto& share : placement)
    std::erase_if(line(share.node).uses, [&](const Use& use) { return use.job == job; });
  for (auto& view : views_)
    for (const auto& share : placement) place_in_view(view, share.node);
}

const std::vector<bool>& Timeline::serving(const Ask& ask) {
  const auto fill = [&](Serving& entry) {
    entry.kinds.clear();
    for (const auto& requirement : ask.request->requirements)
      entry.kinds.push_back(serving_kinds(cluster_, *ask.request, requirement));
  };
  if (!ask.id.valid()) {
    fill(unknown_serving_);
    return unknown_serving_.kinds[ask.index];
  }
  auto& entry = serving_[ask.id];
  if (entry.kinds.empty()) fill(entry);
  return entry.kinds[ask.index];
}

NodeAccess Timeline::access_on(NodeId node, const Ask& ask) const {
  return cluster_.node(node).policy.access.value_or(ask.request->access);
}

int Timeline::fitting(const Moment& moment, const Ask& ask, NodeId node) const {
  return tasks_at(moment, ask, access_on(node, ask));
}

// --- what is open now --------------------------------------------------------

Timeline::View& Timeline::view(AccessSet set) {
  const auto known =
      std::find_if(views_.begin(), views_.end(), [&](const View& v) { return v.set == set; });
  if (known != views_.end()) return *known;
  auto& made = views_.emplace_back();
  made.set = set;
  made.group_of.assign(cluster_.nodes().size(), kNoGroup);
  for (const auto node : cluster_.open_nodes()) place_in_view(made, node);
  return made;
}

std::vector<Timeline::Step> Timeline::steps_of(NodeId node, AccessSet set) const {
  std::vector<Step> steps;
  if (line_index_[node.index()] == kNoLine) {
    const auto& here = cluster_.occupancy(node);
    Moment moment;
    moment.free = here.free;
    moment.whole = here.occupants.empty();
    for (const auto& occupant : here.occupants) {
      moment.several = moment.several || (moment.user.valid() && moment.user != occupant.user);
      moment.user = occupant.user;
      if (occupant.access == NodeAccess::single_user) moment.owner = occupant.user;
      if (occupant.access == NodeAccess::dedicated || occupant.access == NodeAccess::single_task)
        moment.closed = true;
    }
    steps.push_back({now_, std::move(moment)});
    return steps;
  }
  const auto& configured = cluster_.node(node).configured;
  const auto& ahead = lines_[line_index_[node.index()]];
  steps.push_back({now_, ahead.at(now_, configured, set, {}, sets_)});
  std::vector<Time> times;
  ahead.boundaries(now_, times);
  for (const auto time : times) {
    auto next = worst(steps.back().moment, ahead.at(time, configured, set, {}, sets_));
    if (!(next == steps.back().moment)) steps.push_back({time, std::move(next)});
  }
  return steps;
}

// Whose jobs are there does not make a group: only SINGLEUSER asks, and it asks node by node.
bool Timeline::alike(const std::vector<Step>& a, const std::vector<Step>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Step& x, const Step& y) {
    return x.from == y.from && x.moment.free == y.moment.free &&
           x.moment.closed == y.moment.closed && x.moment.whole == y.moment.whole &&
           x.moment.owner == y.moment.owner;
  });
}

void Timeline::leave_view(View& view, NodeId node) {
  auto& index = view.group_of[node.index()];
  if (index == kNoGroup) return;
  auto& group = view.groups[index];
  --group.size;
  view.free_procs -= std::max(0, group.steps.front().moment.free.procs());
  index = kNoGroup;
}

void Timeline::place_in_view(View& view, NodeId node) {
  leave_view(view, node);
  if (!cluster_.node(node).available()) return;
  auto steps = steps_of(node, view.set);
  const auto& first = steps.front().moment;
  if (first.closed || first.free.procs() <= 0) return;
  const auto kind = cluster_.occupancy(node).kind;
  std::size_t hash = steps.size();
  for (const auto& step : steps)
    hash = mix(hash_of(kind, step.moment) + hash, static_cast<std::uint64_t>(step.from.raw()));
  view.free_procs += first.free.procs();
  std::uint32_t index = kNoGroup;
  const auto [begin, end] = view.by_hash.equal_range(hash);
  for (auto at = begin; at != end && index == kNoGroup; ++at) {
    const auto& group = view.groups[at->second];
    if (group.kind == kind && alike(group.steps, steps)) index = at->second;
  }
  if (index == kNoGroup) {
    index = static_cast<std::uint32_t>(view.groups.size());
    view.groups.push_back({kind, cluster_.node(node).partition, std::move(steps), {}, 0});
    view.by_hash.emplace(hash, index);
  }
  auto& group = view.groups[index];
  const auto at = std::lower_bound(group.nodes.begin(), group.nodes.end(), node);
  if (at == group.nodes.end() || *at != node) group.nodes.insert(at, node);
  ++group.size;
  view.group_of[node.index()] = index;
}

long long Timeline::free_procs(AccessSet set) { return view(set).free_procs; }

std::vector<Time> Timeline::window_ends(AccessSet set) {
  std::vector<Time> ends;
  for (const auto& group : view(set).groups)
    if (group.size > 0)
      for (std::size_t i = 1; i < group.steps.size(); ++i) ends.push_back(group.steps[i].from);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

// --- the plain way -----------------------------------------------------------

int Timeline::tasks_on(NodeId node, const Ask& ask, Time start) const {
  if (mismatch(cluster_, node, *ask.request, *ask.requirement) != NodeReason::none) return 0;
  const auto ahead = line_of(node);
  const auto& configured = cluster_.node(node).configured;
  int tasks = fitting(ahead.at(start, configured, ask.set, ask.job, sets_), ask, node);
  std::vector<Time> times;
  ahead.boundaries(start, times);
  for (const auto time : times) {
    if (time >= start + ask.duration || tasks == 0) break;
    tasks = std::min(tasks, fitting(ahead.at(time, configured, ask.set, ask.job, sets_), ask, node));
  }
  return tasks;
}

Time Timeline::room_until(NodeId node, const Ask& ask, Time start, int tasks) const {
  if (line_index_[node.index()] == kNoLine) return kForever;
  const auto& ahead = lines_[line_index_[node.index()]];
  const auto& configured = cluster_.node(node).configured;
  std::vector<Time> times;
  ahead.boundaries(start, times);
  for (const auto time : times)
    if (fitting(ahead.at(time, configured, ask.set, ask.job, sets_), ask, node) < tasks) return time;
  return kForever;
}

}  // namespace maui
