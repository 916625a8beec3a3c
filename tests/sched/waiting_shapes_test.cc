#include "sched/waiting_shapes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sched/configured.h"
#include "sched/cycle.h"
#include "support/carry_out.h"
#include "support/made_up_workload.h"
#include "support/random_cluster.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::Dice;
using test::hours;
using test::kNow;
using test::minutes;
using test::procs;
using test::rounds;
using test::Scenario;

using Shapes = std::vector<std::pair<int, Seconds>>;

/// Submits a job of amy's that waits in the first of these shapes.
JobId submit(Cluster& cluster, const Shapes& shapes, Time deadline = kForever, int per_node = 0) {
  Job job;
  job.name = fmt::format("job{}", cluster.job_slots());
  job.credentials.user = cluster.users.intern("amy");
  job.submitted = job.queued = kNow;
  job.deadline = deadline;
  if (shapes.size() > 1) job.alternatives = shapes;
  Request request;
  request.requirements.front().tasks = shapes.front().first;
  request.requirements.front().tasks_per_node = per_node;
  request.limit = shapes.front().second;
  return cluster.add_job(std::move(job), std::move(request));
}

/// Lets the job wait in the shape in which it should, and returns it: "8 for 200".
std::string choose(Cluster& cluster, const Settings& settings, JobId job, Time now = kNow) {
  FeasibleRequests feasible;
  if (auto other = WaitingShapes(cluster, settings, now, feasible).other_than_now(cluster.job(job)))
    cluster.set_request(job, *std::move(other));
  const Request& request = cluster.request_of(job);
  return fmt::format("{} for {}", request.total_procs(), request.limit.raw());
}

std::string chosen(std::string_view limits, const Shapes& shapes, Time deadline = kForever) {
  Cluster cluster = Scenario().nodes(1, procs(10)).build();
  return choose(cluster, configured(limits), submit(cluster, shapes, deadline));
}

TEST(WaitingShapes, AJobWaitsInTheFirstShapeThatCanEverRun) {
  const Shapes some{{10, Seconds(100)}, {8, Seconds(200)}, {1, Seconds(300)}};
  const Shapes too_large{{12, Seconds(100)}, {8, Seconds(200)}};
  EXPECT_EQ(chosen("", some), "10 for 100");
  EXPECT_EQ(chosen("", too_large), "8 for 200");
  EXPECT_EQ(chosen("USERCFG[amy] MAXPROC=8\n", some), "8 for 200");
  EXPECT_EQ(chosen("USERCFG[amy] MAXPROC=4,8\n", some), "8 for 200") << "soft limits pass";
  EXPECT_EQ(chosen("USERCFG[amy] MAXIPROC=8\n", some), "8 for 200");
  EXPECT_EQ(chosen("SYSTEMMAXPROCJOB 7\n", some), "1 for 300");
  EXPECT_EQ(chosen("USERCFG[DEFAULT] MAXWC=100\n", {{1, Seconds(200)}, {8, Seconds(100)}}),
            "8 for 100");
  EXPECT_EQ(chosen("USERCFG[bob] MAXPROC=8\n", some), "10 for 100");
  EXPECT_EQ(chosen("", {{1, hours(2)}, {4, minutes(30)}}, kNow + hours(1)), "4 for 1800");
}

TEST(WaitingShapes, AJobOfWhichNoShapeCanRunWaitsInTheFirst) {
  EXPECT_EQ(chosen("USERCFG[amy] MAXPROC=4\n", {{12, Seconds(100)}, {8, Seconds(200)}}),
            "12 for 100");
}

TEST(WaitingShapes, TheJobsThatRunDoNotCount) {
  Cluster cluster =
      Scenario().nodes(1, procs(10)).job("runs").tasks(6).by("amy").running_on({{"n1", 6}}).build();
  const JobId job = submit(cluster, {{8, Seconds(100)}, {2, Seconds(400)}});
  EXPECT_EQ(choose(cluster, configured("USERCFG[amy] MAXPROC=8\n"), job), "8 for 100");
}

TEST(WaitingShapes, AJobGoesBackToAnEarlierShapeThatHasBecomePossible) {
  Cluster cluster = Scenario().nodes(1, procs(10)).build();
  const Settings limited = configured("USERCFG[amy] MAXPROC=8\n");
  const JobId job = submit(cluster, {{10, Seconds(100)}, {8, Seconds(200)}});
  ASSERT_EQ(choose(cluster, limited, job), "8 for 200");
  EXPECT_EQ(choose(cluster, limited, job), "8 for 200") << "it stays";
  EXPECT_EQ(choose(cluster, {}, job), "10 for 100");
}

TEST(WaitingShapes, AJobThatHasKeptWorkStaysAsItRan) {
  Cluster cluster = Scenario().nodes(1, procs(10)).build();
  Job job;
  job.name = "job";
  job.kept_run = Seconds(50);
  job.alternatives = {{10, Seconds(100)}, {8, Seconds(200)}};
  Request request;
  request.requirements.front().tasks = 8;
  request.limit = Seconds(150);
  const JobId id = cluster.add_job(std::move(job), std::move(request));
  EXPECT_EQ(choose(cluster, {}, id), "8 for 150");
}

// A shape can run if a job with no other shape would start on the empty cluster.
TEST(WaitingShapesProperty, TheFirstShapeThatStartsAloneOnTheEmptyClusterIsTaken) {
  for (unsigned seed = 1; seed <= rounds(300); ++seed) {
    Dice dice(seed);
    const int nodes = dice.between(1, 3), each = dice.between(1, 4), per_node = dice.between(0, 2);
    const auto empty = [&] { return Scenario().nodes(nodes, procs(each)).build(); };
    std::string limits;
    const auto perhaps = [&](std::string_view limit, int low, int high) {
      if (dice.in_a_hundred(30)) limits += fmt::format("{}{}\n", limit, dice.between(low, high));
    };
    perhaps("USERCFG[amy] MAXPROC=", 1, 8);
    perhaps("USERCFG[DEFAULT] MAXWC=", 50, 200);
    perhaps("SYSCFG MAXPS=", 100, 900);
    perhaps("USERCFG[amy] MAXNODE=", 1, 3);
    perhaps("SYSTEMMAXPROCJOB ", 1, 8);
    perhaps("SYSTEMMAXJOBWALLTIME ", 50, 200);
    perhaps("USERCFG[amy] MAXIPROC=", 1, 8);
    const Settings settings = configured(limits);
    Shapes shapes;
    for (int i = dice.between(2, 4); i > 0; --i)
      shapes.emplace_back(dice.between(1, 9), Seconds(dice.between(20, 200)));
    auto first = shapes.front();
    for (auto shape = shapes.rbegin(); shape != shapes.rend(); ++shape) {
      Cluster alone = empty();
      submit(alone, {*shape}, kForever, per_node);
      if (plan(alone, settings, kNow).starts > 0) first = *shape;
    }
    Cluster cluster = empty();
    const JobId job = submit(cluster, shapes, kForever, per_node);
    EXPECT_EQ(choose(cluster, settings, job),
              fmt::format("{} for {}", first.first, first.second.raw()))
        << "seed " << seed << "\n"
        << limits;
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace maui
