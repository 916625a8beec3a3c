#include "engine/actions/launches.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "engine/accounts/allocations.h"
#include "engine/actions/failed_starts.h"
#include "engine/actions/holds.h"
#include "engine/actions/kept_requests.h"
#include "engine/knowledge.h"
#include "engine/reports/entitlements.h"
#include "engine/tools.h"
#include "maui/allocation_manager.h"

namespace maui {
namespace {

template <class IdType>
std::string name_in(const Names<IdType>& names, IdType id) {
  return id.valid() ? names[id] : std::string();
}

}  // namespace

Launches::Launches(const EngineTools& tools, Holds& holds, Entitlements& entitlements,
                   Allocations& allocations, FailedStarts& failed_starts, KeptRequests& requests)
    : tools_(tools),
      holds_(holds),
      entitlements_(entitlements),
      allocations_(allocations),
      failed_starts_(failed_starts),
      requests_(requests),
      cluster_(tools.known.cluster),
      settings_(tools.known.settings),
      rm_record_(tools.known.rm_record),
      dependencies_(tools.known.dependencies),
      changed_account_at_(tools.known.changed_account_at) {}

Time Launches::changed_account_at() const { return changed_account_at_; }

void Launches::launch(JobId id, bool reserved, ResourceManager::Answer reply) {
  const RunKey run = cluster_.job(id).run_key();
  tools_.log_of_job(id, 3, "fSCHED", [&] {
    const Job& job = cluster_.job(id);
    return fmt::format("job '{}' {} on {}", job.name,
                       has(job.flags, JobFlag::backfill) ? "backfilled" : "started",
                       counted(job.placement.size(), "node"));
  });
  tools_.journal.placement("job", cluster_.job(id).name, cluster_.job(id).placement);
  ++unasked_;
  allocations_.reserve(
      id, [this, reserved, run, reply = std::move(reply)](const AllocationAnswer& answer) {
        Status funded = fund(run.job, runs(run), answer);
        if (!funded || !runs(run)) {
          --unasked_;
          return reply(std::move(funded));
        }
        requests_.add(run, [this, run, reserved, reply] {
          --unasked_;
          if (!runs(run)) return reply(Done{});
          ask(run.job, reserved, reply);
        });
      });
}

bool Launches::runs(const RunKey& run) const {
  return cluster_.is_latest(run) && cluster_.job(run.job).active();
}

void Launches::fund_preemptor(JobId id, const Placement& placement, ResourceManager::Answer reply) {
  allocations_.reserve_ahead(id, placement,
                             [this, id, arrival = cluster_.job(id).arrival,
                              reply = std::move(reply)](const AllocationAnswer& answer) {
                               const bool waits =
                                   cluster_.still(id, arrival) && cluster_.job(id).waiting();
                               reply(fund(id, waits, answer));
                             });
}

void Launches::lift_unused_liens() { allocations_.lift_unused(); }

/// `concerned`: the job still wants to start, so that it suffers the consequences of a refusal.
Status Launches::fund(JobId id, bool concerned, const AllocationAnswer& answer) {
  switch (answer.verdict) {
    case AllocationVerdict::granted:
      return Done{};
    case AllocationVerdict::refused:
      if (concerned) out_of_allocations(id, answer.why);
      return Error{answer.why};
    case AllocationVerdict::failed:
      if (!concerned) return Error{answer.why};
      return manager_failed(id, answer.why);
  }
  return Done{};
}

void Launches::wait_again(JobId id, const std::string& why) {
  const Job& job = cluster_.job(id);
  if (job.active()) return failed_starts_.requeue(id, {why});
  cluster_.set_own_holds(id, job.own_holds, {why});
  tools_.observer.checkpoint_outdated();
}

void Launches::defer(JobId id, const HoldReason& why) {
  failed_starts_.spare_victims(id);
  holds_.defer(id, why);
}

void Launches::look_at_deferred() {
  if (!any_deferred_) return;
  if (allocations_.failing())
    if (const JobId job = holds_.deferred_for_bank(); job.valid()) allocations_.try_again(job);
  if (allocations_.failing()) return;
  any_deferred_ = false;
  holds_.release_deferred_for_bank();
}

Status Launches::manager_failed(JobId id, const std::string& why) {
  if (!settings_.allocations.defer_on_failure) return Done{};
  const std::string reason = fmt::format("BankFailure: the allocation manager failed: {}", why);
  wait_again(id, reason);
  defer(id, {reason, HoldCause::bank_failure});
  any_deferred_ = true;
  return Error{reason};
}

/// The account is exhausted: the job gets BANKFALLBACKACCOUNT and that account's entitlements.
void Launches::out_of_allocations(JobId id, const std::string& why) {
  const AccountId fallback = settings_.allocations.fallback_account.empty()
                                 ? AccountId()
                                 : cluster_.accounts.intern(settings_.allocations.fallback_account);
  const AccountId account = cluster_.job(id).credentials.account;
  const std::string reason =
      fmt::format("NoAllocations: account '{}': {}", name_in(cluster_.accounts, account), why);
  wait_again(id, reason);
  if (!fallback.valid() || fallback == account) return defer(id, {reason});
  tools_.log_of_job(id, 2, "fBANK", [&] {
    return fmt::format("job '{}' is charged to account '{}': {}", cluster_.job(id).name,
                       cluster_.accounts[fallback], reason);
  });
  cluster_.set_account(id, fallback);
  entitlements_.renew(id);
  changed_account_at_ = tools_.now();
}

void Launches::ask(JobId id, bool reserved, ResourceManager::Answer reply) {
  ++rm_record_.starts;
  const Job& job = cluster_.job(id);
  tools_.asked().start(
      job, cluster_, tools_.now(),
      [this, id, reserved, run = job.run_key(), reply = std::move(reply)](StartAnswer answer) {
        if (!cluster_.is_latest(run)) {
          // The job is no longer known, or has been started again: this is about another run.
        } else if (answer.status) {
          failed_starts_.keep_turn(id, Time(0));
          dependencies_.started(cluster_, id);
        } else {
          failed_starts_.refused(id, answer.status.error().what, answer.obstacle, reserved);
        }
        if (answer.status && !answer.doubt.empty())
          return reply(Error{std::move(answer.doubt), /*unanswered=*/true});
        reply(std::move(answer.status));
      });
}

}  // namespace maui
