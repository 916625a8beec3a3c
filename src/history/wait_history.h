// Why each job has waited, and when: the planner's own reasons, from iteration to iteration.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui {

class WaitHistory {
 public:
  struct Period {
    Reason reason = Reason::none;
    Time start{0}, end{0};
    friend bool operator==(const Period&, const Period&) = default;
  };

  /// Keeps at most `most` periods per job: beyond that, the two shortest neighbours are merged
  /// under the reason of the longer one.
  explicit WaitHistory(std::size_t most) : most_(most) {}

  /// Examines the plan of an iteration.  Requires that take() was called for each job that has
  /// ended, since ids are reused.
  void look(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now);
  /// Returns the periods of a waiting job until now, without gaps, from its submission on.
  std::vector<Period> of(const Job& job, Time now) const;
  /// Returns the periods of a job that has ended, and forgets the job.
  std::vector<Period> take(const Job& job);

  /// The history of a waiting job that a new scheduler could not reconstruct.
  struct Kept {
    std::string job;
    Time submitted{0};
    std::vector<Period> periods;  // the last one still held
    friend bool operator==(const Kept&, const Kept&) = default;
  };
  /// Calls `f` with each waiting job that has such a history, and the history's periods.
  void for_each_kept(
      const Cluster& cluster, Time now,
      const std::function<void(const Job& job, const std::vector<Period>& periods)>& f) const;
  /// Restores these histories as their jobs are seen again.
  void restore(std::vector<Kept> kept);

 private:
  struct Entry {
    Reason reason = Reason::none;
    Time since{0};  // when the reason began to hold
    std::vector<Period> over;
  };
  /// The state that is checked for every job in every iteration; small, since jobs are many.
  struct Glance {
    std::uint32_t look = 0;        // at which it was last planned; 0: not planned
    Reason reason = Reason::none;  // as in its entry
    bool known = false;            // the job has an entry
    bool held = false;             // when it was seen not to be planned
  };

  bool knows(JobId id) const { return id.index() < glances_.size() && glances_[id.index()].known; }
  void note(const Job& job, Reason reason, Time now);
  bool take_restored(const Job& job, Entry& entry);
  void close(Entry& entry, Time now) const;

  std::size_t most_;
  std::unordered_map<std::string, Kept> restored_;  // by name: not seen again yet
  std::vector<Glance> glances_;                     // by id of the job
  std::vector<Entry> entries_;                      // by id of the job
  std::uint32_t look_ = 0;
};

}  // namespace maui
