// Requests that can be served in several ways: within a node set, or by nodes of some speed.
#include <algorithm>

#include "sched/availability/timeline.h"

namespace maui {
namespace {

// Charges a question about node sets.
void charge(SearchShare& share, const NodeSet& wanted, const Variants& variants,
            std::size_t kinds) {
  std::size_t questions = 0;
  for (const auto& set : variants.sets) questions += set.variants.size();
  share.left -= effort_of_sets(wanted, questions, kinds);
}

// Returns the earliest slot of several variants; the first variant wins ties.
template <class Search>
std::optional<Slot> first_of(const std::vector<Variant>& variants, Time from, Time not_after,
                             const Search& search) {
  std::optional<Slot> best;
  for (const auto& variant : variants) {
    const Time bound = best ? best->start - Seconds(1) : not_after;
    if (bound < from) break;
    if (auto slot = search(&variant, from, bound)) best = std::move(slot);
  }
  return best;
}

}  // namespace

// Returns how bad a set is at that time (NODESETPRIORITYTYPE): the first of the lowest values wins.
// Sets that a type does not apply to keep the order of the list.
double Timeline::penalty(const Job& job, const Request& request, const Variants::Set& set,
                         const Slot& slot) {
  const auto& wanted = *request.node_set;
  if (wanted.policy != NodeSetPolicy::one_of) return 0;
  const bool speeds = wanted.attribute == NodeSetAttribute::proc_speed;
  switch (wanted.priority) {
    case NodeSetPriority::best_fit:
      return static_cast<double>(room_in(job, request, set, slot));
    case NodeSetPriority::worst_fit:
      return -static_cast<double>(room_in(job, request, set, slot));
    case NodeSetPriority::best_resource:
      return speeds ? -set.fastest : 0;
    case NodeSetPriority::min_loss:
      return speeds ? loss_of(*cluster_, request, slot.placement) : 0;
  }
  return 0;
}

// Returns the tasks of the first requirement that the set could take at that time.
long long Timeline::room_in(const Job& job, const Request& request, const Variants::Set& set,
                            const Slot& slot) {
  const auto& variant = set.variants.front();
  const RequirementQuestion question{
      job, request, 0, slot.partition, variant.stay, &variant.kinds.front()};
  ClusterModel::Asked asked;
  ClusterModel& model = whole_model();
  model.fill(asked, question);
  asked.question.among = asked.question.each_of = nullptr;
  long long room = 0;
  for (const auto& offer : model.model().offers(asked.question, slot.start))
    room += static_cast<long long>(offer.tasks) * offer.nodes;
  return room;
}

std::optional<Slot> Timeline::first_in_sets(const Job& job, const Request& request,
                                            const std::vector<Variants::Set>& sets, Time from,
                                            Time not_after, const Search& search) {
  // The order of a list is set by the user or the site.
  const bool in_order = request.node_set->policy == NodeSetPolicy::first_of;
  std::optional<Slot> best;
  std::pair<Reluctance, double> least;
  for (const auto& set : sets) {
    auto slot = first_of(set.variants, from, best ? best->start : not_after, search);
    if (!slot) continue;
    const std::pair here(in_order ? Reluctance{} : reluctance(job, request, *slot),
                         penalty(job, request, set, *slot));
    if (best && slot->start == best->start && !(here < least)) continue;
    best = std::move(slot);
    least = here;
  }
  return best;
}

std::optional<Slot> Timeline::now_by_variants(const Job& job, const Request& request,
                                              const Search& search) {
  if (passes_over(job, request)) return std::nullopt;
  const auto variants = variants_of(*cluster_, request);
  if (request.node_set) {
    charge(effort_.share_of(job.credentials.user), *request.node_set, variants, cluster_->kinds());
    if (auto slot = first_in_sets(job, request, variants.sets, now_, now_, search)) return slot;
  }
  if (waits_for_set(job, request, now_)) return std::nullopt;
  return first_of(variants.anywhere, now_, now_, search);
}

std::optional<Slot> Timeline::earliest_by_variants(const Job& job, const Request& request,
                                                   Time from, Time not_after,
                                                   const Search& search) {
  if (passes_over(job, request)) return std::nullopt;
  const auto variants = variants_of(*cluster_, request);
  if (!request.node_set) return first_of(variants.anywhere, from, not_after, search);
  charge(effort_.share_of(job.credentials.user), *request.node_set, variants, cluster_->kinds());
  const Time free_from = std::max(from, job.eligible_since + request.node_set->delay);
  auto outside = free_from <= not_after && free_from < kForever
                     ? first_of(variants.anywhere, free_from, not_after, search)
                     : std::nullopt;
  auto inside = first_in_sets(job, request, variants.sets, from,
                              outside ? outside->start : not_after, search);
  return inside ? std::move(inside) : std::move(outside);
}

}  // namespace maui
