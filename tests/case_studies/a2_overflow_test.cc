// A.2: 16 nodes for parallel jobs, 8 for up to four serial jobs each, and 8 that serve both when
// nothing else is left.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "case_studies/site.h"

namespace maui::test {
namespace {

/// `load`: how many jobs of each kind, of an hour each, at any one time.
std::vector<MadeUpJob> workload(int serial, int parallel) {
  Dice dice(2);
  std::vector<MadeUpJob> jobs;
  for (int hour = 0; hour < 100; ++hour)
    for (int i = 0; i < serial + parallel; ++i) {
      MadeUpJob job;
      job.user = fmt::format("user{}", dice.between(1, 9));
      job.group = "all";
      job.job_class = i < serial ? "batch" : "parallel";
      job.tasks = i < serial ? 1 : 2 * dice.between(2, 4);
      job.limit = job.run = kHour - kMinute;
      job.submitted = kMonday + kHour * hour;
      jobs.push_back(job);
    }
  return jobs;
}

/// How many jobs were on overflow nodes, and how full the timesharing nodes were loaded.
struct Use {
  int on_overflow = 0, jobs = 0;
  std::int64_t most_on_timesharing = 0;
};

Use use_of(int serial, int parallel) {
  Site site("a2");
  site.add_nodes("an", 16, Resources(1, 512), {"parallel"});
  site.add_nodes("bn", 8, Resources(4, 1024), {"batch"});
  site.add_nodes("cn", 8, Resources(1, 512), {"parallel", "batch"});
  Use use;
  site.look = [&](const Cluster& cluster, Time) {
    for (const Node& node : cluster.nodes())
      if (node.name.starts_with("bn"))
        use.most_on_timesharing =
            std::max(use.most_on_timesharing,
                     static_cast<std::int64_t>(cluster.occupancy(node.id).occupants.size()));
  };
  site.run(kMonday + kDay * 30, workload(serial, parallel));
  for (const FinishedJob& job : site.runs) {
    ++use.jobs;
    for (const std::string& node : job.nodes)
      if (node.starts_with("cn")) {
        ++use.on_overflow;
        break;
      }
  }
  EXPECT_EQ(use.jobs, 100 * (serial + parallel));
  std::cout << fmt::format(
      "{:>2} serial and {} parallel jobs at a time: {} of {} on overflow nodes, up to {} on a "
      "timesharing node\n",
      serial, parallel, use.on_overflow, use.jobs, use.most_on_timesharing);
  return use;
}

TEST(CaseStudyA2, OverflowNodesAreUsedOnlyWhenNothingElseIsLeft) {
  EXPECT_EQ(use_of(24, 2).on_overflow, 0);
  EXPECT_GT(use_of(36, 2).on_overflow, 300);  // four serial jobs too many
  EXPECT_GT(use_of(24, 4).on_overflow, 50);
}

TEST(CaseStudyA2, SerialJobsAreSpreadOverTheTimesharingNodes) {
  EXPECT_EQ(use_of(8, 0).most_on_timesharing, 1);
  EXPECT_EQ(use_of(16, 0).most_on_timesharing, 2);
  EXPECT_EQ(use_of(32, 0).most_on_timesharing, 4);
}

}  // namespace
}  // namespace maui::test
