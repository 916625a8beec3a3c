// Why each job has waited, and since when: the planner's own reasons, from iteration to iteration.
#pragma once
#include <cstddef>
#include <cstdint>
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

  /// `most` periods are kept for a job: where there are more, the two neighbours that are shortest
  /// together count for the longer one's reason.
  explicit WaitHistory(std::size_t most) : most_(most) {}

  /// Looks at the plan of an iteration.  Requires that take() was asked about each job that has
  /// ended: ids are given again.
  void look(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now);
  /// The periods of a waiting job until now, without gaps, from its submission on.
  std::vector<Period> of(const Job& job, Time now) const;
  /// Those of one that has ended; nothing more is known of it then.
  std::vector<Period> take(const Job& job);

  /// Knowledge of a waiting job that a scheduler that begins would not find out anew.
  struct Kept {
    std::string job;
    Time submitted{0};
    std::vector<Period> periods;  // the last one held still
    friend bool operator==(const Kept&, const Kept&) = default;
  };
  std::vector<Kept> kept(const Cluster& cluster, Time now) const;
  /// Goes on from there as these jobs are seen again.
  void restore(std::vector<Kept> kept);

 private:
  struct Entry {
    Reason reason = Reason::none;
    Time since{0};  // it holds
    std::vector<Period> over;
  };
  /// All that is looked at of a job for which nothing has changed, and jobs are many.
  struct Glance {
    std::uint32_t look = 0;        // the last at which it was planned; 0: it was not
    Reason reason = Reason::none;  // as in its entry
    bool known = false;            // something is known of it
    bool held = false;             // when it was seen not to be planned
  };

  bool knows(JobId id) const { return id.index() < glances_.size() && glances_[id.index()].known; }
  void note(const Job& job, Reason reason, Time now);
  bool take_restored(const Job& job, Entry& entry);
  void close(Entry& entry, Time now) const;

  std::size_t most_;
  std::unordered_map<std::string, Kept> restored_;  // by name: not seen again yet
  std::vector<Glance> glances_;                     // by id of the job
  std::vector<Entry> entries_;                      // likewise
  std::uint32_t look_ = 0;
};

}  // namespace maui
