#include "support/model_of_cluster.h"

#include <algorithm>
#include <set>

#include "model/placement.h"
#include "sched/late_starts.h"
#include "sched/partition_policies.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/node_choice.h"

namespace maui::test {
namespace av = availability;

ModelOfCluster::ModelOfCluster(const Cluster& cluster, const Settings& settings, Time now,
                               bool keep_job_reservations)
    : cluster_(cluster), settings_(settings), keep_job_reservations_(keep_job_reservations) {
  std::vector<std::uint32_t> kinds;
  for (const auto& node : cluster.nodes()) kinds.push_back(kind_of(node));
  model_.begin(kinds, now);
  update(now);
}

void ModelOfCluster::update(Time now) {
  now_ = now;
  sets_.emplace(cluster_, settings_);
  late_.clear();
  if (keep_job_reservations_) late_ = late_starts(cluster_, now);
  model_.advance(now);
  for (const auto& node : cluster_.nodes())
    model_.set(av::NodeRuns(av::NodeRun{node.id.raw(), node.id.raw() + 1}), timeline_of(node));
}

std::uint32_t ModelOfCluster::kind_of(const Node& node) {
  av::NodeKind kind;
  kind.attributes = attributes_of(node);
  kind.whole = node.configured;
  kind.whole.add(cluster_.occupancy(node.id).withheld, -1);
  kind.access = node.policy.access;
  kind.max_jobs = node.policy.max_jobs;
  kind.max_jobs_per_user = node.policy.max_jobs_per_user;
  return model_.tables().kind(kind);
}

av::NodeTimeline ModelOfCluster::timeline_of(const Node& node) {
  av::NodeTimeline timeline;
  timeline.kind = kind_of(node);
  timeline.closed = closed_for(node);
  const auto& here = cluster_.occupancy(node.id);
  for (const auto& occupant : here.occupants) {
    const auto& job = cluster_.job(occupant.job);
    timeline.add(use_of(job, cluster_.request(job.request), node, std::min(job.started, now_),
                        occupant.ends, occupant.access, occupant.amount));
  }
  for (const auto id : here.reservations) {
    const auto& reservation = cluster_.reservation(id);
    if (reservation.kind == ReservationKind::job) {
      if (keep_job_reservations_) add_claims(timeline, node, reservation);
      continue;
    }
    if (reservation.end <= now_) continue;
    for (const auto& share : reservation.nodes)
      if (share.node == node.id)
        timeline.add(av::Block{id.raw(), reservation.start, reservation.end,
                               model_.tables().amount(cluster_.reserved_on(reservation, share))});
  }
  timeline.advance(now_);
  return timeline;
}

void ModelOfCluster::add_claims(av::NodeTimeline& timeline, const Node& node,
                                const Reservation& reservation) {
  const auto& job = cluster_.job(reservation.job);
  const auto& request = cluster_.request(job.request);
  const auto moved = late_.find(reservation.id);
  const auto start = moved == late_.end() ? reservation.start : moved->second;
  timeline.add(use_of(
      job, request, node, start, start + cluster_.limit_on(request, reservation.nodes),
      node.policy.access.value_or(request.access), amount_on(node.id, reservation.nodes, request)));
}

std::uint32_t ModelOfCluster::attributes_of(const Node& node) const {
  return cluster_.occupancy(node.id).kind * static_cast<std::uint32_t>(cluster_.partitions.size()) +
         node.partition.raw();
}

Seconds ModelOfCluster::closed_for(const Node& node) const {
  const auto& policy = settings_.node;
  const auto delay =
      policy.down_state_delay > Seconds(0) ? policy.down_state_delay : policy.down_node_delay;
  if (!node.available() && delay >= kUnlimited) return kUnlimited;
  Seconds closed(0);
  if (!node.available()) closed = std::max(delay, Seconds(1));
  if (cluster_.occupancy(node.id).closed)
    closed = std::max({closed, settings_.poll_interval, Seconds(1)});
  return closed;
}

bool ModelOfCluster::names_users(const Node& node) const {
  return cluster_.users_matter() || settings_.node_access == NodeAccess::single_user ||
         node.policy.max_jobs_per_user > 0;
}

av::Use ModelOfCluster::use_of(const Job& job, const Request& request, const Node& node, Time start,
                               Time end, NodeAccess access, const Resources& amount) {
  av::Use use;
  use.start = start;
  use.end = end;
  use.amount = model_.tables().amount(amount);
  use.access = access;
  if (names_users(node)) use.user = job.credentials.user;
  const auto last = std::max(end, now_ + Seconds(1));
  std::vector<std::uint32_t> inside;
  for (const auto& terms : sets_->terms(sets_->of(job, request, last - start))) {
    const auto& block = cluster_.reservation(terms.reservation);
    if (std::min(last, block.end) - std::max(start, block.start) <= terms.overlap)
      inside.push_back(terms.reservation.raw());
  }
  use.inside = model_.tables().reservations(std::move(inside));
  return use;
}

void ModelOfCluster::hold(const Job& job, const Request& request, const Placement& placement,
                          Time start) {
  const Time end = start + cluster_.limit_on(request, placement);
  std::map<NodeId, Resources> amounts;
  for (const auto& share : placement)
    amounts[share.node].add(request.requirements[share.requirement].per_task, share.tasks);
  for (const auto& [id, amount] : amounts) {
    const auto& node = cluster_.node(id);
    model_.hold(av::NodeRuns(av::NodeRun{id.raw(), id.raw() + 1}),
                use_of(job, request, node, start, end, node.policy.access.value_or(request.access),
                       amount));
  }
}

void ModelOfCluster::question_of(Asked& asked, const Job& job, const Request& request,
                                 PartitionId partition) {
  const auto& wanted = request.requirements.front();
  av::QuestionClass of;
  of.per_task = wanted.per_task;
  of.access = request.access;
  of.user = job.credentials.user;
  const auto kinds = serving_kinds(cluster_, request, wanted);
  for (const auto serves : kinds)
    for (std::uint32_t tried = 0; tried < cluster_.partitions.size(); ++tried)
      of.serves.push_back(serves != 0 && in_reach(request, PartitionId(tried), partition));
  const auto set = sets_->of(job, request);
  for (const auto& terms : sets_->terms(set))
    of.terms.push_back({terms.reservation.raw(), terms.overlap, terms.affinity});
  of.confined = sets_->confined(set);
  asked.question = {model_.class_of(of), wanted.tasks, request.limit, request.limit};
  if (wanted.shaped()) asked.question.shape = &wanted;
  if (!request.names_nodes()) return;
  for (const auto& node : cluster_.nodes())
    if (request.may_use(node.id)) asked.among.add(av::NodeRun{node.id.raw(), node.id.raw() + 1});
  asked.question.among = &asked.among;
  if (request.host_list_use != HostListUse::all_of) return;
  for (const auto id : request.host_list) asked.hosts.add(av::NodeRun{id.raw(), id.raw() + 1});
  asked.question.each_of = &asked.hosts;
}

std::optional<ModelOfCluster::Answer> ModelOfCluster::placed(const Asked& asked,
                                                             const Request& request,
                                                             PartitionId partition, Time start,
                                                             bool sparing) {
  Answer answer{start, {}, false};
  const auto policy = node_allocation(cluster_, settings_, partition);
  if (!chosen_by_kind(policy) || settings_.node.local_tasks) return answer;
  // The timeline looks at time limits of access differently after a stay than during it.
  const auto& terms = model_.question_class(asked.question.of).terms;
  const bool limited = std::any_of(terms.begin(), terms.end(),
                                   [](const av::Terms& one) { return one.overlap < kUnlimited; });
  answer.has_nodes = !(limited && sparing && policy == NodeAllocation::last_available);
  av::Preference preference;
  preference.by_time = policy == NodeAllocation::last_available;
  preference.sparing = sparing;
  preference.upwards =
      policy == NodeAllocation::first_available || policy == NodeAllocation::fastest;
  std::vector<int> rank;
  const auto ranked = [&](auto value) {
    std::set<decltype(value(cluster_.nodes().front()))> all;
    for (const auto& node : cluster_.nodes()) all.insert(value(node));
    rank.assign(cluster_.kinds() * cluster_.partitions.size(), 0);
    for (const auto& node : cluster_.nodes())
      rank[attributes_of(node)] =
          static_cast<int>(std::distance(all.begin(), all.find(value(node))));
  };
  if (policy == NodeAllocation::min_resource) ranked(configured_size);
  if (policy == NodeAllocation::fastest) {
    ranked(pace_of);
    for (auto& place : rank) place = -place;
  }
  preference.rank = rank;
  std::vector<Offer> offers;
  for (const auto& share : model_.in_order(asked.question, start, preference,
                                           static_cast<int>(cluster_.nodes().size()))) {
    offers.emplace_back();
    offers.back().node = NodeId(share.node);
    offers.back().tasks = share.tasks;
  }
  const auto& wanted = request.requirements.front();
  if (asked.question.each_of)
    std::stable_partition(offers.begin(), offers.end(),
                          [&](const Offer& offer) { return request.lists(offer.node); });
  auto placement = asked.question.each_of
                       ? place_on_hosts(wanted, 0, offers, request.host_list.size())
                       : place(wanted, 0, offers);
  if (!placement) return std::nullopt;
  answer.placement = std::move(*placement);
  return answer;
}

ModelOfCluster::Reluctance ModelOfCluster::reluctance(const Job& job, const Request& request,
                                                      const Asked& asked, const Answer& answer) {
  const auto stay = cluster_.limit_on(request, answer.placement);
  const auto terms = sets_->terms(sets_->when(sets_->of(job, request, stay), answer.start, stay));
  Reluctance found;
  if (std::all_of(terms.begin(), terms.end(),
                  [](const AccessTerms& one) { return one.affinity == Affinity::neutral; }))
    return found;
  const auto& of = model_.question_class(asked.question.of);
  for (const auto& share : answer.placement) {
    const auto affinity = av::affinity_of(of, model_.timeline_of(share.node.raw()),
                                          av::Stay{answer.start, stay}, now_);
    if (affinity == Affinity::negative) found.repelled += share.tasks;
    if (affinity == Affinity::neutral) found.indifferent += share.tasks;
  }
  return found;
}

template <class In>
std::optional<ModelOfCluster::Answer> ModelOfCluster::first_in_partitions(const Job& job,
                                                                          const Request& request,
                                                                          Time from, Time not_after,
                                                                          In in) {
  std::optional<Answer> best;
  Reluctance least;
  for (const auto partition : usable_partitions(cluster_, request)) {
    // Later places are no better, and equally early ones only where affinity draws the job more.
    if (best) not_after = least == Reluctance{} ? best->start - Seconds(1) : best->start;
    if (not_after < from) break;
    Asked asked;
    question_of(asked, job, request, partition);
    auto answer = in(asked, partition, not_after);
    if (!answer) continue;
    const auto here = reluctance(job, request, asked, *answer);
    if (best && answer->start == best->start && !(here < least)) continue;
    best = std::move(answer);
    least = here;
  }
  return best;
}

std::optional<ModelOfCluster::Answer> ModelOfCluster::earliest(const Job& job,
                                                               const Request& request, Time from,
                                                               Time not_after) {
  if (sets_->nowhere(sets_->of(job, request))) return std::nullopt;
  const auto in = [&](Asked& asked, PartitionId partition, Time bound) -> std::optional<Answer> {
    for (Time start = from; start <= bound && start < kForever;) {
      const auto met = model_.earliest(asked.question, start, bound);
      if (!met) break;
      if (auto answer = placed(asked, request, partition, *met, true)) return answer;
      // Enough room, but not of the shape that host lists ask for.
      start = model_.next_change(*met, asked.question.of, asked.question.stay);
    }
    return std::nullopt;
  };
  return first_in_partitions(job, request, from, not_after, in);
}

std::optional<ModelOfCluster::Answer> ModelOfCluster::fits_now(const Job& job,
                                                               const Request& request,
                                                               Seconds at_least) {
  const auto in = [&](Asked& asked, PartitionId partition, Time) -> std::optional<Answer> {
    asked.question.duration = std::max(asked.question.duration, at_least);
    if (!model_.fits_now(asked.question)) return std::nullopt;
    return placed(asked, request, partition, now_, false);
  };
  return first_in_partitions(job, request, now_, now_, in);
}

}  // namespace maui::test
