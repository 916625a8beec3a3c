// Counting processors, and arranging reservations anew on the nodes.
//
// On nodes of one kind, where a task takes one processor and nothing else that
// could run out, processors are interchangeable: if enough of them are free at
// every moment of a time frame, then there is an arrangement of all reservations
// on particular nodes that leaves them free on the same ones.  Taking the
// reservations in the order of their starts finds it.  So a job is never kept
// waiting only because reservations lie scattered over the nodes.
#include <algorithm>
#include <array>

#include "sched/availability/timeline.h"

namespace maui {

bool Timeline::interchangeable(const Request& request) const {
  if (pinned_ || cluster_->kinds() != 1 || users_matter() || sets_->any_confined() ||
      request.requirements.size() != 1 || request.names_nodes() || cluster_->partitions.size() != 1)
    return false;
  const auto& wanted = request.requirements.front();
  const auto procs = cluster_->node(cluster_->sample_of_kind(0)).configured.procs();
  if (wanted.per_task.procs() != 1 || wanted.shaped()) return false;
  if (procs == 1) return true;
  return request.access == NodeAccess::shared && wanted.per_task == Resources(1);
}

const Profile& Timeline::total() {
  if (total_made_) return total_;
  total_made_ = true;
  // Ends come in order: the levels are appended one by one, each with what has been freed by then.
  auto free = cluster_->counts().configured_procs;
  const auto active = cluster_->active();
  for (const auto& row : active) free -= cluster_->request_of(row.job).total_procs();
  total_.reset(now_, Resources(static_cast<int>(free)), kElementary);
  for (std::size_t i = 0; i < active.size();) {
    const Time end = std::max(active[i].ends, now_ + Seconds(1));
    for (; i < active.size() && std::max(active[i].ends, now_ + Seconds(1)) == end; ++i)
      free += cluster_->request_of(active[i].job).total_procs();
    const std::array<int, kElementary> amounts{static_cast<int>(free), 0, 0, 0};
    total_.append(end, {}, amounts);
  }
  // What starts in this cycle, and the reservations.
  for (const auto node : lined_)
    for (const auto& use : lines_[line_index_[node.index()]].all.uses)
      if (use.start <= now_ && use.job.valid() && !cluster_->job(use.job).active())
        total_.change(use.start, use.end, Resources(use.amount.procs()), -1, false);
  for (const auto& held : held_)
    total_.change(held.start, held.start + cluster_->limit_on(*held.request, held.placement),
                  Resources(held.request->total_procs()), -1, false);
  return total_;
}

std::optional<Time> Timeline::first_by_count(const Request& request, Time from, Time not_after) {
  const auto& all = total();
  const auto procs = request.total_procs();
  const auto length = shortest(request);
  Time start = from;
  for (auto level = all.at(from); level < all.size(); ++level) {
    if (start > not_after) return std::nullopt;
    if (all.level(level).from >= start + length) return start;
    if (all.free(level)[kProcs.index()] >= procs) continue;
    if (level + 1 == all.size()) return std::nullopt;
    start = all.level(level + 1).from;
  }
  return start <= not_after ? std::optional(start) : std::nullopt;
}

// From now on the reservations are as wanted: those without nodes are given some, in the order of
// their starts.  All or nothing.
bool Timeline::arrange(std::vector<Held> wanted) {
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const Held& a, const Held& b) { return a.start < b.start; });
  std::vector<Held*> lacking;
  std::vector<JobId> jobs;
  for (auto& one : wanted) {
    if (!one.placement.empty()) continue;
    lacking.push_back(&one);
    jobs.push_back(one.job);
  }
  std::sort(jobs.begin(), jobs.end());
  std::vector<const Held*> former;
  for (const auto& held : held_)
    if (std::binary_search(jobs.begin(), jobs.end(), held.job)) former.push_back(&held);

  for (const auto* held : former) give_back(held->job, held->placement);
  std::size_t placed = 0;
  for (; placed < lacking.size(); ++placed) {
    auto& next = *lacking[placed];
    const auto asked = ask(*next.of, *next.request);
    auto nodes = choose(asked, offers_during(asked, PartitionId(0U), next.start), next.start);
    if (!nodes) break;
    next.placement = std::move(*nodes);
    take(*next.of, *next.request, next.placement, next.start);
  }
  const bool done = placed == lacking.size();
  if (!done) {
    for (std::size_t i = 0; i < placed; ++i) give_back(lacking[i]->job, lacking[i]->placement);
    for (const auto* held : former) take(*held->of, *held->request, held->placement, held->start);
  }
  for (const auto* held : former) refresh_views(held->placement);
  for (const auto* next : lacking) refresh_views(next->placement);
  if (done) std::swap(held_, wanted);
  return done;
}

bool Timeline::arrange_all(std::vector<Held> wanted) {
  for (auto& one : wanted) one.placement.clear();
  return arrange(std::move(wanted));
}

// The nodes for a job at a moment at which only the arrangement of the reservations is in its way.
std::optional<Placement> Timeline::rearrange(const Job& job, const Request& request, Time start) {
  auto wanted = held_;
  wanted.push_back({job.id, &job, &request, start, {}});
  if (!arrange_all(std::move(wanted))) return std::nullopt;
  const auto own =
      std::find_if(held_.begin(), held_.end(), [&](const Held& held) { return held.of == &job; });
  auto placement = std::move(own->placement);
  held_.erase(own);
  give_back(job.id, placement);
  refresh_views(placement);
  return placement;
}

bool Timeline::slide_together(std::span<const JobId> by_priority) {
  for (const auto& held : held_)
    if (!interchangeable(*held.request)) return false;
  total();
  auto wanted = held_;
  bool moved = false;
  for (const auto job : by_priority) {
    const auto at = std::find_if(wanted.begin(), wanted.end(),
                                 [&](const Held& held) { return held.job == job; });
    if (at == wanted.end()) continue;
    const auto own = Resources(at->request->total_procs());
    total_.change(at->start, at->start + shortest(*at->request), own, +1, false);
    const auto start = first_by_count(*at->request, now_, at->start);
    if (start && *start < at->start) {
      moved = true;
      at->start = *start;
      at->placement.clear();
    }
    total_.change(at->start, at->start + shortest(*at->request), own, -1, false);
  }
  if (!moved) return true;
  total_made_ = false;  // it is as it will be; arranging must not count twice
  const bool done = arrange(wanted) || arrange_all(std::move(wanted));
  total_made_ = done;
  return done;
}

std::vector<Offer> Timeline::offers_during(const Ask& asked, PartitionId partition, Time start) {
  Ask ask = asked;
  ask.set = sets_->when(asked.set, start, asked.duration);
  std::vector<Offer> offers;
  offers.reserve(cluster_->nodes().size());
  Profile scratch;
  for (const auto& node : cluster_->nodes()) {
    if (node.partition != partition || !returns(node) ||
        !(*ask.kinds)[cluster_->occupancy(node.id).kind])
      continue;
    Offer offer;
    offer.node = node.id;
    if (!lined(node.id)) {
      offer.tasks = simple_tasks(node.id, ask, start);
      for (const auto& occupant : cluster_->occupancy(node.id).occupants)
        if (end_of(occupant) <= start) offer.since = std::max(offer.since, end_of(occupant));
    } else {
      const auto& profile = seen_by(node.id, ask, scratch);
      const auto terms = terms_on(node.id, ask);
      const auto first = profile.at(start);
      offer.tasks = tasks_at(profile, first, ask, terms);
      for (auto i = first + 1; i < profile.size() && offer.tasks > 0; ++i) {
        const int here = tasks_at(profile, i, ask, terms);
        if (profile.level(i).from < start + ask.duration) {
          offer.tasks = std::min(offer.tasks, here);
        } else if (here < offer.tasks) {
          offer.until = profile.level(i).from;
          break;
        }
      }
      for (auto i = first; offer.tasks > 0; --i) {
        offer.since = i == 0 ? Time(0) : profile.level(i).from;
        if (i == 0 || tasks_at(profile, i - 1, ask, terms) < offer.tasks) break;
      }
    }
    offer.affinity = affinity_on(node.id, ask, start);
    if (offer.tasks > 0) offers.push_back(offer);
  }
  return offers;
}

}  // namespace maui
