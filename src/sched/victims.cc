#include "sched/victims.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "model/placement.h"
#include "sched/cycle_state.h"
#include "sched/placement/completion_date.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/node_sets.h"
#include "sched/priority/priority.h"
#include "sched/rules/next_iteration.h"
#include "sched/settled_starts.h"
#include "sched/suspended.h"
#include "sched/victim_choice.h"

namespace maui {
namespace {

// A start or resumption of one job is taken back no more often in one cycle.
constexpr int kMostTurns = 3;

// Hashes a number such that adjacent numbers are scattered; equal on every machine.
std::uint64_t scattered(std::uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ value >> 27) * 0x94d049bb133111ebULL;
  return value ^ value >> 31;
}

}  // namespace

Victims::Victims(CycleState& state, const OwnedReservations& owned)
    : state_(state),
      owned_(owned),
      candidates_(state, owned),
      requeued_(state, candidates_),
      in_order_(preempts_backfilled(state.settings()) &&
                state.settings().jobs.backfill_victim != BackfillVictim::least_harm) {
  add_active();
}

bool Victims::none() {
  add_planned();
  return left_ == 0;
}

std::optional<Victims::Candidate> Victims::candidate(const Job& job, const Request& request,
                                                     std::uint16_t flags) const {
  const bool by_heads = candidates_.taken_by_heads(request);
  auto kinds = kinds_given_by(state_.flags(), flags);
  if (by_heads && has(flags, JobFlag::backfill)) kinds |= bit(VictimKind::backfilled);
  if (owned_.any()) kinds |= bit(VictimKind::guest);
  if (kinds == 0) return std::nullopt;
  Candidate made;
  made.job = job.id;
  made.kinds = kinds;
  made.takes = preemptible_by(state_.flags(), job) | (by_heads ? kTakenByHeads : 0U);
  made.procs = request.total_procs();
  return made;
}

void Victims::add_active() {
  const auto& cluster = state_.cluster();
  std::vector<JobId> jobs;
  for (const auto& row : cluster.active()) {
    const auto flags = state_.flags().of(cluster, row);
    const auto& job = cluster.job(row.job);
    auto made = candidate(job, cluster.request(row.request), flags);
    if (!made) continue;
    const bool backfilled = has(job.flags, JobFlag::backfill) &&
                            candidates_.taken_by_heads(cluster.request(row.request));
    made->harm = harm_of(job, backfilled);
    made->last = in_order_ && !backfilled;
    candidates_.add(*std::move(made));
    jobs.push_back(row.job);
  }
  left_ = candidates_.size();
  note_settled();
  if (candidates_.size() == 0) return;
  const auto priorities = priorities_of(cluster, state_.settings(), state_.now(), jobs);
  for (std::size_t i = 0; i < candidates_.size(); ++i) candidates_[i].priority = priorities[i];
}

void Victims::note_settled() {
  for (const SettledStart& settled : state_.settled())
    for (const PreemptJob& victim : settled.victims) {
      std::size_t i = 0;
      while (i < candidates_.size() && candidates_[i].job != victim.job) ++i;
      if (i == candidates_.size()) continue;
      candidates_[i].taken = true;
      candidates_[i].waits = victim.how != Preemption::suspend;
      --left_;
      victims_of_[settled.start.job].push_back(i);
      made_room_ = true;
    }
}

void Victims::add_planned() {
  const auto& cluster = state_.cluster();
  const auto& decisions = state_.plan().decisions;
  for (; seen_ < decisions.size(); ++seen_) {
    if (const auto* start = std::get_if<StartJob>(&decisions[seen_])) {
      const Job& job = cluster.job(start->job);
      auto flags = state_.flags().of(job);
      put(flags, JobFlag::backfill, start->backfilled);
      // A kept reservation blocks preemptors that may take the job once it runs.
      if (job.reservation.valid() && keeps_reservations(state_.settings())) failures_.clear();
      add_planned(start->job, flags, start->priority,
                  {started_request(cluster, *start), start->placement});
    } else if (const auto* resumption = std::get_if<ResumeJob>(&decisions[seen_])) {
      auto& pins = state_.pins();
      const auto pin = std::find_if(pins.begin(), pins.end(),
                                    [&](const Pin& one) { return one.job == resumption->job; });
      const Job& job = cluster.job(resumption->job);
      if (pin != pins.end())
        add_planned(job.id, state_.flags().of(job), pin->priority,
                    {pin->rest, job.placement, &*pin});
    }
  }
}

void Victims::add_planned(JobId id, std::uint16_t flags, std::int64_t priority, Planned planned) {
  if (std::count(put_off_.begin(), put_off_.end(), id) >= kMostTurns) return;
  auto made = candidate(state_.cluster().job(id), planned.shape, flags);
  if (!made) return;
  made->priority = priority;
  if (const auto left = victims_of_.find(id); left != victims_of_.end())
    planned.victims = left->second;
  made->planned = std::make_unique<const Planned>(std::move(planned));
  candidates_.add(*std::move(made));
  ++left_;
}

// Returns the processor-seconds that the job has run, unless BFPRIORITYPOLICY says otherwise.
double Victims::harm_of(const Job& job, bool backfilled) const {
  const auto run = static_cast<double>(job.run_so_far(state_.now()).raw());
  if (backfilled && state_.settings().jobs.backfill_victim == BackfillVictim::duration) return run;
  if (backfilled && state_.settings().jobs.backfill_victim == BackfillVictim::random)
    return static_cast<double>(scattered(job.arrival));
  return run * state_.cluster().request(job.request).total_procs();
}

bool Victims::may_take(std::size_t index, std::size_t rank, unsigned victim_kinds) {
  const auto& candidate = candidates_[index];
  const auto& job = state_.job(rank);
  const auto& victim = state_.cluster().job(candidate.job);
  const auto kinds = candidate.kinds & victim_kinds;
  if ((kinds & bit(VictimKind::guest)) != 0 &&
      owned_.guest_of(job, victim, candidates_.nodes_of(candidate), state_.flags()))
    return true;
  const auto above = [&] { return above_in_queue(rank, index); };
  return flags_allow(candidate, rank, kinds, above) &&
         !candidates_.would_be_guest_of(index, job, candidates_.nodes_of(candidate));
}

bool Victims::could_take(std::size_t rank, unsigned victim_kinds, std::size_t upper) {
  const Job& job = state_.job(upper);
  if ((victim_kinds & bit(VictimKind::guest)) != 0 && !owned_.owner(job)) return true;
  auto one = candidate(job, state_.request(upper), state_.flags().of(job));
  if (!one) return false;
  one->priority = priority(upper);
  one->planned = std::make_unique<const Planned>();
  return flags_allow(*one, rank, one->kinds & victim_kinds, [] { return false; });
}

bool Victims::flags_allow(const Candidate& candidate, std::size_t rank, unsigned kinds,
                          const std::function<bool()>& above) {
  const auto by_flags = kinds & (bit(VictimKind::preemptee) | bit(VictimKind::restartable));
  if (by_flags == 0 && (kinds & bit(VictimKind::backfilled)) == 0) return false;
  if (candidate.priority > (candidate.planned ? priority_soon(rank) : priority(rank))) return false;
  const bool by_place =
      by_flags == 0 || candidates_.could_take_each_other(candidate, state_.job(rank));
  return !by_place || above();
}

std::int64_t Victims::priority(std::size_t rank) const {
  return state_.plan().order[rank].priority;
}

std::int64_t Victims::priority_soon(std::size_t rank) {
  if (!at_next_)
    at_next_.emplace(state_.cluster(), state_.settings(),
                     state_.now() + until_next_iteration(state_.settings()));
  return std::max(priority(rank), at_next_->breakdown(state_.job(rank)).priority);
}

// The priority of a running job stands still while that of a waiting one grows, so both are
// compared as if they waited.
bool Victims::above_in_queue(std::size_t rank, std::size_t index) {
  const auto mine = priority(rank);
  const auto its = candidates_.in_queue(index);
  if (its != mine) return its < mine;
  return earlier_in_queue(state_.job(rank), state_.cluster().job(candidates_[index].job));
}

Victims::Chosen Victims::takable(std::size_t rank, const Request& request, unsigned victim_kinds) {
  if (none()) return {};
  const auto& cluster = state_.cluster();
  std::vector<char> serves(cluster.kinds(), 0);
  for (std::uint32_t i = 0; i < request.requirements.size(); ++i) {
    const auto kinds = serving_kinds(cluster, request, request.requirements[i]);
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
      if (kinds[kind]) serves[kind] = 1;
  }
  Chosen among;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const auto& candidate = candidates_[i];
    if (candidate.taken || !may_take(i, rank, victim_kinds)) continue;
    const auto& placement = candidates_.nodes_of(candidate);
    if (std::any_of(placement.begin(), placement.end(), [&](const NodeTasks& share) {
          return serves[cluster.occupancy(share.node).kind] != 0;
        }))
      among.push_back(i);
  }
  std::sort(among.begin(), among.end(),
            [this](std::size_t a, std::size_t b) { return candidates_.less_harm(a, b); });
  return among;
}

Victims::Chosen Victims::spare(const Chosen& chosen, const Job& job, const Request& request) {
  Chosen left;
  for (const auto i : chosen)
    if (const auto& planned = candidates_[i].planned)
      left.insert(left.end(), planned->victims.begin(), planned->victims.end());
  const Chosen still = VictimChoice(state_, candidates_, job, request).needed(left);
  std::erase_if(
      left, [&](std::size_t i) { return std::find(still.begin(), still.end(), i) != still.end(); });
  return state_.throttling().any() ? spared_by_limits(left, job, request) : left;
}

Victims::Chosen Victims::spared_by_limits(const Chosen& among, const Job& job,
                                          const Request& request) {
  Chosen spared;
  for (const auto i : among) {
    const Job& staying = state_.cluster().job(candidates_[i].job);
    state_.count_again(staying);
    if (within_limits(job, request, {})) {
      spared.push_back(i);
    } else {
      state_.discount(staying);
      candidates_.lay_off({i});
    }
  }
  for (const auto i : spared) state_.discount(state_.cluster().job(candidates_[i].job));
  return spared;
}

void Victims::take(const Chosen& chosen, const Chosen& spared, JobId preemptor,
                   unsigned victim_kinds, StepAside& aside) {
  for (const auto i : chosen) {
    auto& victim = candidates_[i];
    victim.taken = true;
    --left_;
    if (victim.planned) {
      note_displaced(state_, preemptor, victim.job);
      take_planned(victim, spared, preemptor, aside);
      continue;
    }
    const auto& job = state_.cluster().job(victim.job);
    const bool by_flag = (victim.kinds & victim_kinds &
                          (bit(VictimKind::preemptee) | bit(VictimKind::backfilled))) != 0;
    const bool consents = by_flag || ((victim.kinds & victim_kinds & bit(VictimKind::guest)) != 0 &&
                                      owned_.guest_of(state_.cluster().job(preemptor), job,
                                                      job.placement, state_.flags()));
    const auto how = consents ? state_.settings().jobs.preemption : Preemption::requeue;
    state_.commit_preemption(job, how, preemptor);
    victim.waits = how != Preemption::suspend;
    if (how == Preemption::suspend) aside.keep_for(job, victim.priority);
    victims_of_[preemptor].push_back(i);
  }
  seen_ = state_.plan().decisions.size();
  failures_.clear();  // these jobs may leave more than was needed
  made_room_ = true;
  some_left_ = some_left_ || !chosen.empty();
}

void Victims::take_planned(const Candidate& victim, const Chosen& spared, JobId preemptor,
                           StepAside& aside) {
  const Planned& planned = *victim.planned;
  put_off_.push_back(victim.job);
  state_.plan().displaced = true;
  if (planned.pin) return aside.wait(*planned.pin);
  taken_back_.push_back(state_.undo_start(victim.job, planned.shape, planned.nodes));
  victims_of_.erase(victim.job);
  for (const auto i : planned.victims) {
    Candidate& left = candidates_[i];
    if (std::find(spared.begin(), spared.end(), i) != spared.end()) {
      left.taken = left.waits = false;
      ++left_;
      state_.undo_preemption(state_.cluster().job(left.job));
      aside.forget(left.job);
    } else {
      state_.leave_for(left.job, preemptor);
      victims_of_[preemptor].push_back(i);
    }
  }
}

void Victims::leave_to_victims() {
  add_planned();
  const auto kept_for = [this](JobId id) {
    return std::find(kept_for_.begin(), kept_for_.end(), id) != kept_for_.end();
  };
  Chosen waiting;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (candidates_[i].waits && !kept_for(candidates_[i].job)) waiting.push_back(i);
  std::stable_sort(waiting.begin(), waiting.end(), [this](std::size_t a, std::size_t b) {
    return candidates_[a].priority > candidates_[b].priority;
  });
  for (const auto index : waiting) {
    if (!candidates_[index].waits) continue;  // it stays by now
    const Job& job = state_.cluster().job(candidates_[index].job);
    const Request& request = state_.cluster().request(job.request);
    auto among = requeued_.takable(index, JobId());
    const auto planned = [this](std::size_t i) { return candidates_[i].planned != nullptr; };
    if (std::none_of(among.begin(), among.end(), planned)) continue;
    std::sort(among.begin(), among.end(),
              [this](std::size_t a, std::size_t b) { return candidates_.less_harm(a, b); });
    StepAside aside(state_, candidates_[index].priority);
    const auto denied_before = denied_.size();
    for (const auto i : enough_of(among, job, request))
      if (planned(i)) take_back(i, job.id, aside);
    if (denied_.size() == denied_before) continue;
    if (const auto slot = state_.timeline().fits_now(job, request)) {
      state_.timeline().hold(job, request, slot->placement, state_.now());
      kept_for_.push_back(job.id);
      denied_.resize(denied_before);
    }
  }
}

void Victims::release_kept() {
  for (const JobId id : std::exchange(kept_for_, {})) state_.timeline().release(id);
}

bool Victims::take_back(std::size_t index, JobId taker, StepAside& aside) {
  candidates_.lay_off({index});
  const Chosen victims = candidates_[index].planned->victims;
  Chosen back;
  for (const auto i : victims) {
    const Job& job = state_.cluster().job(candidates_[i].job);
    aside.free(job.id);
    const Request rest = rest_of_active(state_.cluster(), job, state_.now());
    if (!state_.timeline().model().has_room(job, rest, job.placement, state_.now())) break;
    candidates_.put_back({i});
    back.push_back(i);
  }
  if (back.size() < victims.size()) {
    candidates_.lay_off(back);
    candidates_.put_back({index});
    return false;
  }
  candidates_[index].taken = true;
  --left_;
  const auto before = std::exchange(taken_back_, {});
  take_planned(candidates_[index], victims, taker, aside);
  for (const auto rank : std::exchange(taken_back_, before))
    state_.reason(rank) = Reason::idle_procs;
  denied_.push_back(candidates_[index].job);
  failures_.clear();
  return true;
}

bool Victims::within_limits(const Job& job, const Request& request, const Chosen& chosen) {
  if (!state_.throttling().any() && job.deadline >= kForever) return true;
  candidates_.lay_off(chosen);
  const auto slot = state_.timeline().fits_now(job, request);
  candidates_.put_back(chosen);
  if (!slot || state_.now() > latest_start(state_.cluster(), job, request, slot->placement))
    return false;
  if (state_.within_limits(job, request, slot->placement)) return true;
  narrower_ = state_.within_room(job, request, slot->placement);
  return false;
}

bool Victims::may_take_last_start(std::size_t rank, unsigned victim_kinds) {
  add_planned();
  if (candidates_.size() == 0) return false;
  const std::size_t last = candidates_.size() - 1;
  return candidates_[last].planned && !candidates_[last].taken &&
         may_take(last, rank, victim_kinds);
}

bool Victims::may_take_planned(std::size_t rank, unsigned victim_kinds) {
  add_planned();
  const JobId job = state_.job(rank).id;
  if (std::find(denied_.begin(), denied_.end(), job) != denied_.end()) return false;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (candidates_[i].planned && !candidates_[i].taken && may_take(i, rank, victim_kinds))
      return true;
  return false;
}

bool Victims::known_to_fail(Failure attempt) const {
  return std::any_of(failures_.begin(), failures_.end(), [&](const Failure& known) {
    if (known.priority < attempt.priority || known.soon < attempt.soon) return false;
    attempt.priority = known.priority;  // with a lower one, it may take no more
    attempt.soon = known.soon;
    return known == attempt;
  });
}

Victims::Chosen Victims::enough_of(const Chosen& among, const Job& job, const Request& request) {
  VictimChoice choice(state_, candidates_, job, request);
  if (choice.fits()) return {};
  candidates_.lay_off(among);
  const bool possible = choice.fits();
  candidates_.put_back(among);
  if (!possible) return {};
  const auto takes_others = [&](std::size_t candidate, const Slot& slot) {
    return requeued_.would_take_others(candidate, job, request, slot);
  };
  auto chosen =
      in_order(request) ? choice.first(among) : choice.fewest(among, takes_others, attempts_left_);
  if (!within_limits(job, request, chosen)) chosen.clear();
  return chosen;
}

bool Victims::make_room(std::size_t rank, const Request& request, std::size_t alternative,
                        unsigned victim_kinds, Without without) {
  for (;;) {
    std::optional<std::size_t> in_vain;
    const auto start = [&](Room& room, StepAside& aside) {
      in_vain = preempts_in_vain(room, rank, victim_kinds);
      if (in_vain) return false;
      const bool backfilled = room.chosen.empty() && without == Without::as_backfill;
      take(room.chosen, room.spared, state_.job(rank).id, victim_kinds, aside);
      state_.commit_start(rank, std::move(room.slot), backfilled, alternative, request);
      state_.forget_misfits();  // victims may leave more than was needed
      return true;
    };
    if (with_room(rank, request, victim_kinds, without, start)) return true;
    if (!in_vain) return false;
    StepAside aside(state_, priority(rank));
    if (!take_back(*in_vain, state_.job(rank).id, aside)) return false;
  }
}

std::optional<std::size_t> Victims::preempts_in_vain(const Room& room, std::size_t rank,
                                                     unsigned victim_kinds) {
  const auto leaves = [&](std::size_t victim) {
    return std::find(room.spared.begin(), room.spared.end(), victim) == room.spared.end();
  };
  for (const auto i : room.chosen) {
    const auto& planned = candidates_[i].planned;
    if (planned && std::any_of(planned->victims.begin(), planned->victims.end(), [&](auto victim) {
          return leaves(victim) && !may_take(victim, rank, victim_kinds);
        }))
      return i;
  }
  return std::nullopt;
}

std::optional<Victims::Cost> Victims::cost_of(std::size_t rank, const Request& request,
                                              unsigned victim_kinds, Without without) {
  std::optional<Cost> cost;
  with_room(rank, request, victim_kinds, without, [&](const Room& room, StepAside&) {
    cost.emplace();
    for (const auto i : room.chosen) {
      cost->victims += candidates_[i].planned ? 0 : 1;
      cost->harm += candidates_[i].harm;
    }
    return false;
  });
  return cost;
}

bool Victims::with_room(std::size_t rank, const Request& request, unsigned victim_kinds,
                        Without without, const Use& use) {
  add_planned();
  const auto& job = state_.job(rank);
  const auto& ranked = state_.plan().order[rank];
  const Failure failure{ranked.request,
                        ranked.priority,
                        priority_soon(rank),
                        victim_kinds,
                        kinds_given_by(state_.flags(), state_.flags().of(job)),
                        job.credentials,
                        state_.timeline().access_sets().of(job, request),
                        waits_for_set(job, request, state_.now())};
  if (job.alternatives.empty() && known_to_fail(failure)) return false;
  if (state_.now() > latest_start(state_.cluster(), job, request)) return false;
  bool possible = false;
  narrower_.reset();
  if (with_room_in(request, rank, victim_kinds, without, use, possible)) return true;
  // On fewer or faster nodes limits may let it start.
  if (const auto narrower = possible ? std::nullopt : std::exchange(narrower_, std::nullopt))
    if (with_room_in(*narrower, rank, victim_kinds, without, use, possible)) return true;
  if (!possible && job.alternatives.empty()) failures_.push_back(failure);
  return false;
}

bool Victims::with_room_in(const Request& request, std::size_t rank, unsigned victim_kinds,
                           Without without, const Use& use, bool& possible) {
  const Job& job = state_.job(rank);
  const auto& ranked = state_.plan().order[rank];
  const auto among = takable(rank, request, victim_kinds);
  if (among.empty() && !made_room_ && !StepAside::frees_any(state_, ranked.priority)) return false;
  auto& timeline = state_.timeline();
  std::optional<Slot> own;  // its reservation must block neither nodes nor limits of others
  if (const auto* held = timeline.held_by(job.id)) {
    own = Slot{held->start, partition_of(state_.cluster(), held->placement), held->placement};
    state_.release(rank);
  }
  StepAside aside(state_, ranked.priority);
  Room room;
  room.chosen = enough_of(among, job, request);
  candidates_.lay_off(room.chosen);
  for (const auto i : room.chosen)
    if (const auto& planned = candidates_[i].planned)
      for (const auto left : planned->victims) aside.free(candidates_[left].job);
  room.spared = spare(room.chosen, job, request);
  auto slot = timeline.fits_now(job, request);
  const bool alone = without != Without::not_at_all && within_limits(job, request, {});
  // An owner among the victims would take its nodes back.
  const bool lasts = slot && std::none_of(room.chosen.begin(), room.chosen.end(), [&](auto i) {
                       return candidates_.would_be_guest_of(i, job, slot->placement);
                     });
  possible = lasts && (!room.chosen.empty() || alone);
  if (possible) room.slot = *std::move(slot);
  if (possible && use(room, aside)) return true;
  candidates_.lay_off(room.spared);
  candidates_.put_back(room.chosen);
  if (own) state_.hold_reserved(rank, *own);
  return false;
}

}  // namespace maui
