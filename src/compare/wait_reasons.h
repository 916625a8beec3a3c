// Why each job of a run waits, and for how long: the planner's own reasons, summed up from
// iteration to iteration.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "compare/outcome.h"
#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"

namespace maui::compare {

class WaitReasons {
 public:
  /// Looks at a plan that has just been made, before it is carried out.
  void look(const Cluster& cluster, const Settings& settings, const Plan& plan, Time now);
  /// The reasons of a job that has ended, longest first; nothing more is known of it then.
  std::vector<WaitReason> take(const Job& job);

 private:
  static constexpr std::size_t kReasons = static_cast<std::size_t>(Reason::never) + 1;
  struct Entry {
    std::uint64_t arrival = 0;  // of the job: ids are given again
    std::int64_t look = -1;     // the last at which it waited
    Reason reason = Reason::none;
    bool blocked = false;  // it is not among those that are planned
    Time since{0};         // the reason holds
    std::array<std::int32_t, kReasons> seconds{};
  };
  void note(const Job& job, Reason reason, Time now);
  Entry& entry_of(const Job& job);

  std::vector<Entry> entries_;  // by id of the job
  std::int64_t looks_ = 0;
};

}  // namespace maui::compare
