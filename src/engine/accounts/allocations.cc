#include "engine/accounts/allocations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "engine/checkpoint/pending_restore.h"
#include "engine/knowledge.h"
#include "engine/tools.h"
#include "model/busy_procs.h"
#include "model/credentials.h"
#include "model/placement.h"
#include "sched/priority/priority.h"

namespace maui {
namespace {

std::vector<std::pair<std::string, int>> node_types(const Cluster& cluster, const Job& job) {
  std::vector<std::pair<std::string, int>> types;
  for (const NodeId node : nodes_of(job.placement)) {
    const std::string& type = cluster.node(node).type;
    if (type.empty() || type == "[NONE]") continue;
    const auto at = std::find_if(types.begin(), types.end(),
                                 [&](const auto& known) { return known.first == type; });
    if (at == types.end())
      types.emplace_back(type, 1);
    else
      ++at->second;
  }
  return types;
}

AllocationRequest request_for(AllocationDeed deed, const EngineKnowledge& known, const Job& job,
                              Time now) {
  const Cluster& cluster = known.cluster;
  AllocationRequest made;
  made.deed = deed;
  made.when = now;
  made.job = job.name;
  made.manager = job.resource_manager;
  fill_names(cluster, job.credentials, made);
  made.start = job.started;
  made.began = steady_start(known.clock_steps, job);
  made.procs = cluster.request(job.request).total_procs();
  made.node_types = node_types(cluster, job);
  return made;
}

std::string& named(AllocationRequest& made, CredentialKind kind) {
  switch (kind) {
    case CredentialKind::user:
      return made.user;
    case CredentialKind::group:
      return made.group;
    case CredentialKind::account:
      return made.account;
    case CredentialKind::job_class:
      return made.job_class;
    case CredentialKind::qos:
      return made.qos;
  }
  return made.account;
}

/// Sets the payer: ACCOUNT[,GROUP[,USER]], or KIND:NAME.
void charge_to(std::string_view payer, AllocationRequest& made) {
  const auto colon = payer.find(':');
  if (const auto kind = kind_named(payer.substr(0, colon)); kind && colon != payer.npos) {
    named(made, *kind) = payer.substr(colon + 1);
    return;
  }
  const auto parts = split(payer, ',');
  std::string* const fields[] = {&made.account, &made.group, &made.user};
  for (std::size_t i = 0; i < parts.size() && i < std::size(fields); ++i) *fields[i] = parts[i];
}

// Debits of a reservation follow each other without an overlap, which would look like a repetition.
AllocationRequest debit_for(const IdleCharge& idle, const ClockSteps& steps) {
  AllocationRequest made;
  made.deed = AllocationDeed::debit;
  made.when = idle.until;
  made.job = idle.reservation;
  charge_to(idle.payer, made);
  made.start = idle.since;
  made.began = steps.steady(idle.since);
  made.procs = idle.procs;
  made.duration = idle.until - idle.since;
  made.amount = idle.proc_seconds;
  return made;
}

/// Returns processor seconds, or the unit of the policy, that the job used in `run`.
double cost_of(const Cluster& cluster, const Job& job, ChargePolicy policy, Seconds run) {
  const Request& request = cluster.request(job.request);
  const auto seconds = static_cast<double>(run.raw());
  switch (policy) {
    case ChargePolicy::all_wall_clock:
    case ChargePolicy::successful_wall_clock:
      return request.total_procs() * seconds;
    case ChargePolicy::successful_cpu:
      return utilised_procs(cluster, job) * seconds;
    case ChargePolicy::successful_pe:
      return processor_equivalents(cluster, request) * seconds;
  }
  return 0;
}

/// Returns the highest possible cost: a job may keep all of its processors busy all the time.
double most_of(const Cluster& cluster, const Job& job, ChargePolicy policy, Seconds limit) {
  if (policy == ChargePolicy::successful_cpu) policy = ChargePolicy::successful_wall_clock;
  return cost_of(cluster, job, policy, limit);
}

}  // namespace

Allocations::Allocations(const EngineTools& tools)
    : tools_(tools),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      pending_restore_(tools.known.pending_restore),
      iteration_(tools.known.iteration),
      uses_(tools.known.reservation_uses),
      idle_charges_(tools.known.idle_charges),
      idle_charged_(tools.known.idle_charged) {}

void Allocations::charge_with(AllocationManager& manager) {
  manager_ = &manager;
  idle_charged_ = tools_.now();
  charges_.emplace(manager,
                   [this](const AllocationRequest& request, const AllocationAnswer& answer) {
                     note_charge(request, answer);
                   });
}

void Allocations::retry() {
  if (charges_ && !charges_->due().empty() && tools_.observer.keep_records()) charges_->retry();
}

std::vector<AllocationRequest> Allocations::due() const {
  if (!charges_) return {};
  return {charges_->due().begin(), charges_->due().end()};
}

AllocationRequest Allocations::lien_for(const Job& job) const {
  auto lien = request_for(AllocationDeed::reserve, tools_.known, job, tools_.now());
  lien.duration = job.ends - job.started;
  lien.amount = most_of(cluster_, job, settings_.allocations.policy, lien.duration);
  return lien;
}

void Allocations::reserve(JobId id, Reply reply) {
  if (manager_ == nullptr) return reply({});
  const Job& job = cluster_.job(id);
  const auto lien = lien_for(job);
  if (use_early(job, lien)) return reply({});
  const auto runs = [this, id, arrival = job.arrival] {
    return cluster_.still(id, arrival) && cluster_.job(id).active();
  };
  ask(lien, runs, std::move(reply));
}

/// Returns the lien of a job that would start now on these nodes.
AllocationRequest Allocations::lien_ahead(JobId id, const Placement& placement) const {
  Job run = cluster_.job(id);
  run.placement = placement;
  run.started = tools_.now();
  run.clock_set = Seconds(0);
  run.ends = run.started + cluster_.limit_of(run);
  return lien_for(run);
}

void Allocations::try_again(JobId id) {
  if (!failing() || trying_again_ || !charges_->due().empty()) return;
  trying_again_ = true;
  ask(
      lien_ahead(id, {}), [] { return false; },
      [this](const AllocationAnswer&) { trying_again_ = false; });
}

void Allocations::reserve_ahead(JobId id, const Placement& placement, Reply reply) {
  if (manager_ == nullptr) return reply({});
  const auto lien = lien_ahead(id, placement);
  const auto waits = [this, id, arrival = cluster_.job(id).arrival] {
    return cluster_.still(id, arrival) && cluster_.job(id).waiting();
  };
  // A command may have started the job meanwhile, at the time that is the name of this lien.
  const auto wanted = [this, waits, id, arrival = cluster_.job(id).arrival, start = lien.start] {
    return waits() || (cluster_.still(id, arrival) && cluster_.job(id).active() &&
                       cluster_.job(id).started == start);
  };
  ask(lien, wanted,
      [this, waits, early = EarlyLien{id, cluster_.job(id).arrival, lien},
       reply = std::move(reply)](const AllocationAnswer& answer) {
        if (answer.verdict == AllocationVerdict::granted && waits()) early_.push_back(early);
        reply(answer);
      });
}

/// True if this lien of the job has been granted.  Another one is lifted: a server knows a lien by
/// its job and start.
bool Allocations::use_early(const Job& job, const AllocationRequest& lien) {
  const auto at = std::find_if(early_.begin(), early_.end(), [&](const EarlyLien& early) {
    return early.job == job.id && early.arrival == job.arrival;
  });
  if (at == early_.end()) return false;
  AllocationRequest early = std::move(at->lien);
  early_.erase(at);
  if (early == lien) return true;
  lift(std::move(early));
  return false;
}

void Allocations::lift_unused() {
  for (EarlyLien& early : std::exchange(early_, {})) lift(std::move(early.lien));
}

/// Lifts the lien if it is granted when it is not wanted any more.
void Allocations::ask(const AllocationRequest& lien, std::function<bool()> wanted, Reply reply) {
  if (failed_at_ == iteration_)
    return reply({AllocationVerdict::failed,
                  fmt::format("it failed earlier in this iteration: {}", failure_)});
  log_charge(lien);
  manager_->ask(lien, [this, lien, wanted = std::move(wanted),
                       reply = std::move(reply)](const AllocationAnswer& answer) {
    tools_.log(7, "fBANK", [&] {
      return fmt::format("the allocation manager {} for job '{}'{}{}",
                         answer.verdict == AllocationVerdict::granted   ? "agrees"
                         : answer.verdict == AllocationVerdict::refused ? "refuses"
                                                                        : "fails",
                         lien.job, answer.why.empty() ? "" : ": ", answer.why);
    });
    if (answer.verdict == AllocationVerdict::granted && !wanted()) lift(lien);
    note_contact(answer);
    reply(answer);
  });
}

/// Lifts a lien that was granted for a run that will not begin.
void Allocations::lift(AllocationRequest lien) {
  lien.deed = AllocationDeed::release;
  lien.when = tools_.now();
  charges_->add(std::move(lien));
}

void Allocations::note_charge(const AllocationRequest& request, const AllocationAnswer& answer) {
  note_contact(answer);
  if (answer.verdict != AllocationVerdict::refused) return;
  tools_.journal.log_of(LineCause::refusal, request.user, 0, "fBANK", [&] {
    return fmt::format("ERROR: cannot charge account '{}' {:.0f} for '{}': {}", request.account,
                       request.amount, request.job, answer.why);
  });
}

/// Reports a failure when it begins, when its reason changes, and when it is over: that is, if no
/// charge waits either which the allocation manager has failed to take.
void Allocations::note_contact(const AllocationAnswer& answer) {
  const bool fails = answer.verdict == AllocationVerdict::failed;
  if (fails) failed_at_ = iteration_;
  if (!fails && charges_->failing()) return;
  const std::string before = std::exchange(failure_, fails ? answer.why : std::string());
  if (before == failure_) return;
  tools_.log(0, "fBANK", [&] {
    return fails ? fmt::format("ERROR: the allocation manager failed: {}", failure_)
                 : std::string("the allocation manager works again");
  });
  if (fails) tools_.journal.notify(EventType::bank_failure, [&] { return std::vector{failure_}; });
}

void Allocations::settle(const Job& job, Seconds run, Time ended, bool successful) {
  if (manager_ == nullptr) return;
  if (pending_restore_.unaccounted_since)
    note_run_since_checkpoint(job, ended - run, ended);
  else
    charge_idle_since_end(job, std::max(ended, job.started));
  const ChargePolicy policy = settings_.allocations.policy;
  const bool charged = successful || policy == ChargePolicy::all_wall_clock;
  const double amount = charged ? cost_of(cluster_, job, policy, run) : 0;
  auto request = request_for(amount > 0 ? AllocationDeed::debit : AllocationDeed::release,
                             tools_.known, job, ended);
  request.duration = run;
  request.amount = amount;
  log_charge(request);
  if (request.deed == AllocationDeed::debit && !tools_.observer.keep_records()) charges_->wait();
  charges_->add(std::move(request));
}

void Allocations::log_charge(const AllocationRequest& request) const {
  tools_.journal.log_of(LineCause::job, request.user, 4, "fBANK", [&] {
    const auto deed = request.deed == AllocationDeed::reserve ? "reserve"
                      : request.deed == AllocationDeed::debit ? "debit"
                                                              : "release";
    return fmt::format("asking the allocation manager to {} {:.0f} of account '{}' for job '{}'",
                       deed, request.amount, request.account, request.job);
  });
}

void Allocations::account_reservations(Time until) {
  // After a restart, the time since the checkpoint counts only once jobs and nodes are known.
  if (pending_restore_.unaccounted_since) return;
  KeptProcsOnce procs(cluster_, settings_);
  uses_.accrue(cluster_, procs, until);
  charge_idle_reservations(procs, until);
}

/// True if what some reservation leaves idle is charged.
bool Allocations::any_chargeable() const {
  const auto all = cluster_.reservations();
  return std::any_of(all.begin(), all.end(), [this](ReservationId id) {
    return !payer_of(cluster_.reservation(id)).empty();
  });
}

/// The job has counted as using its reservations until now, and its end is known only now.
void Allocations::charge_idle_since_end(const Job& job, Time ended) {
  const bool held_none = job.suspended_since < kForever;
  if (ended >= idle_charged_ || held_none || !any_chargeable()) return;
  const JobFlags flags(cluster_, settings_);
  UnseenRuns over;
  if (job.active())  // it gives its nodes back next
    over.add_absence(cluster_, flags, job, ended, idle_charged_);
  else
    over.add(cluster_, flags, job, ended, idle_charged_);
  idle_charges_.add_missed(cluster_, flags, over, ended, idle_charged_);
}

void Allocations::note_run_since_checkpoint(const Job& job, Time from, Time until) {
  if (!any_chargeable()) return;
  const JobFlags flags(cluster_, settings_);
  unseen_runs_.add(cluster_, flags, job, std::max(from, idle_charged_), until);
}

void Allocations::account_gap(Time until) {
  if (manager_ != nullptr) {
    const JobFlags flags(cluster_, settings_);
    for (const Active& line : cluster_.active()) {
      const Job& job = cluster_.job(line.job);
      unseen_runs_.add_absence(cluster_, flags, job, idle_charged_, std::min(job.began(), until));
    }
    for (const JobId id : cluster_.suspended()) {
      const Job& job = cluster_.job(id);
      note_run_since_checkpoint(job, job.started, job.suspended_since);
    }
  }
  account_reservations(until);
  unseen_runs_.clear();
}

ReservationUses::Use Allocations::use_of(const Reservation& reservation) const {
  return uses_.of(reservation);
}

const std::vector<IdleCharge>& Allocations::idle() const { return idle_charges_.open(); }

void Allocations::charge_idle_reservations(KeptProcsOnce& procs, Time until) {
  if (manager_ == nullptr) return;
  for (const ReservationId id : cluster_.reservations())
    idle_charges_.accrue(cluster_, procs, unseen_runs_, cluster_.reservation(id), idle_charged_,
                         until);
  idle_charged_ = until;
  const auto comes = [this](const std::string& name) {
    return std::any_of(
        pending_restore_.reservations.begin(), pending_restore_.reservations.end(),
        [&](const CheckpointedReservation& saved) { return saved.terms.name == name; });
  };
  debit(idle_charges_.due(cluster_, until, comes));
}

void Allocations::debit(const std::vector<IdleCharge>& idle) {
  for (const IdleCharge& charge : idle)
    if (charge.proc_seconds > 0) charges_->add(debit_for(charge, tools_.known.clock_steps));
}

// All else stays accounted until the last iteration: a checkpoint has one time for everything.
void Allocations::charge_until_release(const Reservation& reservation) {
  if (manager_ == nullptr || pending_restore_.unaccounted_since) return;
  KeptProcsOnce procs(cluster_, settings_);
  idle_charges_.accrue(cluster_, procs, unseen_runs_, reservation, idle_charged_, tools_.now());
}

void Allocations::charge_until_end() {
  if (manager_ == nullptr) return;
  account_reservations(tools_.now());
  debit(idle_charges_.take_open());
}

void Allocations::resume(std::vector<AllocationRequest> due, std::vector<IdleCharge> idle) {
  if (manager_ == nullptr) {
    if (const auto count = due.size() + idle.size(); count > 0)
      tools_.log(0, "fBANK", [&] {
        return fmt::format("ALERT: {} in the checkpoint {} lost: there is no allocation manager",
                           counted(count, "charge"), by_number(count, "is", "are"));
      });
    return;
  }
  idle_charges_.resume(std::move(idle));
  idle_charged_ = *pending_restore_.unaccounted_since;
  for (AllocationRequest& request : due) charges_->add(std::move(request));
}

void Allocations::resume(const CheckpointedReservation& saved, const Reservation& restored) {
  uses_.resume(restored, saved.use);
  idle_charges_.resume(saved.terms.name, restored);
}

bool Allocations::is_over(const Reservation& reservation) const {
  const bool charged = manager_ == nullptr || payer_of(reservation).empty() ||
                       !pending_restore_.unaccounted_since ||
                       reservation.end <= *pending_restore_.unaccounted_since;
  return reservation.end <= tools_.now() && charged;
}

}  // namespace maui
