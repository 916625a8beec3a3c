// A site of the guide's appendix A: its configuration from tests/data/case_studies, invented nodes
// and jobs, and the real engine on the simulated resource manager in virtual time.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "support/made_up_workload.h"

namespace maui::test {

/// Monday, 3 September 2001, 0:00:00 UTC.
inline constexpr Time kMonday{999475200};
inline constexpr Seconds kMinute{60}, kHour{3600}, kDay{86400};

/// A job that ran to its end.
struct FinishedJob {
  std::string name, user, group, job_class;
  int procs = 0;
  Seconds limit{0};
  Time submitted{0}, started{0}, ended{0};
  std::set<std::string> nodes;
  double wait_hours() const { return static_cast<double>((started - submitted).raw()) / 3600; }
};

class Site : public EngineObserver {
 public:
  /// `study` is the directory of the site's configuration.  The test fails if the directory is
  /// missing or the configuration does not load.
  explicit Site(const std::string& study);

  void add_nodes(const std::string& prefix, int count, Resources each,
                 const std::vector<std::string>& classes = {});
  void run(Time until, std::vector<MadeUpJob> jobs);

  Settings settings;
  std::vector<FinishedJob> runs;
  std::map<std::string, double> proc_hours;  // delivered to each group
  std::int64_t most_reservations = 0;        // of waiting jobs, at one time
  std::int64_t most_shared = 0;              // jobs on one node, at one time
  std::function<void(const Cluster&, Time)> look = [](const Cluster&, Time) {};  // per iteration

  /// Returns hours, averaged over the jobs for which `counts` is true; -1 if there are none.
  double average_wait(const std::function<bool(const FinishedJob&)>& counts) const;
  /// Returns the group's share of the delivered processor hours, in per cent.
  double share(const std::string& group) const;

  bool wants(int) const override { return false; }
  void log(int, std::string_view, std::string_view) override {}
  void job_ended(const Cluster& cluster, JobId id, int) override;

 private:
  void note(const Cluster& cluster);

  std::vector<NodeReport> nodes_;
};

}  // namespace maui::test
