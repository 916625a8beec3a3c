// A.3: one machine of 64 processors; small, short jobs first, and nothing is kept for a job that
// cannot start.
#include <gtest/gtest.h>

#include <iostream>

#include "case_studies/site.h"

namespace maui::test {
namespace {

std::vector<MadeUpJob> small_jobs() {
  Dice dice(3);
  std::vector<MadeUpJob> jobs;
  for (int i = 0; i < 400; ++i) {
    MadeUpJob job;
    job.user = fmt::format("user{}", dice.between(1, 20));
    job.group = "all";
    job.tasks = dice.between(1, 32);
    job.memory = 256;
    job.limit = kMinute * dice.between(15, dice.in_a_hundred(70) ? 8 * 60 : 48 * 60);
    job.run = Seconds(job.limit.raw() * dice.between(30, 100) / 100);
    job.submitted = kMonday + kMinute * dice.between(0, 14 * 24 * 60);
    jobs.push_back(job);
  }
  return jobs;
}

double wait_of(const Site& site, int least, int most) {
  return site.average_wait(
      [=](const FinishedJob& run) { return run.procs >= least && run.procs <= most; });
}

TEST(CaseStudyA3, SmallJobsWaitLessAndNothingIsKeptForJobsThatCannotStart) {
  Site site("a3"), plain("a4");
  for (Site* one : {&site, &plain}) {
    one->add_nodes("o2k", 1, Resources(64, 32768));
    one->run(kMonday + kDay * 90, small_jobs());
    EXPECT_EQ(one->runs.size(), 400U);
    std::cout << fmt::format(
        "average wait: {:.2f} h of up to 8 processors, {:.2f} h of 24 and more\n",
        wait_of(*one, 1, 8), wait_of(*one, 24, 32));
  }
  EXPECT_LT(wait_of(site, 1, 8), 0.5 * wait_of(plain, 1, 8));
  EXPECT_EQ(site.most_reservations, 0);
  EXPECT_GT(plain.most_reservations, 0);
}

}  // namespace
}  // namespace maui::test
