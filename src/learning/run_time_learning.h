// Learning from the jobs of a cluster as they end, and telling what is to be expected of the
// others.
//
// A waiting job is looked at again when another job of its user has ended, once that can matter,
// and nothing is worked out for the rest.  While a job runs, what was expected as it started
// stands.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "learning/forecast_totals.h"
#include "learning/interval_calibration.h"
#include "learning/run_distribution.h"
#include "learning/run_time_history.h"
#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui {

/// How long a job will run in all, by the jobs before it.
struct RunForecast {
  Seconds expected{0};
  RunInterval likely;  // nine times of ten
  int similar = 0;     // jobs like it that have been seen of late
};

/// A limit that would have done for a job, and when the job would have started with it: a moment at
/// which it fitted, and did not start, though it waited for nothing else.
struct ShorterLimit {
  Seconds limit{0};
  Time start = kForever;
};

class RunTimeLearning {
 public:
  /// A lesson to be learned from a job that has ended.
  struct Lesson {
    ForecastTotals totals;
    std::optional<ShorterLimit> shorter;
  };

  /// All that has been learned, for the checkpoint.
  struct Memory {
    std::vector<RunTimeHistory::Kept> rings;
    std::array<IntervalCalibration::Factors, IntervalCalibration::kClasses> factors;
    std::array<IntervalCalibration::Coverage, IntervalCalibration::kClasses> coverage;
  };

  // --- what happens -----------------------------------------------------------
  void arrived(const Cluster& cluster, JobId job);
  /// A waiting job asks for something else than before.
  void changed(JobId job);
  void started(Cluster& cluster, const Settings& settings, JobId job);
  /// A job that has run goes back into the queue: what it was promised has been kept.
  void returned(Cluster& cluster, JobId job);
  /// A job that has begun to run has another limit.
  void limit_changed(const Cluster& cluster, const Settings& settings, JobId job);
  /// `natural`: its run tells something of others, since neither its node nor another job ended it.
  /// The job is still known to the cluster, which tells how long it ran.
  Lesson ended(Cluster& cluster, const Settings& settings, JobId job, bool natural);
  /// Somebody was told when the waiting job is expected to start; by limits, placed like that, it
  /// would then.
  void told_start(JobId job, Time expected, Time by_limits);
  /// All that is expected may be another thing now.
  void settings_changed();
  /// Brings Cluster::run_times up to date, for who is to plan.
  void refresh(Cluster& cluster, const Settings& settings, Time now);
  /// Notes whether the job that RunTimes::shorter asks about would have started now.
  void note_shorter(const Cluster& cluster, const Plan& plan, Time now);

  /// Learns from a job of which nothing else is known any more.
  void learn(const JobTraits& job, Seconds run, Time ended) { history_.learn(job, run, ended); }
  /// Forgets all that was learned, but for what was said of jobs that are known.
  void forget();
  Memory memory() const;
  void restore(const Memory& memory);

  // --- what is known ------------------------------------------------------------
  RunForecast forecast(const Cluster& cluster, const Settings& settings, JobId job, Time now) const;
  /// True if runs of these credentials are learned from (LEARN).
  static bool learns(const Cluster& cluster, const Settings& settings, const Credentials& who);
  const RunTimeHistory& history() const { return history_; }
  const IntervalCalibration& calibration() const { return calibration_; }

 private:
  struct Known {
    std::shared_ptr<const RunDistribution> run;  // null: to be worked out
    RunInterval said;                            // of a job that has started, then
    std::uint64_t as_of = 0;                     // User::ends, when `run` was worked out
    std::size_t user = 0;                        // number of its User
    std::uint32_t place = 0;                     // among the jobs of its user
    bool known = false;
    Time looked{0};     // for a shorter limit, last
    Seconds enough{0};  // as a limit; 0: not looked for yet
    std::optional<ShorterLimit> shorter;
    struct Told {
      Time expected{0}, by_limits{0};
    };
    std::optional<Told> told;  // of its start, for the first time
  };
  /// The time that an active job may still need: the same from one moment until another, as long as
  /// it is to end at that time.
  struct Rest {
    Time ends{0};
    Time since{0};  // the start of its run, had it not been suspended
    Time from{0}, until{0};
    RunDistribution::Longer longer;
    double equivalents = 0;  // processors
    double pace = 1;         // seconds at speed 1 in one on its nodes
  };
  struct User {
    std::vector<JobId> jobs;         // all that are known
    std::uint64_t ends = 0;          // of jobs that were learned from
    bool marked = false;             // in marked_
    std::size_t next = 0, left = 0;  // then: which job is to be looked at next, and how many are
  };
  /// The part of a waiting job in what others wait for.
  struct Share {
    std::int64_t area = 0;  // whole processor-seconds that it is expected to need
    bool counts = false;    // it has a fair wait
  };
  class Looks;
  Known& known(JobId job);
  Share& share(JobId job);
  std::shared_ptr<const RunDistribution> expect(const Cluster& cluster, const Settings& settings,
                                                const Job& job) const;
  /// `all`: however many there are.
  void look_at_marked(Cluster& cluster, const Settings& settings, bool all);
  void look_for_shorter_limit(Cluster& cluster, const Settings& settings, Time now);
  Seconds limit_enough_for(const Cluster& cluster, const Settings& settings, JobId job);
  ForecastTotals judged(const Job& job, const Known& it, Seconds run, Seconds limit) const;
  void set_fair_waits(Cluster& cluster, const Settings& settings, Time now);
  void note_share(const Cluster& cluster, JobId job);
  Rest& rest(JobId job);
  void forget_rest(JobId job);
  void look_at_rest(const Cluster& cluster, const Settings& settings, const Active& line, Time now,
                    Rest& made);
  std::int64_t running_area(const Cluster& cluster, const Settings& settings, Time now);
  void mark(std::size_t user);
  void forget_marks();

  RunTimeHistory history_;
  IntervalCalibration calibration_;
  std::vector<Known> jobs_;         // by job
  std::vector<Share> shares_;       // by job, where the order of the queue is learned
  std::vector<Rest> rests_;         // by job, of those that were active when that mattered last
  Resources configured_;            // what these two were reckoned with
  std::vector<User> users_;         // nobody, and then by user
  std::vector<JobId> fresh_;        // came, or changed, since they were looked at
  std::deque<std::size_t> marked_;  // a job of theirs has ended since; first come, first served
  bool all_ = true;                 // everything is to be looked at
  bool told_ = false;               // Cluster::run_times says something
  Time forgotten_{0};               // when old rings were forgotten last
  std::size_t next_shorter_ = 0;    // where in the queue shorter limits are looked for next
  Time first_reserved_ = kForever;  // in the last plan
};

}  // namespace maui
