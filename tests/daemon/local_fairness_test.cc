// FAIRNESSPROGRAM: which jobs the site itself keeps out, and why.
#include <gmock/gmock.h>

#include "daemon/local_simulation.h"

namespace maui {
namespace {

using test::LocalSimulation;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(LocalFairness, KeepsAJobOutAsLongAsTheProgramSaysSo) {
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 1, 100, 1).job(2, 0, 100, 1, 100, 2).job(3, 10, 50, 1, 100, 2);
  simulation.program("mine",
                     "awk '$2 == 1 && $3 == \"state=Running\" { busy = 1 }\n"
                     "$2 == 3 && $3 == \"state=Idle\" { three = 1 }\n"
                     "END { if (busy && three) print \"3 waits for the first one\" }' -");
  EXPECT_THAT(simulation.run("FAIRNESSPROGRAM mine\n"),
              ElementsAre(Pair("1", 0), Pair("2", 0), Pair("3", 100)));
  EXPECT_THAT(simulation.complaints, ElementsAre());
}

TEST(LocalFairness, AProgramThatFailsKeepsNobodyOut) {
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 1, 100, 1).program("mine", "echo '1 never'; exit 1");
  EXPECT_THAT(simulation.run("FAIRNESSPROGRAM mine\n"), ElementsAre(Pair("1", 0)));
  ASSERT_FALSE(simulation.complaints.empty());
  EXPECT_THAT(simulation.complaints.front(), HasSubstr("it exited with status 1"));
}

TEST(LocalFairness, TheExampleGivesNobodyMoreThanHalfWhileOthersWait) {
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 2, 100, 1).job(2, 10, 100, 2, 100, 1).job(3, 10, 100, 4, 100, 2);
  simulation.example("fairness");
  const auto starts = simulation.run("FAIRNESSPROGRAM fairness\nBACKFILLPOLICY FIRSTFIT\n");
  EXPECT_EQ(starts.at("1"), 0);
  EXPECT_EQ(starts.at("2"), 100) << "u1 has half of the processors until then";
  EXPECT_THAT(simulation.complaints, ElementsAre());
}

}  // namespace
}  // namespace maui
