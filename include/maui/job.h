// A job as the scheduler sees it (guide 3.2.1.1): its credentials, request,
// state and placement.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/hash.h"
#include "maui/placement.h"
#include "maui/request.h"
#include "maui/seldom.h"
#include "maui/units.h"

namespace maui {

/// The credentials that a job belongs to (paper 2.4).  The account may be absent.
struct Credentials {
  UserId user;
  GroupId group;
  AccountId account;
  ClassId job_class;
  QosId qos;
  friend bool operator==(const Credentials&, const Credentials&) = default;

  struct Hash {
    std::size_t operator()(const Credentials& who) const noexcept {
      std::uint64_t hash = 0;
      for (const std::uint32_t number :
           {who.user.raw(), who.group.raw(), who.account.raw(), who.job_class.raw(), who.qos.raw()})
        hash = mix(hash, number);
      return hash;
    }
  };
};

enum class JobState : std::uint8_t {
  not_queued,
  idle,
  starting,
  running,
  suspended,
  completed,
  removed,
};

/// The four types of hold (guide 11.1), as bits of Job::holds.
enum class Hold : std::uint8_t { user = 1, system = 2, batch = 4, defer = 8 };

/// The cause of a batch or defer hold, if it decides when the hold is lifted.
enum class HoldCause : std::uint8_t {
  other,
  refused,          // the job may not have what it asks for (guide 11.1, No QOS Access)
  unusable_report,  // the resource manager's report of the job is unusable
  may_run,          // by the resource manager's report, it may already run
  no_resources,     // not feasible: it could not run on the empty cluster
  lost_dependency,  // a job that it depends on ended in another way
  unknown_host,     // it asks for a host that is not known
  bank_failure,     // the allocation manager failed when the job was to start
};

/// Why a job is held: a text for users, and the cause.
struct HoldReason {
  std::string text;
  HoldCause cause = HoldCause::other;
  bool empty() const { return text.empty(); }
  friend bool operator==(const HoldReason&, const HoldReason&) = default;
};

/// The cause of a suspension, which decides when the job resumes.
enum class SuspensionCause : std::uint8_t {
  preemption,  // or unknown: its nodes are kept for it from the time at which they are free
  violation,   // it exceeded its limits: it keeps no nodes, and waiting jobs come first
  by_hand,     // no plan resumes it
};

/// Why a job is suspended.
struct SuspensionReason {
  SuspensionCause cause = SuspensionCause::preemption;
  std::string preemptor = {};  // the name of the job that preempted it, if that is known
  friend bool operator==(const SuspensionReason&, const SuspensionReason&) = default;
};

/// Job flags (guide 13.3, SIMDEFAULTJOBFLAGS) as bits of Job::flags, and flags that only the FLAGS
/// of a credential grant (guide 7.3.2.2); sched/rules/job_flags.h combines both.
enum class JobFlag : std::uint16_t {
  adv_res = 1,
  host_list = 2,
  restartable = 4,
  preemptee = 8,
  dedicated = 16,
  preemptor = 32,
  backfill = 64,   // backfill started the job
  no_queue = 128,  // start now or not at all
  no_backfill = 256,
  no_reservation = 512,
  reserve_always = 1024,
  restart_preempt = 2048,
  use_reserved = 4096,
  span = 8192,                // may use several partitions at once
  ignore_time_limit = 16384,  // time limits of standing reservations
};

template <class Flag, class Bits>
constexpr bool has(Bits bits, Flag flag) {
  return (bits & static_cast<Bits>(flag)) != 0;
}
template <class Flag, class Bits>
constexpr void put(Bits& bits, Flag flag, bool on = true) {
  bits = static_cast<Bits>(on ? bits | static_cast<Bits>(flag) : bits & ~static_cast<Bits>(flag));
}

/// The event of another job that a job waits for.
enum class DependencyKind : std::uint8_t {
  after,         // start
  after_ok,      // end without failure
  after_not_ok,  // end with a failure, or be removed
  after_any,     // end
};
enum class DependencyState : std::uint8_t { open, met, never };
struct Dependency {
  DependencyKind kind = DependencyKind::after_any;
  std::string job;  // name of the other job, which may not be known yet
  DependencyState state = DependencyState::open;
  // The resource manager checks it at the start; for the scheduler, met once the other job is gone.
  bool theirs = false;
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

/// An administrator's adjustment (guide 5.1.5); absolute priorities count up from one billion.
struct SystemPriority {
  bool absolute = false;
  std::int64_t value = 0;  // 0: none
  friend bool operator==(const SystemPriority&, const SystemPriority&) = default;
};

/// The job's actual run according to its trace.  checkjob shows it and statistics include it, but
/// planning never uses it.
struct RecordedRun {
  Seconds run_time{0};
  double proc_seconds = 0;
};

/// How an active job gives up its nodes (guide 8.4).
enum class Preemption : std::uint8_t {
  requeue,     // back into the queue; its work is lost
  suspend,     // stopped; it resumes later on the same nodes
  checkpoint,  // back into the queue; its work is kept
};

/// The total use of an active job's tasks, as the resource manager reports it.
struct JobUse {
  double procs = 0;                             // busy now
  std::int64_t memory = 0, swap = 0, disk = 0;  // MB, now
  std::optional<double> cpu_seconds = {};       // so far; nullopt: not reported
  friend bool operator==(const JobUse&, const JobUse&) = default;
};

/// The failures of a job so far (guide 11.1).
struct JobFailures {
  int starts = 0;  // refused or failed starts since the last deferral
  int deferrals = 0;
  Time deferred_until = kForever;  // while the defer hold is in place
  Time retry_until{0};             // a job that had a reservation is retried first until then
  Time preempts_from{0};           // its start was refused after it had preempted: not before then
  friend bool operator==(const JobFailures&, const JobFailures&) = default;
};

/// The use of a job's run as all reports of it show.
struct PastUse {
  JobUse peak;                 // of each resource
  Seconds cpu_run{0};          // run time when its CPU time last changed
  Time over_since = kForever;  // start of the time it uses more than it asked for
  friend bool operator==(const PastUse&, const PastUse&) = default;
};

/// A run of a job, told from its other runs and from other jobs with that identifier.
struct RunKey {
  JobId job;
  std::uint64_t arrival = 0;
  std::int32_t attempt = 0;
  friend bool operator==(const RunKey&, const RunKey&) = default;
};

struct Job {
  // The fields that planning reads of every waiting job come first, within two cache lines.
  JobId id;
  RequestId request;
  Credentials credentials;
  JobState state = JobState::idle;
  std::uint8_t holds = 0;                  // bits of Hold: own_holds and holds_reported together
  std::uint16_t flags = 0;                 // bits of JobFlag
  std::optional<NodeAccess> access_asked;  // by the job, instead of NODEACCESSPOLICY
  std::uint8_t own_holds = 0;              // holds of the scheduler, its users and administrators
  std::uint8_t holds_reported = 0;         // holds that the resource manager reports
  ReservationId reservation;               // of a waiting job: its priority reservation
  std::vector<std::pair<int, Seconds>> alternatives;  // task count and limit; empty: no choice
  Seldom<std::string> required_reservation;           // ADVRES: name, or empty for any
  Time submitted{0};                                  // time of arrival at the resource manager
  Time queued{0};                                     // start of its effective queue time
  Time eligible_since{0};        // time it last became eligible (system queue time)
  Time earliest_start{0};        // start date: not before
  Time deadline = kForever;      // end date
  std::int64_t priority = 0;     // as of the last iteration
  bool node_set_binds = false;   // never leaves its node set, despite NODESETDELAY
  bool kinds_accepted = false;   // a resource manager has accepted its several requirements
  bool qos_set = false;          // by setqos: access lists no longer change it
  bool request_excused = false;  // somebody released a hold for what it asks for: it gets no other

  std::uint64_t arrival = 0;  // order of arrival, the last tie-breaker
  std::string name;
  Seldom<HoldReason> hold_reason;  // of batch and defer holds
  Seldom<std::string> waits_for;   // what keeps the resource manager from starting it
  Time started = kForever;
  Time ends = kForever;  // active: start plus limit
  Time ended = kForever;
  Time suspended_since = kForever;  // start of the present suspension
  Seconds time_left{0};             // suspended: time left to its limit
  Seconds suspended_time{0};        // time since its start that is no run time
  /// The part of it that is no suspension: by how much the clock was set during the run.  Negative:
  /// its start is dated later than by the clock as it stands.
  Seconds clock_set{0};
  /// By how much its resource manager's clock is ahead: it has dated the start or the end of the
  /// run in the future.  clock_set includes it, as a negative part.
  Seconds clock_ahead{0};
  Seconds kept_run{0};      // run time kept by checkpoints; the request's limit is the rest
  Time accounted_until{0};  // its runs until then are accounted; 0: none is
  std::int32_t start_count = 0;
  std::int32_t attempts = 0;  // starts, with those that were undone: tells its runs apart
  JobFailures failures;
  Seldom<JobUse> use;  // as reported last
  Seldom<PastUse> past_use;
  Seconds used_run{0};  // run time when `use` was reported
  SystemPriority system_priority;
  Placement placement;  // of an active, suspended or ended job
  std::string title;    // the name that its user gave it; similar jobs share it
  std::string executable, resource_manager;
  Seldom<std::string> comment, node_set, application_data;
  Seldom<SuspensionReason> suspension_reason;        // of a suspended job
  Seldom<std::string> system_id, group_id, display;  // SID, JGROUP, SGE of guide 13.3; shown only
  std::optional<AccountId> account_reported;         // its own account while another one is charged
  Seldom<std::string> qos_requested;
  std::vector<PartitionId> partitions_asked;     // by the job; sorted; empty: any
  std::vector<PartitionId> partitions_reported;  // by its resource manager; sorted; empty: any
  std::vector<Dependency> dependencies;          // all must be met
  std::optional<RecordedRun> recorded;

  /// Returns the average number of busy processors of the job; without reported CPU time, the
  /// latest number; nullopt if nothing is reported.
  std::optional<double> average_procs() const {
    if (use->cpu_seconds && used_run > Seconds(0))
      return *use->cpu_seconds / static_cast<double>(used_run.raw());
    return use->procs > 0 ? std::optional(use->procs) : std::nullopt;
  }
  /// Returns for how long the job has been suspended in this run, before a suspension that lasts.
  Seconds suspensions() const { return suspended_time - clock_set; }
  /// Returns by how much the machine's clock was set during the run.
  Seconds clock_step() const { return clock_set + clock_ahead; }
  /// Returns its start by the clock as it stands, if that was set back since.
  Time began() const { return started + std::min(clock_set, Seconds(0)); }
  /// Returns the time from which the run counts: the start, later by the time for which the job was
  /// suspended, and by how far the clock has been set since.
  Time counted_start() const { return started + suspended_time; }
  /// Returns the run time without suspensions.  Requires that the job has started.
  Seconds run_so_far(Time now) const {
    return (suspended() ? suspended_since : now) - counted_start();
  }
  RunKey run_key() const { return {id, arrival, attempts}; }
  bool active() const { return state == JobState::starting || state == JobState::running; }
  bool waiting() const { return state == JobState::idle; }
  bool suspended() const { return state == JobState::suspended; }
  /// True for a suspended job that a plan may resume.
  bool may_resume() const {
    return suspended() && suspension_reason->cause != SuspensionCause::by_hand && holds == 0;
  }
  /// True for a suspended job for which its nodes are kept.
  bool keeps_nodes() const {
    return may_resume() && suspension_reason->cause == SuspensionCause::preemption;
  }
  bool dependencies_met() const {
    for (const Dependency& dependency : dependencies)
      if (dependency.state != DependencyState::met) return false;
    return true;
  }
};

}  // namespace maui
