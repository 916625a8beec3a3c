#include "sched/victims.h"

#include <algorithm>
#include <variant>

#include "sched/cycle_state.h"
#include "sched/placement/completion_date.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/node_sets.h"
#include "sched/priority/priority.h"
#include "sched/rules/next_iteration.h"
#include "sched/suspended.h"

namespace maui {
namespace {

// With more candidates than this, sets are not compared exhaustively.
constexpr std::size_t kManyCandidates = 64;
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
  const bool by_heads = taken_by_heads(request);
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

bool Victims::taken_by_heads(const Request& request) const {
  return preempts_backfilled(state_.settings()) &&
         backfill_policy(state_.cluster(), state_.settings(), request) == BackfillPolicy::preempt;
}

void Victims::add_active() {
  const auto& cluster = state_.cluster();
  std::vector<JobId> jobs;
  for (const auto& row : cluster.active()) {
    const auto flags = state_.flags().of(cluster, row);
    const auto& job = cluster.job(row.job);
    auto made = candidate(job, cluster.request(row.request), flags);
    if (!made) continue;
    const bool backfilled =
        has(job.flags, JobFlag::backfill) && taken_by_heads(cluster.request(row.request));
    made->harm = harm_of(job, backfilled);
    made->last = in_order_ && !backfilled;
    candidates_.push_back(*std::move(made));
    jobs.push_back(row.job);
  }
  left_ = candidates_.size();
  if (left_ == 0) return;
  const auto priorities = priorities_of(cluster, state_.settings(), state_.now(), jobs);
  for (std::size_t i = 0; i < candidates_.size(); ++i) candidates_[i].priority = priorities[i];
}

void Victims::add_planned() {
  const auto& cluster = state_.cluster();
  const auto& decisions = state_.plan().decisions;
  for (; seen_ < decisions.size(); ++seen_) {
    if (const auto* start = std::get_if<StartJob>(&decisions[seen_])) {
      const Job& job = cluster.job(start->job);
      const Request& request = cluster.request(job.request);
      auto flags = state_.flags().of(job);
      put(flags, JobFlag::backfill, start->backfilled);
      // A kept reservation blocks preemptors that may take the job once it runs.
      if (job.reservation.valid() && keeps_reservations(state_.settings())) failures_.clear();
      add_planned(
          start->job, flags, start->priority,
          {job.alternatives.empty() ? request
                                    : in_shape(request, job.alternatives[start->alternative]),
           start->placement});
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
  candidates_.push_back(*std::move(made));
  ++left_;
}

const Placement& Victims::nodes_of(const Candidate& candidate) const {
  return candidate.planned ? candidate.planned->nodes
                           : state_.cluster().job(candidate.job).placement;
}

// Returns the processor-seconds that the job has run, unless BFPRIORITYPOLICY says otherwise.
double Victims::harm_of(const Job& job, bool backfilled) const {
  const auto run = static_cast<double>(job.run_so_far(state_.now()).raw());
  if (backfilled && state_.settings().jobs.backfill_victim == BackfillVictim::duration) return run;
  if (backfilled && state_.settings().jobs.backfill_victim == BackfillVictim::random)
    return static_cast<double>(scattered(job.arrival));
  return run * state_.cluster().request(job.request).total_procs();
}

bool Victims::less_harm(std::size_t a, std::size_t b) const {
  const auto& candidate = candidates_[a];
  const auto& other = candidates_[b];
  if (candidate.last != other.last) return other.last;
  if (candidate.harm != other.harm) return candidate.harm < other.harm;
  if (candidate.priority != other.priority) return candidate.priority < other.priority;
  return a > b;
}

bool Victims::may_take(std::size_t index, std::size_t rank, unsigned victim_kinds) {
  const auto& candidate = candidates_[index];
  const auto& job = state_.job(rank);
  const auto& victim = state_.cluster().job(candidate.job);
  const auto kinds = candidate.kinds & victim_kinds;
  if ((kinds & bit(VictimKind::guest)) != 0 &&
      owned_.guest_of(job, victim, nodes_of(candidate), state_.flags()))
    return true;
  const auto by_flags = kinds & (bit(VictimKind::preemptee) | bit(VictimKind::restartable));
  if (by_flags == 0 && (kinds & bit(VictimKind::backfilled)) == 0) return false;
  if (candidate.priority > (candidate.planned ? priority_soon(rank) : priority(rank))) return false;
  const bool both_ways =
      candidate.takes != 0 && kinds_given_by(state_.flags(), state_.flags().of(job)) != 0;
  if ((both_ways || by_flags == 0) && !above_in_queue(rank, index)) return false;
  return !owned_.any() || !owned_.guest_of(victim, job, nodes_of(candidate), state_.flags());
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
  if (in_queue(index) != mine) return in_queue(index) < mine;
  return earlier_in_queue(state_.job(rank), state_.cluster().job(candidates_[index].job));
}

std::int64_t Victims::in_queue(std::size_t index) {
  if (in_queue_.size() < candidates_.size()) {
    std::vector<JobId> jobs;
    for (std::size_t i = in_queue_.size(); i < candidates_.size(); ++i)
      jobs.push_back(candidates_[i].job);
    const auto more = priorities_in_queue(state_.cluster(), state_.settings(), state_.now(), jobs);
    in_queue_.insert(in_queue_.end(), more.begin(), more.end());
  }
  return in_queue_[index];
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
    const auto& placement = nodes_of(candidate);
    if (std::any_of(placement.begin(), placement.end(), [&](const NodeTasks& share) {
          return serves[cluster.occupancy(share.node).kind] != 0;
        }))
      among.push_back(i);
  }
  std::sort(among.begin(), among.end(),
            [this](std::size_t a, std::size_t b) { return less_harm(a, b); });
  return among;
}

bool Victims::fits(const Job& job, const Request& request) {
  return state_.timeline().fits_now(job, request).has_value();
}

void Victims::lay_off(const Chosen& chosen) {
  for (const auto i : chosen)
    if (candidates_[i].planned)
      state_.timeline().release(candidates_[i].job);
    else
      state_.timeline().vacate(candidates_[i].job);
}

void Victims::put_back(const Chosen& chosen) {
  for (const auto i : chosen) {
    const Candidate& candidate = candidates_[i];
    const Job& job = state_.cluster().job(candidate.job);
    auto& timeline = state_.timeline();
    if (!candidate.planned)
      timeline.put_back(job.id);
    else if (candidate.planned->pin)
      timeline.pin(job, candidate.planned->shape, job.placement, state_.now());
    else
      timeline.hold(job, candidate.planned->shape, candidate.planned->nodes, state_.now());
  }
}

std::optional<std::size_t> Victims::one_alone(const Job& job, const Request& request,
                                              const Chosen& among) {
  std::optional<std::size_t> alone;
  for (std::size_t i = 0; i < std::min(among.size(), kManyCandidates); ++i) {
    lay_off({among[i]});
    const auto slot = state_.timeline().fits_now(job, request);
    const bool takes_others = slot && would_take_others(among[i], job, request, *slot);
    put_back({among[i]});
    if (slot && !takes_others) return among[i];
    if (slot && !alone) alone = among[i];
  }
  return alone;
}

bool Victims::would_take_others(std::size_t index, const Job& job, const Request& request,
                                const Slot& slot) {
  const Candidate& victim = candidates_[index];
  const Job& leaves = state_.cluster().job(victim.job);
  const bool waits = state_.settings().jobs.preemption != Preemption::suspend;
  if (victim.planned || !waits) return false;
  const Chosen others = takable_once_it_waits(index, job.id);
  if (others.empty()) return false;
  const Request& again = state_.cluster().request(leaves.request);
  auto& timeline = state_.timeline();
  timeline.hold(job, request, slot.placement, state_.now());
  bool takes_others = !fits(leaves, again);
  if (takes_others) {
    lay_off(others);
    takes_others = fits(leaves, again);
    put_back(others);
  }
  timeline.release(job.id);
  return takes_others;
}

unsigned Victims::takes_once_it_waits(std::size_t index, JobId preemptor) {
  const Job& job = state_.cluster().job(candidates_[index].job);
  return preemptible_by(state_.flags(), job) |
         (heads_the_queue(index, preemptor) ? kTakenByHeads : 0U);
}

bool Victims::heads_the_queue(std::size_t index, JobId preemptor) {
  const auto& cluster = state_.cluster();
  const Job& job = cluster.job(candidates_[index].job);
  const Request& request = cluster.request(job.request);
  if (!taken_by_heads(request)) return false;
  int left = 0;
  for (const auto& stack : state_.settings().reservation_stacks) left += stack.depth;
  const auto lane = backfills_by(cluster, state_.settings(), request);
  const Time queued = queued_once_it_waits(job);
  for (std::size_t rank = 0; rank < state_.jobs() && left > 0; ++rank) {
    const Job& other = state_.job(rank);
    if (priority(rank) < candidates_[index].priority) break;
    if (priority(rank) == candidates_[index].priority && queued < other.queued) break;
    const bool waits = state_.reason(rank) != Reason::none && other.id != preemptor &&
                       !state_.limits_hold_back(rank);
    if (waits && backfills_by(cluster, state_.settings(), state_.request(rank)) == lane) --left;
  }
  return left > 0;
}

// Its run is no queue time.
Time Victims::queued_once_it_waits(const Job& job) const {
  return job.queued + job.run_so_far(state_.now());
}

Victims::Chosen Victims::takable_once_it_waits(std::size_t index, JobId preemptor) {
  const auto takes = takes_once_it_waits(index, preemptor);
  Chosen others;
  for (std::size_t i = 0; takes != 0 && i < candidates_.size(); ++i)
    if (i != index && !candidates_[i].taken && (candidates_[i].kinds & takes) != 0 &&
        would_be_above(index, i))
      others.push_back(i);
  return others;
}

bool Victims::would_be_above(std::size_t victim, std::size_t other) {
  const auto& cluster = state_.cluster();
  const Job& leaves = cluster.job(candidates_[victim].job);
  const Job& stays = cluster.job(candidates_[other].job);
  // From now on its priority is what it was at its start: its run is no queue time.
  const auto priority = candidates_[victim].priority;
  if (candidates_[other].takes == 0 ||
      kinds_given_by(state_.flags(), state_.flags().of(leaves)) == 0)
    return candidates_[other].priority <= priority;
  if (in_queue(other) != priority) return in_queue(other) < priority;
  return queued_once_it_waits(leaves) < stays.queued;
}

Victims::Chosen Victims::largest_first(const Job& job, const Request& request, Chosen among) {
  if (!in_order(request))
    std::stable_sort(among.begin(), among.end(), [this](std::size_t a, std::size_t b) {
      return candidates_[a].procs > candidates_[b].procs;
    });
  Chosen chosen;
  for (const auto next : among) {
    chosen.push_back(next);
    lay_off({next});
    if (fits(job, request)) break;
  }
  auto enough = needed(job, request, chosen);
  put_back(enough);
  return enough;
}

Victims::Chosen Victims::needed(const Job& job, const Request& request, Chosen chosen) {
  std::sort(chosen.begin(), chosen.end(),
            [this](std::size_t a, std::size_t b) { return less_harm(b, a); });
  Chosen kept;
  for (const auto i : chosen) {
    put_back({i});
    if (fits(job, request)) continue;
    lay_off({i});
    kept.push_back(i);
  }
  return kept;
}

bool Victims::better(const Chosen& a, const Chosen& b) const {
  if (a.size() != b.size()) return a.size() < b.size();
  double harm_of_a = 0, harm_of_b = 0;
  for (const auto i : a) harm_of_a += candidates_[i].harm;
  for (const auto i : b) harm_of_b += candidates_[i].harm;
  return harm_of_a < harm_of_b;
}

// Requires that all jobs in `among` together make room.
Victims::Chosen Victims::fewest(const Job& job, const Request& request, const Chosen& among) {
  if (in_order(request)) return largest_first(job, request, among);
  if (const auto alone = one_alone(job, request, among)) return {*alone};
  auto best = largest_first(job, request, among);
  if (among.size() > kManyCandidates) return best;
  lay_off(among);
  auto gentlest = needed(job, request, among);
  put_back(gentlest);
  if (better(gentlest, best)) best = std::move(gentlest);
  return searched(job, request, among, std::move(best));
}

Victims::Chosen Victims::searched(const Job& job, const Request& request, const Chosen& among,
                                  Chosen best) {
  int sets = 5000, attempts = 200;  // the most that one job may cost; see attempts_left_, too
  for (std::size_t size = 2; size <= best.size(); ++size) {
    std::vector<char> picked(among.size(), 0);  // the first of all sets of that size
    std::fill_n(picked.begin(), size, 1);
    do {
      if (--sets < 0) return best;
      Chosen set;
      for (std::size_t i = 0; i < among.size(); ++i)
        if (picked[i] != 0) set.push_back(among[i]);
      if (!better(set, best)) continue;
      if (--attempts < 0 || --attempts_left_ < 0) return best;
      lay_off(set);
      const bool enough = fits(job, request);
      put_back(set);
      if (enough) best = std::move(set);
    } while (std::prev_permutation(picked.begin(), picked.end()));
  }
  return best;
}

Victims::Chosen Victims::spare(const Chosen& chosen, const Job& job, const Request& request) {
  Chosen left;
  for (const auto i : chosen)
    if (const auto& planned = candidates_[i].planned)
      left.insert(left.end(), planned->victims.begin(), planned->victims.end());
  const Chosen still = needed(job, request, left);
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
      lay_off({i});
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
  Chosen waiting;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (candidates_[i].waits) waiting.push_back(i);
  std::stable_sort(waiting.begin(), waiting.end(), [this](std::size_t a, std::size_t b) {
    return candidates_[a].priority > candidates_[b].priority;
  });
  for (const auto index : waiting) {
    if (!candidates_[index].waits) continue;  // it stays by now
    const Job& job = state_.cluster().job(candidates_[index].job);
    const Request& request = state_.cluster().request(job.request);
    auto among = takable_once_it_waits(index, JobId());
    const auto planned = [this](std::size_t i) { return candidates_[i].planned != nullptr; };
    if (std::none_of(among.begin(), among.end(), planned)) continue;
    std::sort(among.begin(), among.end(),
              [this](std::size_t a, std::size_t b) { return less_harm(a, b); });
    StepAside aside(state_, candidates_[index].priority);
    for (const auto i : enough_of(among, job, request))
      if (planned(i)) take_back(i, job.id, aside);
  }
}

void Victims::take_back(std::size_t index, JobId taker, StepAside& aside) {
  lay_off({index});
  const Chosen victims = candidates_[index].planned->victims;
  Chosen back;
  for (const auto i : victims) {
    const Job& job = state_.cluster().job(candidates_[i].job);
    aside.free(job.id);
    Request rest = state_.cluster().request(job.request);
    rest.limit = std::max(job.ends - state_.now(), Seconds(1));
    rest.by_speed = false;
    if (!state_.timeline().model().has_room(job, rest, job.placement, state_.now())) break;
    put_back({i});
    back.push_back(i);
  }
  if (back.size() < victims.size()) {
    lay_off(back);
    put_back({index});
    return;
  }
  candidates_[index].taken = true;
  --left_;
  take_planned(candidates_[index], victims, taker, aside);
  for (const auto rank : std::exchange(taken_back_, {})) state_.reason(rank) = Reason::idle_procs;
}

bool Victims::within_limits(const Job& job, const Request& request, const Chosen& chosen) {
  if (!state_.throttling().any() && job.deadline >= kForever) return true;
  lay_off(chosen);
  const auto slot = state_.timeline().fits_now(job, request);
  put_back(chosen);
  return slot && state_.now() <= latest_start(state_.cluster(), job, request, slot->placement) &&
         state_.within_limits(job, request, slot->placement);
}

bool Victims::may_take_last_start(std::size_t rank, unsigned victim_kinds) {
  add_planned();
  return !candidates_.empty() && candidates_.back().planned && !candidates_.back().taken &&
         may_take(candidates_.size() - 1, rank, victim_kinds);
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
  if (fits(job, request)) return {};
  lay_off(among);
  const bool possible = fits(job, request);
  put_back(among);
  if (!possible) return {};
  auto chosen = fewest(job, request, among);
  if (!within_limits(job, request, chosen)) chosen.clear();
  return chosen;
}

bool Victims::make_room(std::size_t rank, const Request& request, std::size_t alternative,
                        unsigned victim_kinds, Without without) {
  return with_room(rank, request, victim_kinds, without, [&](Room& room, StepAside& aside) {
    const bool backfilled = room.chosen.empty() && without == Without::as_backfill;
    take(room.chosen, room.spared, state_.job(rank).id, victim_kinds, aside);
    state_.commit_start(rank, std::move(room.slot), backfilled, alternative, request);
    state_.forget_misfits();  // victims may leave more than was needed
    return true;
  });
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
                        Without without,
                        const std::function<bool(Room& room, StepAside& aside)>& use) {
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
  const auto among = takable(rank, request, victim_kinds);
  if (among.empty() && !made_room_ && !StepAside::frees_any(state_, ranked.priority)) return false;
  auto& timeline = state_.timeline();
  const auto* held = timeline.held_by(job.id);
  const std::optional<Timeline::Held> own = held ? std::optional(*held) : std::nullopt;
  if (own) timeline.release(job.id);
  StepAside aside(state_, ranked.priority);
  Room room;
  room.chosen = enough_of(among, job, request);
  lay_off(room.chosen);
  for (const auto i : room.chosen)
    if (const auto& planned = candidates_[i].planned)
      for (const auto left : planned->victims) aside.free(candidates_[left].job);
  room.spared = spare(room.chosen, job, request);
  auto slot = timeline.fits_now(job, request);
  const bool alone = without != Without::not_at_all && within_limits(job, request, {});
  const bool possible = slot && (!room.chosen.empty() || alone);
  if (possible) room.slot = *std::move(slot);
  if (possible && use(room, aside)) return true;
  lay_off(room.spared);
  put_back(room.chosen);
  if (own) timeline.hold(*own->of, *own->request, own->placement, own->start);
  if (!possible && job.alternatives.empty()) failures_.push_back(failure);
  return false;
}

}  // namespace maui
