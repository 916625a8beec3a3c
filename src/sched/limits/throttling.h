// Throttling: may a job be considered, and started, given what its owners use already (guide 6.2)?
//
// Limits of active jobs: what the jobs of an owner use plus what the job asks for may not be more
// than the limit.  Soft limits decide who is considered first, hard ones are never passed.  Limits
// of idle jobs: in order of priority, jobs are eligible as long as all of them together stay within
// the limits; these are hard only.  Limits of a single job (SYSTEMMAX*) keep it out for good.
//
// Amounts: jobs, processors, processor-seconds and seconds still to come (a running job's are its
// remaining time's), processor equivalents, nodes job by job, megabytes of memory
// (docs/decisions/throttling.md).  Reads what it is handed; the use that it counts grows by add().
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"
#include "sched/limits/limit_rules.h"

namespace maui {

enum class Strictness : std::uint8_t { off, soft, hard };

/// By LimitKind.
using LimitAmounts = std::array<double, kLimitKinds>;

/// Slack of every comparison of amounts: sums of processor equivalents are no whole numbers.
inline constexpr double kLimitRounding = 1e-6;

/// The limit of that level; 0: none.
double limit_at(const LimitRule& rule, Strictness level);

/// A limit that a job would pass.
struct Violation {
  LimitOwner owner;
  LimitKind kind = LimitKind::job;
  bool idle = false;
  bool single_job = false;  // SYSTEMMAX*
  Strictness level = Strictness::hard;
  double limit = 0, asked = 0, used = 0;
};
/// "violates active HARD MAXPROC limit of 24 for group phys  (R: 16, U: 20)".
std::string describe(const Cluster& names, const Violation& violation);
std::string_view limit_name(LimitKind kind);  // "JOB", "PROC"

class Throttling {
 public:
  /// Counts what active jobs use.
  Throttling(const Cluster& cluster, const Settings& settings, Time now);
  /// The same by rules that hold for these, and outlive this.
  Throttling(const Cluster& cluster, const Settings& settings, Time now, LimitRules& rules);
  Throttling(const Throttling&) = delete;
  Throttling& operator=(const Throttling&) = delete;

  /// There are limits of active or idle jobs, or of single jobs: else nothing is ever violated.
  bool any() const { return rules_.any() || single_job_; }
  /// There are limits of single jobs.
  bool single_job_matters() const { return single_job_; }
  /// Some soft limit is stricter than its hard one.
  bool soft_matters() const { return rules_.matter().soft; }
  /// There are limits of idle jobs: then one job's standing depends on those before it.
  bool idle_matters() const { return rules_.matter().idle; }

  /// The first limit of active jobs that the job would pass by starting; of its shapes, if it has
  /// several, none would do.
  std::optional<Violation> violated(const Job& job, Strictness level);
  /// True if a job of the queue would pass one.
  bool holds_back(const Plan::Ranked& ranked, Strictness level);
  /// In one shape; without a placement, on as few nodes as could be.
  std::optional<Violation> violated(const Job& job, const Request& shape, Strictness level,
                                    const Placement* placement = nullptr);
  /// The job asks for more than any single one may.
  std::optional<Violation> asks_too_much(const Job& job);

  /// The job starts: from now on its owners use this much more.
  void add(const Job& job, const Request& shape, const Placement& placement);
  /// A job that was active is so no more.
  void remove(const Job& job);

  /// Takes out of `order` the jobs that may not be considered: those beyond the limits of idle jobs
  /// and, at this level, those that would pass one of active jobs.  Those that are reserved stay:
  /// theirs are a matter of their reserved starts.
  struct Blocked {
    JobId job;
    Violation why;
  };
  void select(std::vector<Plan::Ranked>& order, Strictness level,
              std::vector<Blocked>* blocked = nullptr);

  /// The use that the job would make when it starts; without a placement, on as few nodes as could
  /// be.
  LimitAmounts asks(const Request& shape, const Placement* placement) const;
  /// The use that the jobs make which were active at first.
  struct ActiveUse {
    const Job* job;
    std::size_t scope;  // LimitRules::number_of()
    LimitAmounts amounts;
    Time ends;
  };
  const std::vector<ActiveUse>& active() const { return active_; }
  /// The owners that count the jobs of a scope.
  const std::vector<std::size_t>& owners_of(std::size_t scope) const {
    return rules_.scope(scope).owners;
  }
  /// The owners that count the job, and their limits.
  const LimitRules::Scope& scope_of(const Job& job, const Placement* placement = nullptr) {
    return rules_.scope(rules_.number_of(job, placement));
  }
  /// Some partition has limits of its own.
  bool partitions_matter() const { return rules_.partitions_matter(); }
  /// The partition has limits of its own.
  bool limits(PartitionId partition) const { return rules_.limits(partition); }
  /// The partitions of which a waiting job in this shape may have any, those that can never serve
  /// it left out: it is within limits if it is so in one of them.  Empty where no partition has
  /// limits of its own, and for a job that may span partitions.
  std::vector<PartitionId> choice_of(const Job& job, const Request& shape);
  /// The owners that count a waiting job in this shape, and their limits, in each partition of its
  /// choice.
  std::vector<const LimitRules::Scope*> scopes_of(const Job& job, const Request& shape);
  /// The use of the active jobs of an owner.
  LimitAmounts used_by(const LimitOwner& owner) const;

 private:
  void begin();

  struct Use {
    LimitAmounts active{}, idle{};
  };
  /// The answer that all jobs of one scope have in common, if they have one.
  enum class Standing : std::uint8_t { unknown, none_passes, all_pass, differs };
  struct Level {
    std::vector<Standing> standings;  // by scope; unknown when use of active jobs has changed
    std::vector<LimitAmounts> rooms;  // by scope, of those whose jobs differ
  };

  LimitAmounts asked(const Request& request, Seconds time) const;
  /// The use of an active job.
  LimitAmounts used_by(JobId job, RequestId request, Time ends);
  /// Tells why if that is asked for.
  bool is_kept_back(const Plan::Ranked& ranked, Strictness level, const std::vector<char>& crowded,
                    std::optional<Violation>* why);
  LimitAmounts taken(const Request& request, const Placement& placement, Seconds time) const;
  int fewest_nodes(const Request& request) const;
  /// nullptr: it passes none.
  const LimitRule* rule_passed(const std::vector<LimitRule>& rules, const LimitAmounts& asked,
                               bool idle, Strictness level) const;
  /// True if a job of this scope would pass a limit of active jobs.
  bool passes(std::size_t scope, const LimitAmounts& asked, Strictness level);
  /// The room that the limits of active jobs leave to those of one scope, kind by kind, less what
  /// sums may be off by: most jobs are well within it, and no rule has to be looked at.
  LimitAmounts room_of(std::size_t scope, Strictness level) const;
  /// Fills `room` in where jobs differ.
  Standing standing_of(std::size_t scope, Strictness level, LimitAmounts& room);
  std::optional<Violation> violated_in(const LimitRules::Scope& scope, const LimitAmounts& asked,
                                       Strictness level) const;
  Violation violation_of(const LimitRule& rule, const LimitAmounts& asked, bool idle,
                         Strictness level) const;
  double used_of(const LimitRule& rule, bool idle) const;
  /// The amounts that jobs with that request ask for.
  const LimitAmounts& asked_by(RequestId request) {
    const bool known = request.index() < asked_by_.size() && asked_by_[request.index()];
    return known ? *asked_by_[request.index()] : find_asked(request);
  }
  const LimitAmounts& find_asked(RequestId request);
  std::vector<PartitionId> serving_partitions(const Request& shape) const;
  std::size_t scope_number(const Plan::Ranked& ranked) {
    return rules_.partitions_matter() || !ranked.credentials.valid()
               ? rules_.number_of(cluster_.job(ranked.job))
               : rules_.number_of(ranked.credentials);
  }
  /// Jobs with that request may use any of several partitions, and some partition has limits.
  bool has_choice(RequestId request) const {
    return rules_.partitions_matter() && cluster_.request(request).partitions.size() != 1;
  }
  void count(const LimitRules::Scope& scope, const LimitAmounts& amounts, LimitAmounts Use::*which,
             double sign);
  /// By scope: true if all jobs of this order together may pass a limit of idle jobs that bears on
  /// those of the scope; empty where they do in none.
  std::vector<char> crowded_scopes(const std::vector<Plan::Ranked>& order);

  const Cluster& cluster_;
  const Settings& settings_;
  Time now_;
  std::optional<LimitRules> own_rules_;
  LimitRules& rules_;
  bool single_job_ = false;
  int widest_node_ = 1;   // processors of the largest node
  std::vector<Use> use_;  // by owner
  Level soft_, hard_;
  std::optional<LimitAmounts> most_asked_;  // of each kind, by any job
  std::vector<ActiveUse> active_;
  std::vector<std::optional<LimitAmounts>> asked_by_;             // by request
  std::vector<std::optional<std::vector<PartitionId>>> choices_;  // by request, of its own shape
  Resources configured_;  // in all, for processor equivalents
};

}  // namespace maui
