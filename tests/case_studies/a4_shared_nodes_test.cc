// A.4 leaves its plan open: 8 nodes, 32 processors, jobs of 1 to 16 processors that share nodes.
#include <gtest/gtest.h>

#include <iostream>

#include "case_studies/site.h"

namespace maui::test {
namespace {

std::vector<MadeUpJob> jobs_for_shared_nodes() {
  Dice dice(4);
  std::vector<MadeUpJob> jobs;
  for (int i = 0; i < 300; ++i) {
    MadeUpJob job;
    job.user = fmt::format("user{}", dice.between(1, 12));
    job.group = "all";
    job.tasks = dice.between(1, dice.in_a_hundred(70) ? 3 : 16);
    job.limit = kMinute * dice.between(15, dice.in_a_hundred(80) ? 240 : 48 * 60);
    job.run = Seconds(job.limit.raw() * dice.between(30, 100) / 100);
    job.submitted = kMonday + kMinute * dice.between(0, 7 * 24 * 60);
    jobs.push_back(job);
  }
  return jobs;
}

double average_wait(Site& site) {
  site.add_nodes("sp", 8, Resources(4, 3072));
  site.run(kMonday + kDay * 60, jobs_for_shared_nodes());
  EXPECT_EQ(site.runs.size(), 300U);
  return site.average_wait([](const FinishedJob&) { return true; });
}

TEST(CaseStudyA4, JobsThatShareNodesWaitLessThanOnNodesOfTheirOwn) {
  Site shared("a4"), dedicated("a4");
  dedicated.settings.node_access = NodeAccess::dedicated;
  const double together = average_wait(shared), alone = average_wait(dedicated);
  std::cout << fmt::format("average wait: {:.2f} h shared, {:.2f} h dedicated\n", together, alone);
  EXPECT_LT(together, 0.8 * alone);
  EXPECT_EQ(shared.most_shared, 4);
  EXPECT_EQ(dedicated.most_shared, 1);
}

}  // namespace
}  // namespace maui::test
