#include "sched/availability/timeline.h"

#include <algorithm>

#include "sched/late_starts.h"
#include "sched/placement/feasibility.h"

namespace maui {

Timeline::Timeline(const Cluster& cluster, const Settings& settings, Time now,
                   bool keep_job_reservations) {
  begin(cluster, settings, now, keep_job_reservations);
}

void Timeline::begin(const Cluster& cluster, const Settings& settings, Time now,
                     bool keep_job_reservations) {
  cluster_ = &cluster;
  settings_ = &settings;
  now_ = now;
  consumables_ = cluster.consumables.size();
  sets_.emplace(cluster, settings);
  for (const auto node : lined_)
    if (node.index() < line_index_.size()) line_index_[node.index()] = kNone;
  line_index_.resize(cluster.nodes().size(), kNone);
  lined_.clear();
  held_.clear();
  vacated_.clear();
  pinned_ = false;
  total_made_ = false;
  views_used_ = 0;
  view_of_set_.clear();
  whole_views_.clear();
  claimed_by_.clear();
  bounds_noted_ = false;
  ++cycle_;
  questions_.clear();
  way_ = nullptr;
  priorities_.reset();
  serving_.resize(cluster.request_slots());
  close_unavailable();
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
      line(share.node)
          .all.blocks.push_back(
              {reservation.start, reservation.end, id, cluster.reserved_on(reservation, share)});
  }
}

// Nodes that take no jobs now but may later have a line on which nobody else may come until then.
void Timeline::close_unavailable() {
  const auto& policy = settings_->node;
  const auto delay =
      policy.down_state_delay > Seconds(0) ? policy.down_state_delay : policy.down_node_delay;
  back_ = delay >= kUnlimited ? kForever : now_ + std::max(delay, Seconds(1));
  const Time opens = now_ + std::max(settings_->poll_interval, Seconds(1));
  limits_users_ = false;
  for (const auto& node : cluster_->nodes()) {
    limits_users_ = limits_users_ || node.policy.max_jobs_per_user > 0;
    const bool closed = cluster_->occupancy(node.id).closed;
    if ((node.available() && !closed) || !returns(node)) continue;
    Use use;
    use.start = now_;
    use.end = std::max(closed ? opens : now_, node.available() ? now_ : back_);
    use.access = NodeAccess::single_task;
    use.closure = true;
    line(node.id).all.uses.push_back(use);
  }
}

Resources Timeline::whole(NodeId node) const {
  auto all = cluster_->node(node).configured;
  const auto& withheld = cluster_->occupancy(node).withheld;
  if (!withheld.zero()) all.add(withheld, -1);
  return all;
}

std::vector<PartitionId> Timeline::partitions_of(const Request& request) const {
  return usable_partitions(*cluster_, request);
}

Timeline::Serving& Timeline::serving(const Job& job, const Request& request) {
  const bool known =
      job.id.valid() && job.request.valid() && &cluster_->request(job.request) == &request;
  auto& entry = known ? serving_[job.request.index()] : unknown_serving_;
  const auto serial = known ? cluster_->request_serial(job.request) : 0;
  if (known && entry.serial == serial && entry.node_changes == cluster_->node_changes())
    return entry;
  entry.serial = serial;
  entry.node_changes = cluster_->node_changes();
  entry.kinds.clear();
  entry.sizes.clear();
  entry.ways.reset();
  entry.cycle = 0;
  for (const auto& requirement : request.requirements) {
    entry.kinds.push_back(serving_kinds(*cluster_, request, requirement));
    entry.sizes.push_back(task_size(requirement.per_task));
  }
  entry.duration = longest(request, entry.kinds);
  return entry;
}

std::uint32_t Timeline::question_of(Serving& entry, const Request& request,
                                    std::uint32_t requirement) {
  if (entry.cycle != cycle_) {
    entry.cycle = cycle_;
    entry.questions.assign(entry.kinds.size(), 0);
  }
  auto& number = entry.questions[requirement];
  if (number == 0) {
    const auto next = static_cast<std::uint32_t>(questions_.size() + 1);
    number = questions_
                 .try_emplace({entry.sizes[requirement], entry.kinds[requirement], request.access,
                               request.span},
                              next)
                 .first->second;
  }
  return number;
}

Ask Timeline::ask(const Job& job, const Request& request, std::uint32_t requirement) {
  auto& entry = serving(job, request);
  return {&job,
          &request,
          &request.requirements[requirement],
          requirement,
          &entry.sizes[requirement],
          way_ ? &way_->kinds[requirement] : &entry.kinds[requirement],
          job.id,
          job.credentials.user,
          sets_->of(job, request, way_ ? way_->duration : entry.duration),
          way_ ? way_->duration : entry.duration,
          way_ ? way_->duration : entry.duration,
          way_ || users_matter() ? 0 : question_of(entry, request, requirement)};
}

// --- lines --------------------------------------------------------------------

NodeLine Timeline::line_of(NodeId node) const {
  if (lined(node)) return filled_line(node).all;
  NodeLine made;
  for (const auto& occupant : cluster_->occupancy(node).occupants)
    made.uses.push_back({std::min(cluster_->job(occupant.job).started, now_), end_of(occupant),
                         occupant.job, occupant.user, occupant.access, 0, occupant.amount,
                         limits_jobs(node)});
  return made;
}

Timeline::Line& Timeline::line(NodeId node) {
  if (lined(node)) return lines_[line_index_[node.index()]];
  const auto used = lined_.size();
  if (used == lines_.size()) lines_.emplace_back();
  line_index_[node.index()] = static_cast<std::uint32_t>(used);
  lined_.push_back(node);
  auto& line = lines_[used];
  line.all.uses.clear();
  line.all.blocks.clear();
  line.filled = false;
  return line;
}

// A reservation on nodes that are busy now matters to nobody who wants to start now: what runs on
// them is looked at only when somebody asks for later.
const Timeline::Line& Timeline::filled_line(NodeId node) const {
  auto& line = lines_[line_index_[node.index()]];
  if (line.filled) return line;
  line.filled = true;
  line.profile.reset(now_, whole(node), consumables_);
  for (const auto& use : line.all.uses)
    line.profile.change(use.start, use.end, use.amount, -1, exclusive(use.access), use.limited);
  for (const auto& occupant : cluster_->occupancy(node).occupants) add_use(line, node, occupant);
  return line;
}

void Timeline::add_use(Line& line, NodeId node, const Occupant& occupant) const {
  const auto& job = cluster_->job(occupant.job);
  line.all.uses.push_back({std::min(job.started, now_), end_of(occupant), occupant.job,
                           occupant.user, occupant.access,
                           sets_->of(job, cluster_->request(job.request),
                                     end_of(occupant) - std::min(job.started, now_)),
                           occupant.amount, limits_jobs(node)});
  line.profile.change(now_, end_of(occupant), occupant.amount, -1, exclusive(occupant.access),
                      limits_jobs(node));
}

void Timeline::take(const Job& job, const Request& request, const Placement& placement,
                    Time start) {
  const Time end = start + cluster_->limit_on(request, placement);
  const auto set = sets_->of(job, request, end - start);
  int procs = 0;
  for (const auto& share : placement) {
    Resources amount;
    amount.add(request.requirements[share.requirement].per_task, share.tasks);
    const auto access = access_on(share.node, request);
    auto& here = line(share.node);
    const auto& uses = here.all.uses;
    const bool limited =  // a job that is there with another requirement counts once
        limits_jobs(share.node) && std::none_of(uses.begin(), uses.end(), [&](const Use& use) {
          return use.job == job.id && use.start == start;
        });
    if (here.filled) here.profile.change(start, end, amount, -1, exclusive(access), limited);
    procs += amount.procs();
    here.all.uses.push_back(
        {start, end, job.id, job.credentials.user, access, set, std::move(amount), limited});
  }
  if (total_made_) total_.change(start, end, Resources(procs), -1, false);
}

void Timeline::give_back(JobId job, const Placement& placement) {
  forget_bounds();
  int procs = 0;
  Time start{0}, end{0};
  for (const auto& share : placement) {
    auto& here = line(share.node);
    std::erase_if(here.all.uses, [&](const Use& use) {
      if (use.job != job || use.closure) return false;
      if (here.filled)
        here.profile.change(use.start, use.end, use.amount, +1, exclusive(use.access), use.limited);
      procs += use.amount.procs();
      start = use.start;
      end = use.end;
      return true;
    });
  }
  if (total_made_ && procs > 0) total_.change(start, end, Resources(procs), +1, false);
}

void Timeline::refresh_views(const Placement& placement) {
  for (const auto& share : placement) {
    for (const auto i : whole_views_) place_in_view(views_[i], share.node);
    if (claimed_by_.empty()) continue;
    for (const auto i : claimed_by_[share.node.index()]) place_in_view(views_[i], share.node);
  }
}

void Timeline::hold(const Job& job, const Request& request, const Placement& placement,
                    Time start) {
  take(job, request, placement, start);
  if (start > now_) held_.push_back({job.id, &job, &request, start, placement});
  refresh_views(placement);
}

void Timeline::release(JobId job, const Placement& placement) {
  give_back(job, placement);
  std::erase_if(held_, [&](const Held& held) { return held.job == job; });
  refresh_views(placement);
}

void Timeline::pin(const Job& job, const Request& request, const Placement& placement, Time start) {
  pinned_ = true;
  take(job, request, placement, start);
  refresh_views(placement);
}

void Timeline::unpin(JobId job, const Placement& placement) {
  give_back(job, placement);
  refresh_views(placement);
}

void Timeline::vacate(JobId id) {
  const auto& placement = cluster_->job(id).placement;
  pinned_ = true;
  for (const auto& share : placement) {
    line(share.node);
    filled_line(share.node);
    vacated_.push_back(share.node);
  }
  give_back(id, placement);
  refresh_views(placement);
}

void Timeline::put_back(JobId id) {
  const auto& job = cluster_->job(id);
  for (const auto& share : job.placement) {
    auto& here = line(share.node);
    const bool there = std::any_of(here.all.uses.begin(), here.all.uses.end(),
                                   [&](const Use& use) { return use.job == id; });
    if (there) continue;
    for (const auto& occupant : cluster_->occupancy(share.node).occupants)
      if (occupant.job == id) add_use(here, share.node, occupant);
  }
  for (const auto& share : job.placement) {
    const auto at = std::find(vacated_.rbegin(), vacated_.rend(), share.node);
    if (at != vacated_.rend()) vacated_.erase(std::next(at).base());
  }
  refresh_views(job.placement);
}

const Timeline::Held* Timeline::held_by(JobId job) const {
  for (const auto& held : held_)
    if (held.job == job) return &held;
  return nullptr;
}

void Timeline::present(NodeId node, Profile& out) const {
  const auto& here = cluster_->occupancy(node);
  out.reset(now_, here.free, consumables_);
  auto& presence = out.level(0).presence;
  if (limits_jobs(node)) presence.limited = static_cast<std::int32_t>(here.occupants.size());
  for (const auto& occupant : here.occupants) {
    presence.jobs = 1;
    if (exclusive(occupant.access)) presence.exclusive = 1;
    if (!users_matter()) continue;
    presence.several =
        presence.several || (presence.user.valid() && presence.user != occupant.user);
    presence.user = occupant.user;
    if (occupant.access == NodeAccess::single_user) presence.owner = occupant.user;
  }
}

void Timeline::profile_of(NodeId node, AccessSet set, JobId self, Profile& out, UserId user) const {
  const Viewer viewer{set, self, user, cluster_->node(node).policy.max_jobs_per_user,
                      users_matter()};
  const auto all = whole(node);
  if (lined(node)) {
    filled_line(node).all.profile(now_, all, consumables_, viewer, *sets_, out);
  } else {
    line_of(node).profile(now_, all, consumables_, viewer, *sets_, out);
  }
}

// The profile of a node with a line; `scratch` holds it where it is made for the occasion.
const Profile& Timeline::seen_by(NodeId node, const Ask& ask, Profile& scratch) const {
  const auto& here = filled_line(node);
  if (common(here) && !sets_->confined(ask.set)) return here.profile;
  profile_of(node, ask.set, {}, scratch, ask.user);
  return scratch;
}

// --- what is open now -----------------------------------------------------------

// The base comes first: others lie over it.
OpenView& Timeline::view(AccessSet set) {
  if (set != 0 && views_used_ == 0) view(0);
  if (set >= view_of_set_.size()) view_of_set_.resize(set + 1, kNone);
  auto& known = view_of_set_[set];
  if (known != kNone) return views_[known];
  known = static_cast<std::uint32_t>(views_used_);
  if (views_used_ == views_.size()) views_.emplace_back();
  auto& made = views_[views_used_++];
  const bool whole = set == 0 || sets_->confined(set);
  made.begin(set, cluster_->nodes().size(), whole);
  if (whole) {
    whole_views_.push_back(known);
    for (const auto node : cluster_->open_nodes()) place_in_view(made, node);
    for (const auto node : vacated_) place_in_view(made, node);
    return made;
  }
  for (const auto& terms : sets_->terms(set))
    for (const auto& share : cluster_->reservation(terms.reservation).nodes) made.claim(share.node);
  claimed_by_.resize(cluster_->nodes().size());
  for (const auto node : made.claimed()) {
    claimed_by_[node.index()].push_back(known);
    place_in_view(made, node);
  }
  return made;
}

void Timeline::place_in_view(OpenView& view, NodeId node) {
  view.leave(node);
  const auto& now = cluster_->occupancy(node);
  if (!cluster_->node(node).available() || now.closed) return;
  const bool full = now.free.procs() <= 0 || now.exclusive();
  if (full && std::find(vacated_.begin(), vacated_.end(), node) == vacated_.end()) return;
  const Profile* worst = &scratch_;
  Attraction attraction;
  if (lined(node)) {
    attraction = line(node).all.attraction(now_, view.set(), *sets_);
    Ask anybody;
    anybody.set = view.set();
    worst_scratch_.set_to_worst_of(seen_by(node, anybody, scratch_));
    worst = &worst_scratch_;
  } else {
    if (sets_->confined(view.set())) return;  // no reservation is there
    present(node, scratch_);
  }
  if (worst->level(0).presence.exclusive > 0 || worst->free(0)[kProcs.index()] <= 0) return;
  view.place(node, now.kind, cluster_->node(node).partition, attraction, *worst);
}

std::vector<Time> Timeline::window_ends(AccessSet set) {
  std::vector<Time> ends;
  const auto& open = view(set);
  for (const auto& one : open.groups()) {
    const auto& worst = open.group(one.group).worst;
    for (std::size_t i = 1; i < worst.size(); ++i) ends.push_back(worst.level(i).from);
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

// --- one node ---------------------------------------------------------------------

int Timeline::tasks_on(NodeId node, const Ask& ask, Time start) const {
  if (!(*ask.kinds)[cluster_->occupancy(node).kind]) return 0;
  Profile profile;
  profile_of(node, sets_->when(ask.set, start, ask.duration), ask.job, profile, ask.user);
  const auto terms = terms_on(node, ask);
  auto level = profile.at(start);
  int tasks = tasks_at(profile, level, ask, terms);
  while (++level < profile.size() && profile.level(level).from < start + ask.duration)
    tasks = std::min(tasks, tasks_at(profile, level, ask, terms));
  return tasks;
}

Time Timeline::room_until(NodeId node, const Ask& ask, Time start, int tasks) const {
  if (!lined(node)) return kForever;
  Profile scratch;
  const auto& profile = seen_by(node, ask, scratch);
  const auto terms = terms_on(node, ask);
  for (auto level = profile.at(start); level < profile.size(); ++level)
    if (profile.level(level).from >= start && tasks_at(profile, level, ask, terms) < tasks)
      return profile.level(level).from;
  return kForever;
}

}  // namespace maui
