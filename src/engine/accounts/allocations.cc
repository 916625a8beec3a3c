// The allocation manager is asked before a job starts, and told what it has cost (guide 6.4).
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "engine/state.h"
#include "model/credentials.h"
#include "model/placement.h"
#include "sched/priority/priority.h"

namespace maui {
namespace {

template <class IdType>
std::string name_in(const Names<IdType>& names, IdType id) {
  return id.valid() ? names[id] : std::string();
}

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

AllocationRequest request_for(AllocationDeed deed, const Cluster& cluster, const Job& job,
                              Time now) {
  AllocationRequest made;
  made.deed = deed;
  made.when = now;
  made.job = job.name;
  fill_names(cluster, job.credentials, made);
  made.start = job.started;
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

/// ACCOUNT[,GROUP[,USER]], or KIND:NAME.
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

AllocationRequest debit_for(const IdleCharge& idle, Time now) {
  AllocationRequest made;
  made.deed = AllocationDeed::debit;
  made.when = now;
  made.job = idle.reservation;
  charge_to(idle.payer, made);
  made.start = idle.since;
  made.procs = idle.procs;
  made.duration = idle.until - idle.since;
  made.amount = idle.proc_seconds;
  return made;
}

/// Seconds of processors, or of what else the policy counts, that the job has used in `run`.
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

/// The most that it may come to.  A job may use all the time of all of its processors.
double most_of(const Cluster& cluster, const Job& job, ChargePolicy policy, Seconds limit) {
  if (policy == ChargePolicy::successful_cpu) policy = ChargePolicy::successful_wall_clock;
  return cost_of(cluster, job, policy, limit);
}

}  // namespace

void Engine::State::launch(JobId id, bool reserved, ResourceManager::Answer reply) {
  const auto arrival = cluster.job(id).arrival;
  log(3, "fSCHED", [&] {
    const Job& job = cluster.job(id);
    return fmt::format("job '{}' {} on {} nodes", job.name,
                       has(job.flags, JobFlag::backfill) ? "backfilled" : "started",
                       job.placement.size());
  });
  journal.placement("job", cluster.job(id).name, cluster.job(id).placement);
  ++launching;
  reserve_allocation(id, [this, id, reserved, arrival, reply](Status funded) {
    --launching;
    if (!cluster.still(id, arrival) || !cluster.job(id).active()) return reply(std::move(funded));
    if (!funded) return reply(std::move(funded));
    ++rm_record.starts;
    asked().start(cluster.job(id), cluster, now(),
                  [this, id, reserved, arrival, reply](StartAnswer answer) {
                    if (!cluster.still(id, arrival)) {
                      // It is not known any longer.
                    } else if (answer.status) {
                      keep_turn(id, Time(0));
                      dependencies.started(cluster, id);
                    } else {
                      start_failed(id, answer.status.error().what, answer.obstacle, reserved);
                    }
                    reply(std::move(answer.status));
                  });
  });
}

void Engine::State::reserve_allocation(JobId id, ResourceManager::Answer reply) {
  if (bank == nullptr) return reply(Done{});
  if (bank_failed_at == iteration)
    return bank_failed(id, "it failed a moment ago", std::move(reply));
  const Job& job = cluster.job(id);
  auto request = request_for(AllocationDeed::reserve, cluster, job, now());
  request.duration = job.ends - job.started;
  request.amount = most_of(cluster, job, settings.allocations.policy, request.duration);
  log_charge(request);
  bank->ask(request,
            [this, id, arrival = job.arrival, request, reply](const AllocationAnswer& answer) {
              const bool waits = cluster.still(id, arrival) && cluster.job(id).active();
              log(7, "fBANK", [&] {
                return fmt::format("the allocation manager {} for job '{}'{}{}",
                                   answer.verdict == AllocationVerdict::granted   ? "agrees"
                                   : answer.verdict == AllocationVerdict::refused ? "refuses"
                                                                                  : "fails",
                                   request.job, answer.why.empty() ? "" : ": ", answer.why);
              });
              switch (answer.verdict) {
                case AllocationVerdict::granted:
                  if (!waits) lift(request);
                  return reply(Done{});
                case AllocationVerdict::refused:
                  if (waits) out_of_allocations(id, answer.why);
                  return reply(Error{answer.why});
                case AllocationVerdict::failed:
                  note_bank_failure(answer.why);
                  if (!waits) return reply(Error{answer.why});
                  return bank_failed(id, answer.why, reply);
              }
            });
}

void Engine::State::log_charge(const AllocationRequest& request) {
  log(4, "fBANK", [&] {
    const auto deed = request.deed == AllocationDeed::reserve ? "reserve"
                      : request.deed == AllocationDeed::debit ? "debit"
                                                              : "release";
    return fmt::format("the allocation manager is to {} {:.0f} of account '{}' for job '{}'", deed,
                       request.amount, request.account, request.job);
  });
}

/// The job has gone while it was asked for.
void Engine::State::lift(AllocationRequest lien) {
  lien.deed = AllocationDeed::release;
  lien.when = now();
  charges->add(std::move(lien));
}

void Engine::State::bank_failed(JobId id, const std::string& why, ResourceManager::Answer reply) {
  if (!settings.allocations.defer_on_failure) return reply(Done{});
  const std::string reason = fmt::format("BankFailure: the allocation manager fails: {}", why);
  take_back(id, {reason});
  holds.defer(id, {reason});
  reply(Error{reason});
}

/// The account is empty: the job goes on with BANKFALLBACKACCOUNT and what that is entitled to.
void Engine::State::out_of_allocations(JobId id, const std::string& why) {
  const AccountId fallback = settings.allocations.fallback_account.empty()
                                 ? AccountId()
                                 : cluster.accounts.intern(settings.allocations.fallback_account);
  const AccountId account = cluster.job(id).credentials.account;
  const std::string reason =
      fmt::format("NoAllocations: account '{}': {}", name_in(cluster.accounts, account), why);
  take_back(id, {reason});
  if (!fallback.valid() || fallback == account) return holds.defer(id, {reason});
  log(2, "fBANK", [&] {
    return fmt::format("job '{}' is charged to account '{}': {}", cluster.job(id).name,
                       cluster.accounts[fallback], reason);
  });
  cluster.set_account(id, fallback);
  entitlements.renew(id);
  changed_account_at = now();
}

void Engine::State::note_bank_failure(const std::string& why) {
  bank_failed_at = iteration;
  log(0, "fBANK", [&] { return fmt::format("ERROR: the allocation manager fails: {}", why); });
  journal.notify(EventType::bank_failure, [&] { return std::vector{why}; });
}

void Engine::State::settle_allocation(const Job& job, Seconds run, Time ended, bool successful) {
  if (bank == nullptr) return;
  const ChargePolicy policy = settings.allocations.policy;
  const bool charged = successful || policy == ChargePolicy::all_wall_clock;
  const double amount = charged ? cost_of(cluster, job, policy, run) : 0;
  auto request = request_for(amount > 0 ? AllocationDeed::debit : AllocationDeed::release, cluster,
                             job, ended);
  request.duration = run;
  request.amount = amount;
  log_charge(request);
  charges->add(std::move(request));
}

void Engine::State::account_reservations(Time until) {
  reservation_uses.accrue(cluster, until);
  charge_idle_reservations(until);
}

void Engine::State::charge_idle_reservations(Time until) {
  // After a restart the time since the checkpoint counts as soon as jobs and nodes are known.
  if (bank == nullptr || pending_restore.unaccounted_since) return;
  idle_charges.accrue(cluster, idle_charged, until);
  idle_charged = until;
  const auto comes = [this](const std::string& name) {
    return std::any_of(
        pending_restore.reservations.begin(), pending_restore.reservations.end(),
        [&](const CheckpointedReservation& saved) { return saved.terms.name == name; });
  };
  for (const IdleCharge& charge : idle_charges.due(cluster, until, comes))
    if (charge.proc_seconds > 0) charges->add(debit_for(charge, until));
}

void Engine::State::resume_charges(std::vector<AllocationRequest> due,
                                   std::vector<IdleCharge> idle) {
  if (bank == nullptr) {
    if (const auto count = due.size() + idle.size(); count > 0)
      log(0, "fBANK", [&] {
        return fmt::format("ALERT: {} charges of the checkpoint are due to no allocation manager",
                           count);
      });
    return;
  }
  idle_charges.resume(std::move(idle));
  idle_charged = *pending_restore.unaccounted_since;
  for (AllocationRequest& request : due) charges->add(std::move(request));
}

bool Engine::State::is_over(const Reservation& reservation) const {
  const bool charged = bank == nullptr || payer_of(reservation).empty() ||
                       !pending_restore.unaccounted_since ||
                       reservation.end <= *pending_restore.unaccounted_since;
  return reservation.end <= now() && charged;
}

void Engine::charge_with(AllocationManager& manager) {
  State& state = *state_;
  state.bank = &manager;
  state.idle_charged = now();
  state.charges.emplace(
      manager, [&state](const AllocationRequest& request, const AllocationAnswer& answer) {
        if (answer.verdict == AllocationVerdict::failed) return state.note_bank_failure(answer.why);
        state.log(0, "fBANK", [&] {
          return fmt::format("ERROR: account '{}' is not charged {:.0f} for '{}': {}",
                             request.account, request.amount, request.job, answer.why);
        });
      });
}

std::vector<AllocationRequest> Engine::charges_due() const {
  if (!state_->charges) return {};
  const auto& due = state_->charges->due();
  return {due.begin(), due.end()};
}

}  // namespace maui
