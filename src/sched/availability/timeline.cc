#include "sched/availability/timeline.h"

#include <algorithm>

#include "model/placement.h"
#include "sched/availability/late_starts.h"
#include "sched/availability/several_requirements.h"
#include "sched/placement/feasibility.h"

namespace maui {

void Timeline::begin(const Cluster& cluster, const Settings& settings, Time now,
                     bool keep_job_reservations, Askers askers) {
  cluster_ = &cluster;
  now_ = now;
  held_.clear();
  taken_.clear();
  later_ = partly_ = 0;
  started_procs_ = 0;
  vacated_.clear();
  pinned_ = dislodged_ = false;
  forget_counts();
  effort_ = {};
  trial_.reset();
  model_.update(cluster, settings, now, askers);
  trial_.emplace(model_.model());
  if (!keep_job_reservations) return;
  const OnNodes there{
      [this](const Reservation& reservation, Time start) {
        const auto& job = cluster_->job(reservation.job);
        return model_.has_room(job, cluster_->request(job.request), reservation.nodes, start);
      },
      [this](const Reservation& reservation) { return model_.ends_on(reservation.nodes); }};
  const auto late = late_starts(cluster, now, there);
  for (const auto id : cluster.reservations()) {
    const auto& reservation = cluster.reservation(id);
    if (reservation.kind != ReservationKind::job) continue;
    const auto& job = cluster.job(reservation.job);
    const auto moved = late.find(id);
    const Time start = moved == late.end() ? reservation.start : moved->second;
    if (start < kForever)
      hold(job, cluster.request(job.request), reservation.nodes, start);
    else
      dislodged_ = true;
  }
}

// --- changes ------------------------------------------------------------

Timeline::Taken& Timeline::take(const Held& held) {
  Taken taken;
  taken.begun = held.start <= now_;
  if (!taken.begun) {
    taken.later = held;
    ++later_;
  } else {
    taken.holding = holding_of(held);
    model_.hold(taken.holding);
  }
  forget_counts();
  return taken_.emplace(held.job, std::move(taken))->second;
}

void Timeline::forget_counts() {
  free_procs_.reset();
  beside_.reset();
}

ClusterModel::Holding Timeline::holding_of(const Held& held) {
  return model_.holding_of(*held.of, *held.request, held.placement, held.start);
}

ClusterModel& Timeline::model_now() {
  for (auto at = taken_.begin(); later_ > 0 && at != taken_.end(); ++at) {
    auto& taken = at->second;
    if (!taken.outside()) continue;
    const Held& held = *taken.later;
    taken.holding =
        model_.holding_on_free_nodes(*held.of, *held.request, held.placement, held.start);
    model_.hold(taken.holding);
    taken.partly = true;
    --later_;
    ++partly_;
  }
  return model_;
}

ClusterModel& Timeline::whole_model() {
  for (auto at = taken_.begin(); later_ + partly_ > 0 && at != taken_.end(); ++at) {
    auto& taken = at->second;
    if (!taken.later) continue;
    auto whole = holding_of(*taken.later);
    model_.hold(taken.partly ? ClusterModel::without(whole, taken.holding) : whole);
    --(taken.partly ? partly_ : later_);
    taken.holding = std::move(whole);
    taken.later.reset();
    taken.partly = false;
  }
  return model_;
}

void Timeline::give_back(JobId job) {
  const auto [first, last] = taken_.equal_range(job);
  // Shares that enter the model later must find the nodes as they were when taken.
  const auto own =
      std::count_if(first, last, [](const auto& taken) { return taken.second.outside(); });
  // What is reserved on nodes that become free now must be in the model, too.
  const bool begun = std::any_of(first, last, [](const auto& taken) { return taken.second.begun; });
  if (later_ > static_cast<std::size_t>(own) || begun) whole_model();
  for (auto taken = first; taken != last; ++taken) withdraw(taken->second);
  taken_.erase(first, last);
  forget_counts();
}

void Timeline::withdraw(const Taken& taken) {
  started_procs_ -= taken.procs;
  if (taken.outside()) {
    --later_;
    return;
  }
  model_.release(taken.holding);
  if (taken.partly) --partly_;
}

bool Timeline::too_few_procs(const Request& request) const {
  return vacated_.empty() && cluster_->counts().open_procs - started_procs_ < request.total_procs();
}

void Timeline::hold(const Job& job, const Request& request, const Placement& placement,
                    Time start) {
  const Held held{job.id, &job, &request, start, placement};
  Taken& taken = take(held);
  if (start > now_) {
    held_.push_back(held);
  } else {
    taken.procs = request.total_procs();
    started_procs_ += taken.procs;
  }
}

void Timeline::release(JobId job) {
  give_back(job);
  std::erase_if(held_, [&](const Held& held) { return held.job == job; });
}

void Timeline::pin(const Job& job, const Request& request, const Placement& placement, Time start) {
  pinned_ = true;
  take({job.id, &job, &request, start, placement});
  whole_model();  // the request need not outlive this call
}

void Timeline::vacate(JobId job) {
  if (std::find(vacated_.begin(), vacated_.end(), job) != vacated_.end()) return;
  vacated_.push_back(job);
  whole_model().vacate(job);
  forget_counts();
}

void Timeline::put_back(JobId job) {
  if (std::erase(vacated_, job) == 0) return;
  model_.put_back(job);
  forget_counts();
}

const Timeline::Held* Timeline::held_by(JobId job) const {
  if (!taken_.contains(job)) return nullptr;
  for (const auto& held : held_)
    if (held.job == job) return &held;
  return nullptr;
}

void Timeline::restate_held(JobId job, Time start, Placement placement) {
  const auto held =
      std::find_if(held_.begin(), held_.end(), [job](const Held& one) { return one.job == job; });
  if (held == held_.end()) return;
  held->start = start;
  held->placement = std::move(placement);
}

// --- one variant of a request -----------------------------------------------------

namespace {

RequirementQuestion question_of(const Job& job, const Request& request, const Variant* variant,
                                PartitionId partition, Seconds at_least = Seconds(0)) {
  return {job,
          request,
          0,
          partition,
          variant ? variant->stay : request.limit,
          variant ? &variant->kinds.front() : nullptr,
          at_least};
}

}  // namespace

Timeline::Reluctance Timeline::reluctance(const Job& job, const Request& request,
                                          const Slot& slot) {
  Reluctance found;
  auto& sets = access_sets();
  if (!sets.any()) return found;
  const auto stay = cluster_->limit_on(request, slot.placement);
  const auto set = sets.when(sets.of(job, request, stay), slot.start, stay);
  const auto terms = sets.terms(set);
  if (std::all_of(terms.begin(), terms.end(),
                  [](const AccessTerms& term) { return term.affinity == Affinity::neutral; }))
    return found;
  for (const auto& share : slot.placement) {
    const auto affinity = whole_model().affinity(share.node, set, slot.start, stay);
    if (affinity == Affinity::negative) found.repelled += share.tasks;
    if (affinity == Affinity::neutral) found.indifferent += share.tasks;
  }
  return found;
}

// Returns the earliest slot; among equal starts, the one with the strongest affinity, else the one
// in the first partition.
std::optional<Slot> Timeline::first_in_partitions(
    const Job& job, const Request& request, Time from, Time not_after,
    const std::function<std::optional<Slot>(PartitionId, Time not_after)>& in) {
  std::optional<Slot> best;
  Reluctance least;
  for (const auto partition : usable_partitions(*cluster_, request)) {
    if (best) not_after = least == Reluctance{} ? best->start - Seconds(1) : best->start;
    if (not_after < from) break;
    auto slot = in(partition, not_after);
    if (!slot) continue;
    const auto here = reluctance(job, request, *slot);
    if (best && slot->start == best->start && !(here < least)) continue;
    best = std::move(slot);
    least = here;
  }
  return best;
}

std::optional<Slot> Timeline::now_in_variant(const Job& job, const Request& request,
                                             const Variant* variant, Seconds at_least) {
  const bool takes_procs =
      std::all_of(request.requirements.begin(), request.requirements.end(),
                  [](const Requirement& requirement) { return requirement.per_task.procs() > 0; });
  // Tasks without processors also fit on nodes without a free processor.
  ClusterModel& model = takes_procs ? model_now() : whole_model();
  const auto in = [&](PartitionId partition) -> std::optional<Placement> {
    if (request.requirements.size() > 1)
      return SeveralRequirements(model, job, request, variant,
                                 effort_.share_of(job.credentials.user))
          .place(partition, now_, at_least);
    const auto question = question_of(job, request, variant, partition, at_least);
    ClusterModel::Asked asked;
    model.fill(asked, question);
    if (!model.model().fits_now(asked.question)) return std::nullopt;
    return model.place(asked, now_, false);
  };
  auto slot = first_in_partitions(job, request, now_, now_,
                                  [&](PartitionId partition, Time) -> std::optional<Slot> {
                                    auto placement = in(partition);
                                    if (!placement) return std::nullopt;
                                    return Slot{now_, partition, std::move(*placement)};
                                  });
  if (slot) return slot;
  if (at_least <= shortest_stay(*cluster_, request) && repacks_for(request) &&
      first_by_count(request, now_, now_))
    if (auto placement = repack(job, request, now_))
      return Slot{now_, partition_of(*cluster_, *placement), *std::move(placement)};
  return std::nullopt;
}

const Reservation* Timeline::kept_reservation(const Job& job, const Request& request,
                                              const Variant* variant) const {
  const auto id = job.reservation;
  if (variant || !id.valid() || cluster_->freed_since_reserved()) return nullptr;
  const auto& wanted = request.requirements.front();
  const auto& kept = cluster_->reservation(id);
  const bool as_asked = &request == &cluster_->request(job.request) && !wanted.shaped() &&
                        !request.names_nodes() && task_count(kept.nodes) == wanted.tasks;
  return as_asked ? &kept : nullptr;
}

std::optional<Slot> Timeline::earliest_of_one(const Job& job, const Request& request,
                                              const Variant* variant, Time from, Time not_after) {
  const auto* kept = kept_reservation(job, request, variant);
  const auto in = [&](PartitionId partition, Time bound) -> std::optional<Slot> {
    auto& model = whole_model();
    const auto question = question_of(job, request, variant, partition);
    ClusterModel::Asked asked;
    model.fill(asked, question);
    for (Time start = from; start <= bound && start < kForever;) {
      const auto met = model.model().earliest(asked.question, start, bound);
      if (!met) break;
      if (kept && kept->start == *met && model.fits_on(asked, kept->nodes, *met))
        return Slot{*met, partition, kept->nodes};
      if (auto placement = model.place(asked, *met, *met > now_))
        return Slot{*met, partition, std::move(*placement)};
      // There is enough room, but not in the shape that the host lists require.
      start = model.next_change(*met, question);
    }
    return std::nullopt;
  };
  return first_in_partitions(job, request, from, not_after, in);
}

std::optional<Slot> Timeline::earliest_in_variant(const Job& job, const Request& request,
                                                  const Variant* variant, Time from,
                                                  Time not_after) {
  if (request.requirements.size() > 1) {
    SeveralRequirements several(whole_model(), job, request, variant,
                                effort_.share_of(job.credentials.user));
    return first_in_partitions(job, request, from, not_after,
                               [&](PartitionId partition, Time bound) {
                                 return several.earliest(partition, from, bound);
                               });
  }
  if (held_.empty() || !interchangeable(request))
    return earliest_of_one(job, request, variant, from, not_after);
  // No earlier time is possible.
  const auto first = first_by_count(request, from, not_after);
  if (!first) return std::nullopt;
  auto placement = place(job, request, *first);
  if (!placement) placement = repack(job, request, *first);
  if (placement) return Slot{*first, partition_of(*cluster_, *placement), *std::move(placement)};
  return earliest_of_one(job, request, variant, *first, not_after);
}

// --- questions ------------------------------------------------------------

std::optional<Slot> Timeline::fits_now(const Job& job, const Request& request, Seconds at_least) {
  if (too_few_procs(request)) return std::nullopt;
  if (!request.node_set && !request.by_speed)
    return now_in_variant(job, request, nullptr, at_least);
  return now_by_variants(job, request, [&](const Variant* variant, Time, Time) {
    return now_in_variant(job, request, variant, at_least);
  });
}

bool Timeline::may_fit_now(const Job& job, const Request& request, Seconds stay) {
  if (too_few_procs(request)) return false;
  if (request.node_set || request.by_speed || request.requirements.size() != 1 ||
      request.requirements.front().per_task.procs() <= 0)
    return true;
  if (repacks_for(request)) return true;
  const auto partitions = usable_partitions(*cluster_, request);
  return std::any_of(partitions.begin(), partitions.end(), [&](PartitionId partition) {
    return may_fit_now({job, request, 0, partition, stay});
  });
}

// Most jobs do not fit, and the reservation need not enter the model to show that: a job that ends
// before the reservation begins does not meet it, and one that runs on has only the room beside it.
bool Timeline::may_fit_now(const RequirementQuestion& question) {
  ClusterModel::Asked asked;
  model_.fill(asked, question);
  const Held* later = only_later();
  if (later && now_ + question.stay > later->start) {
    const Beside& beside = room_beside(*later);
    if (beside.of == asked.question.of && beside.tasks && *beside.tasks < asked.question.tasks)
      return false;
    later = nullptr;
  }
  return (later ? model_ : model_now()).model().fits_now(asked.question);
}

const Timeline::Held* Timeline::only_later() const {
  if (later_ != 1 || held_.size() != 1) return nullptr;
  const auto at = taken_.find(held_.front().job);
  return at != taken_.end() && at->second.outside() ? &*at->second.later : nullptr;
}

const Timeline::Beside& Timeline::room_beside(const Held& later) {
  if (beside_) return *beside_;
  if (later.request->requirements.size() > 1) return beside_.emplace();
  const auto partition =
      later.request->span ? PartitionId() : partition_of(*cluster_, later.placement);
  const auto question = question_of(*later.of, *later.request, nullptr, partition);
  ClusterModel::Asked asked;
  model_.fill(asked, question);
  const auto of = asked.question.of;
  auto tasks = model_.model().most_room_at(of, later.start);
  if (tasks) *tasks -= task_count(later.placement);
  return beside_.emplace(Beside{of, tasks});
}

std::optional<Slot> Timeline::earliest(const Job& job, const Request& request, Time from,
                                       Time not_after) {
  from = std::max(from, now_);
  if (access_sets().nowhere(access_sets().of(job, request))) return std::nullopt;
  if (!request.node_set && !request.by_speed)
    return earliest_in_variant(job, request, nullptr, from, not_after);
  return earliest_by_variants(job, request, from, not_after,
                              [&](const Variant* variant, Time first, Time last) {
                                return earliest_in_variant(job, request, variant, first, last);
                              });
}

}  // namespace maui
