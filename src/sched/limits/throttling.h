// Throttling: whether a job may be considered and started, given what the jobs that are counted
// with it already use (guide 6.2).
//
// Limits of active jobs: the use of a subject's jobs plus the job's own request may not exceed the
// limit.  Soft limits decide which jobs are considered first; hard limits are never exceeded.
// Limits of idle jobs: in order of priority, jobs are eligible while their sum stays within the
// limits; these limits are always hard.  Limits of a single job (SYSTEMMAX*) block it permanently.
//
// Amounts: jobs, processors, processor-seconds and seconds still to come (for a running job, the
// rest of its wallclock limit), processor equivalents, nodes summed over jobs, megabytes of memory
// (docs/decisions/throttling.md).  Reads only its arguments; the counted use grows by add().
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"
#include "sched/limits/limit_rules.h"
#include "sched/limits/violation.h"
#include "sched/rules/job_flags.h"

namespace maui {

/// Amounts by LimitKind.
using LimitAmounts = std::array<double, kLimitKinds>;

/// More than the relative rounding error of sums of doubles.
inline constexpr double kLimitDoubt = 1e-9;

/// Returns the limit at that level; 0: no limit.
inline double limit_at(const Limit& limit, Strictness level) {
  return static_cast<double>(level == Strictness::soft ? limit.soft : limit.hard);
}
inline double limit_at(const LimitRule& rule, Strictness level) {
  return limit_at(rule.limit, level);
}

/// What limits leave to a job: how many nodes, and how long they let it run.
struct LeftByLimits {
  int nodes = 0;
  Seconds time{0};
};
/// Returns what the rules leave to a job in that shape.  `used`: returns the use that a rule
/// counts.
LeftByLimits left_by(const std::vector<LimitRule>& rules, Strictness level, const Request& shape,
                     const std::function<double(const LimitRule&)>& used);

class Throttling {
 public:
  /// Counts the use of active jobs and of unconfirmed runs (Cluster::unconfirmed_runs()).
  Throttling(const Cluster& cluster, const Settings& settings, Time now);
  /// Counts them by rules that hold for these arguments and outlive the object.
  Throttling(const Cluster& cluster, const Settings& settings, Time now, LimitRules& rules);
  Throttling(const Throttling&) = delete;
  Throttling& operator=(const Throttling&) = delete;

  /// True if there are limits of active, idle or single jobs; otherwise no job violates anything.
  bool any() const { return rules_.any() || single_job_; }
  /// True if there are limits of single jobs.
  bool single_job_matters() const { return single_job_; }
  /// True if some soft limit is stricter than its hard one.
  bool soft_matters() const { return rules_.matter().soft; }
  /// True if there are limits of idle jobs: then a job's eligibility depends on the jobs before it.
  bool idle_matters() const { return rules_.matter().idle(); }

  /// Returns the first limit of active jobs that the job would exceed by starting; for a job with
  /// several shapes, only if every shape would exceed a limit or a limit of single jobs forbids it.
  std::optional<Violation> violated(const Job& job, Strictness level);
  /// True if a job of the queue would exceed a limit of active jobs.
  bool holds_back(const Plan::Ranked& ranked, Strictness level) {
    return rules_.any() && level != Strictness::off && !surely_within(ranked, level) &&
           would_exceed(ranked, level);
  }
  /// Checks one shape; without a placement, on as few nodes as possible, and on the fastest ones.
  std::optional<Violation> violated(const Job& job, const Request& shape, Strictness level,
                                    const Placement* placement = nullptr);
  /// Returns the limit of single jobs that the job exceeds, if any; for a job with several shapes,
  /// only if every shape exceeds one.
  std::optional<Violation> asks_too_much(const Job& job);
  /// Checks one shape.
  std::optional<Violation> asks_too_much(const Job& job, const Request& shape);

  /// True if the waiting job could never start in this shape, even if no other job counted for its
  /// limits: those of single jobs, of active jobs and of idle jobs.
  bool exceeds_alone(const Job& job, const Request& shape);

  /// Counts the use of a job that starts.
  void add(const Job& job, const Request& shape, const Placement& placement);
  /// Takes back add() with the same arguments.
  void take_back(const Job& job, const Request& shape, const Placement& placement);
  /// Removes the use of a job that is no longer active.
  void remove(const Job& job);
  /// Takes back remove().
  void put_back(const Job& job);

  /// Removes from `order` the jobs that may not be considered: those beyond the limits of idle jobs
  /// and, at this level, those that would exceed a limit of active jobs.  Reserved jobs stay, since
  /// their limits are checked at their reserved starts.
  struct Blocked {
    JobId job;
    Violation why;
  };
  void select(std::vector<Plan::Ranked>& order, Strictness level,
              std::vector<Blocked>* blocked = nullptr);

  /// Returns the amounts that the job would use when it starts; without a placement, on as few
  /// nodes as possible, for its time on the fastest ones.
  LimitAmounts asks(const Request& shape, const Placement* placement) const;
  /// Returns the use of an active job.  Of its time, that is the rest of its wallclock limit: for a
  /// job past its limit, none.
  LimitAmounts used_by(const Job& job);
  /// The use of a job that was active, or of a run that was unconfirmed, when the object was made.
  struct ActiveUse {
    const Job* job;     // nullptr: the run is unconfirmed
    std::size_t scope;  // LimitRules::number_of()
    LimitAmounts amounts;
    Time ends;
  };
  const std::vector<ActiveUse>& active() const { return active_; }
  /// The subjects that count the jobs of a scope.
  const std::vector<std::size_t>& subjects_of(std::size_t scope) const {
    return rules_.scope(scope).subjects;
  }
  /// The subjects that count the job, and their limits.
  const LimitRules::Scope& scope_of(const Job& job, const Placement* placement = nullptr) {
    return rules_.scope(rules_.number_of(job, placement));
  }
  /// True if some partition has limits of its own.
  bool partitions_matter() const { return rules_.partitions_matter(); }
  /// True if the partition has limits of its own.
  bool limits(PartitionId partition) const { return rules_.limits(partition); }
  /// Returns the partitions that a waiting job in this shape may use, without those that are not
  /// feasible: the job is within limits if it is in one of them.  Empty where no partition has
  /// limits of its own and for a job that may span partitions.
  std::vector<PartitionId> choice_of(const Job& job, const Request& shape);
  /// Returns the subjects that count a waiting job in this shape, with their limits, for each
  /// partition of choice_of().
  std::vector<const LimitRules::Scope*> scopes_of(const Job& job, const Request& shape);
  /// Returns the use of the active jobs and the unconfirmed runs of a subject.
  LimitAmounts used_by(const LimitSubject& subject) const;
  /// Returns what the limits leave to a job in that shape that starts there.
  LeftByLimits left_to(const Job& job, const Request& shape, const Placement& placement,
                       Strictness level);

 private:
  void begin();
  void count_unconfirmed();

  struct Use {
    LimitAmounts active{}, idle{};
  };
  /// Whether the jobs of one scope pass (exceed) a limit; `differs`: it depends on the job.
  enum class Standing : std::uint8_t { unknown, none_passes, all_pass, differs };
  struct Level {
    std::vector<Standing> standings;  // by scope; unknown after the use of active jobs has changed
    std::vector<LimitAmounts> rooms;  // by scope; valid where standings differ
    // Whether the jobs of the first so many scopes have room for any request.
    struct {
      bool known = false, room = false;
      std::size_t scopes = 0;
    } all;
  };

  LimitAmounts asked(const Request& request, Seconds time) const;
  /// Returns the use of an active job that ends then, apart from nodes that it was given.
  LimitAmounts used_until(RequestId request, Time end);
  LimitAmounts used_by(const UnconfirmedRun& run) const;
  /// True if the job may not be considered; sets `*why` to the reason unless `why` is nullptr.
  bool is_kept_back(const Plan::Ranked& ranked, Strictness level, const std::vector<char>& crowded,
                    std::optional<Violation>* why);
  /// True if the job has a priority reservation, and jobs like it go on having them.
  bool stays_reserved(const Plan::Ranked& ranked);
  LimitAmounts taken(const Request& request, const Placement& placement, Seconds time) const;
  int fewest_nodes(const Request& request) const;
  /// Returns the first limit that is exceeded; nullptr if there is none.
  const LimitRule* rule_passed(const std::vector<LimitRule>& rules, const LimitAmounts& asked,
                               bool idle, Strictness level) const;
  Level& level_of(Strictness level) { return level == Strictness::soft ? soft_ : hard_; }
  /// True if no job of the queue can exceed a limit of active jobs, whatever its request: so it is
  /// on most machines at most times, and the limits of single scopes need no check.
  bool all_have_room(Strictness level) {
    const auto& all = level_of(level).all;
    return all.known && all.scopes == rules_.scopes() ? all.room : look_for_room(level);
  }
  bool look_for_room(Strictness level);
  /// True if the job exceeds no limit of active jobs, without a look at its own.
  bool surely_within(const Plan::Ranked& ranked, Strictness level) {
    if (ranked.special || rules_.partitions_matter()) return false;
    scope_number(ranked);  // now its scope is among all scopes
    return all_have_room(level);
  }
  bool would_exceed(const Plan::Ranked& ranked, Strictness level);
  bool subjects_have_room(Strictness level);
  const LimitAmounts& most_asked();
  /// True if a job of this scope would exceed a limit of active jobs.
  bool passes(std::size_t scope, const LimitAmounts& asked, Strictness level);
  /// Returns what the limits of active jobs leave to the jobs of one scope, by kind, less the
  /// possible rounding error.  Most jobs are well within it, so the rules need no check.
  LimitAmounts room_of(std::size_t scope, Strictness level) const;
  /// Returns the standing of the scope; fills in `room` where jobs differ.
  Standing standing_of(std::size_t scope, Strictness level, LimitAmounts& room);
  std::optional<Violation> violated_in(const LimitRules::Scope& scope, const LimitAmounts& asked,
                                       Strictness level) const;
  Violation violation_of(const LimitRule& rule, const LimitAmounts& asked, bool idle,
                         Strictness level) const;
  double used_of(const LimitRule& rule, bool idle) const;
  /// The amounts that jobs with one request ask for, and those that they use at least.  They differ
  /// where a job may be on nodes that are faster than speed 1, or must be on slower ones.
  struct Asked {
    LimitAmounts asked, least;
  };
  const Asked& asked_by(RequestId request) {
    const bool known = request.index() < asked_by_.size() && asked_by_[request.index()];
    return known ? *asked_by_[request.index()] : find_asked(request);
  }
  const Asked& find_asked(RequestId request);
  std::vector<PartitionId> serving_partitions(const Request& shape) const;
  std::size_t scope_number(const Plan::Ranked& ranked) {
    return rules_.partitions_matter() || !ranked.credentials.valid()
               ? rules_.number_of(cluster_.job(ranked.job))
               : rules_.number_of(ranked.credentials);
  }
  /// True if some partition has limits and jobs with that request may use several partitions.
  bool has_choice(RequestId request) const {
    return rules_.partitions_matter() && cluster_.request(request).partitions.size() != 1;
  }
  void count(const LimitRules::Scope& scope, const LimitAmounts& amounts, LimitAmounts Use::*which,
             double sign);
  /// Returns, by scope, whether all jobs of this order together may exceed a limit of idle jobs
  /// that applies to the scope; empty if there is no such scope.
  std::vector<char> crowded_scopes(const std::vector<Plan::Ranked>& order);

  const Cluster& cluster_;
  const Settings& settings_;
  Time now_;
  std::optional<LimitRules> own_rules_;
  LimitRules& rules_;
  bool single_job_ = false;
  int widest_node_ = 1;                    // processors of the largest node
  std::vector<Use> use_;                   // by subject
  std::vector<LimitAmounts> unconfirmed_;  // likewise: what active use is of unconfirmed runs
  Level soft_, hard_;
  std::optional<LimitAmounts> most_asked_;  // the most that any request uses at least, by kind
  std::vector<ActiveUse> active_;
  std::vector<std::optional<Asked>> asked_by_;                    // by request
  std::vector<std::optional<std::vector<PartitionId>>> choices_;  // by request, for its own shape
  std::optional<JobFlags> flags_;                                 // if some job needed them
  ResourceTotals configured_;  // the total, for processor equivalents
};

}  // namespace maui
