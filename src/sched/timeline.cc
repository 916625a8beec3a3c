#include "sched/timeline.h"

#include <algorithm>

#include "sched/feasibility.h"
#include "sched/late_starts.h"

namespace maui {

Timeline::Timeline(const Cluster& cluster, const Settings& settings, Time now,
                   bool keep_job_reservations)
    : cluster_(cluster),
      settings_(settings),
      now_(now),
      consumables_(cluster.consumables.size()),
      sets_(cluster),
      line_index_(cluster.nodes().size(), kNone) {
  std::unordered_map<ReservationId, Time> late;
  if (keep_job_reservations) late = late_starts(cluster, now);
  for (const auto id : cluster.reservations()) {
    const auto& reservation = cluster.reservation(id);
    if (reservation.kind == ReservationKind::job) {
      if (!keep_job_reservations) continue;
      const auto& job = cluster.job(reservation.job);
      const auto moved = late.find(id);
      hold(job, cluster.request(job.request), reservation.nodes,
           moved == late.end() ? reservation.start : moved->second);
      continue;
    }
    if (reservation.end <= now) continue;
    for (const auto& share : reservation.nodes)
      line(share.node).all.blocks.push_back(
          {reservation.start, reservation.end, id, cluster.reserved_on(reservation, share)});
  }
}

std::vector<PartitionId> Timeline::partitions_of(const Request& request) const {
  return usable_partitions(cluster_, request);
}

const Timeline::Serving& Timeline::serving(const Job& job, const Request& request) {
  const bool known = job.id.valid() && job.request.valid() &&
                     &cluster_.request(job.request) == &request;
  auto& entry = known ? serving_[job.request] : unknown_serving_;
  if (known && !entry.sizes.empty()) return entry;
  entry = {};
  for (const auto& requirement : request.requirements) {
    entry.kinds.push_back(serving_kinds(cluster_, request, requirement));
    entry.sizes.push_back(task_size(requirement.per_task));
  }
  return entry;
}

Ask Timeline::ask(const Job& job, const Request& request, std::uint32_t requirement) {
  const auto& entry = serving(job, request);
  return {&request,
          &request.requirements[requirement],
          requirement,
          &entry.sizes[requirement],
          &entry.kinds[requirement],
          job.id,
          job.credentials.user,
          sets_.of(job.credentials),
          request.limit};
}

// --- lines --------------------------------------------------------------------

NodeLine Timeline::line_of(NodeId node) const {
  if (lined(node)) return lines_[line_index_[node.index()]].all;
  NodeLine made;
  for (const auto& occupant : cluster_.occupancy(node).occupants)
    made.uses.push_back({std::min(cluster_.job(occupant.job).started, now_), end_of(occupant),
                         occupant.job, occupant.user, occupant.access, 0, occupant.amount});
  return made;
}

Timeline::Line& Timeline::line(NodeId node) {
  if (lined(node)) return lines_[line_index_[node.index()]];
  auto made = line_of(node);
  line_index_[node.index()] = static_cast<std::uint32_t>(lines_.size());
  lined_.push_back(node);
  auto& line = lines_.emplace_back();
  line.profile.reset(now_, cluster_.node(node).configured, consumables_);
  for (auto& use : made.uses) {
    use.set = sets_.of(cluster_.job(use.job).credentials);
    line.profile.change(now_, use.end, use.amount, -1, exclusive(use.access));
  }
  line.all = std::move(made);
  return line;
}

void Timeline::hold(const Job& job, const Request& request, const Placement& placement, Time start) {
  const auto set = sets_.of(job.credentials);
  for (const auto& share : placement) {
    Resources amount;
    amount.add(request.requirements[share.requirement].per_task, share.tasks);
    const auto access = cluster_.node(share.node).policy.access.value_or(request.access);
    auto& here = line(share.node);
    here.profile.change(start, start + request.limit, amount, -1, exclusive(access));
    here.all.uses.push_back({start, start + request.limit, job.id, job.credentials.user, access, set,
                             std::move(amount)});
  }
  for (auto& view : views_)
    for (const auto& share : placement) place_in_view(view, share.node);
}

void Timeline::release(JobId job, const Placement& placement) {
  for (const auto& share : placement) {
    auto& here = line(share.node);
    std::erase_if(here.all.uses, [&](const Use& use) {
      if (use.job != job) return false;
      here.profile.change(use.start, use.end, use.amount, +1, exclusive(use.access));
      return true;
    });
  }
  for (auto& view : views_)
    for (const auto& share : placement) place_in_view(view, share.node);
}

void Timeline::present(NodeId node, Profile& out) const {
  const auto& here = cluster_.occupancy(node);
  out.reset(now_, here.free, consumables_);
  auto& presence = out.level(0).presence;
  for (const auto& occupant : here.occupants) {
    presence.jobs = 1;
    if (exclusive(occupant.access)) presence.exclusive = 1;
    if (!users_matter()) continue;
    presence.several = presence.several || (presence.user.valid() && presence.user != occupant.user);
    presence.user = occupant.user;
    if (occupant.access == NodeAccess::single_user) presence.owner = occupant.user;
  }
}

void Timeline::profile_of(NodeId node, AccessSet set, JobId self, Profile& out) const {
  const auto& configured = cluster_.node(node).configured;
  if (lined(node)) {
    lines_[line_index_[node.index()]].all.profile(now_, configured, consumables_, set, self, sets_,
                                                  out);
  } else {
    line_of(node).profile(now_, configured, consumables_, set, self, sets_, out);
  }
}

// The profile of a node with a line; `scratch` holds it where it is made for the occasion.
const Profile& Timeline::seen_by(NodeId node, const Ask& ask, Profile& scratch) const {
  const auto& here = lines_[line_index_[node.index()]];
  if (common(here)) return here.profile;
  profile_of(node, ask.set, {}, scratch);
  return scratch;
}

// --- what is open now -----------------------------------------------------------

Timeline::View& Timeline::view(AccessSet set) {
  for (auto& known : views_)
    if (known.set == set) return known;
  auto& made = views_.emplace_back();
  made.set = set;
  made.group_of.assign(cluster_.nodes().size(), kNone);
  for (const auto node : cluster_.open_nodes()) place_in_view(made, node);
  return made;
}

void Timeline::leave_view(View& view, NodeId node) {
  auto& index = view.group_of[node.index()];
  if (index == kNone) return;
  auto& group = view.groups[index];
  --group.size;
  view.free_procs -= group.worst.free(0)[kProcs.index()];
  index = kNone;
}

void Timeline::place_in_view(View& view, NodeId node) {
  leave_view(view, node);
  if (!cluster_.node(node).available()) return;
  const Profile* worst = &scratch_;
  if (lined(node)) {
    Ask anybody;
    anybody.set = view.set;
    worst_scratch_.set_to_worst_of(seen_by(node, anybody, scratch_));
    worst = &worst_scratch_;
  } else {
    present(node, scratch_);
  }
  if (worst->level(0).presence.exclusive > 0 || worst->free(0)[kProcs.index()] <= 0) return;
  const auto kind = cluster_.occupancy(node).kind;
  const auto hash = worst->hash() + kind * 0x9e3779b97f4a7c15ULL;
  std::uint32_t index = kNone;
  const auto [begin, end] = view.by_hash.equal_range(hash);
  for (auto at = begin; at != end && index == kNone; ++at) {
    const auto& group = view.groups[at->second];
    if (group.kind == kind && group.worst == *worst) index = at->second;
  }
  if (index == kNone) {
    index = static_cast<std::uint32_t>(view.groups.size());
    view.groups.push_back({kind, cluster_.node(node).partition, *worst, {}, 0});
    view.by_hash.emplace(hash, index);
  }
  auto& group = view.groups[index];
  view.free_procs += group.worst.free(0)[kProcs.index()];
  if (group.nodes.empty() || group.nodes.back() < node) {
    group.nodes.push_back(node);
  } else {
    const auto at = std::lower_bound(group.nodes.begin(), group.nodes.end(), node);
    if (*at != node) group.nodes.insert(at, node);
  }
  ++group.size;
  view.group_of[node.index()] = index;
}

long long Timeline::free_procs(AccessSet set) { return view(set).free_procs; }

std::vector<Time> Timeline::window_ends(AccessSet set) {
  std::vector<Time> ends;
  for (const auto& group : view(set).groups)
    if (group.size > 0)
      for (std::size_t i = 1; i < group.worst.size(); ++i) ends.push_back(group.worst.level(i).from);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

// --- one node ---------------------------------------------------------------------

int Timeline::tasks_on(NodeId node, const Ask& ask, Time start) const {
  if (!(*ask.kinds)[cluster_.occupancy(node).kind]) return 0;
  Profile profile;
  profile_of(node, ask.set, ask.job, profile);
  const auto access = access_on(node, ask);
  auto level = profile.at(start);
  int tasks = tasks_at(profile, level, ask, access);
  while (++level < profile.size() && profile.level(level).from < start + ask.duration)
    tasks = std::min(tasks, tasks_at(profile, level, ask, access));
  return tasks;
}

Time Timeline::room_until(NodeId node, const Ask& ask, Time start, int tasks) const {
  if (!lined(node)) return kForever;
  Profile scratch;
  const auto& profile = seen_by(node, ask, scratch);
  const auto access = access_on(node, ask);
  for (auto level = profile.at(start); level < profile.size(); ++level)
    if (profile.level(level).from >= start && tasks_at(profile, level, ask, access) < tasks)
      return profile.level(level).from;
  return kForever;
}

}  // namespace maui
