// BACKFILLPOLICY LOCAL and BACKFILLPROGRAM: whom backfill takes, and in which order.
#include <gmock/gmock.h>

#include "daemon/local_simulation.h"

namespace maui {
namespace {

using test::LocalSimulation;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

/// Four processors, two of them busy until 100.  Job 2 needs all four; 3 and 4 need two each until
/// 50, and 5 would delay 2.
void behind_a_wide_job(LocalSimulation& simulation) {
  simulation.job(1, 0, 100, 2, 100, 1).job(2, 1, 100, 4, 100, 1);
  simulation.job(3, 2, 40, 2, 40, 1).job(4, 2, 40, 2, 40, 1).job(5, 2, 400, 2, 400, 1);
}

const char* const kLocal = "BACKFILLPOLICY LOCAL\nBACKFILLPROGRAM mine\n";

TEST(LocalBackfill, TakesJobsInTheOrderOfTheProgram) {
  LocalSimulation simulation;
  behind_a_wide_job(simulation);
  simulation.program("mine", "awk '$3 == \"state=Idle\" { print $2 }' | sort -r");
  EXPECT_THAT(simulation.run(kLocal), ElementsAre(Pair("1", 0), Pair("2", 100), Pair("3", 42),
                                                  Pair("4", 2), Pair("5", 200)))
      << "5 is named first, but delays no reservation";
  EXPECT_THAT(simulation.complaints, ElementsAre());
}

TEST(LocalBackfill, TakesNobodyWhomTheProgramDoesNotName) {
  LocalSimulation simulation;
  behind_a_wide_job(simulation);
  simulation.program("mine", "cat > /dev/null");
  const auto starts = simulation.run(kLocal);
  EXPECT_EQ(starts.at("2"), 100);
  EXPECT_EQ(starts.at("3"), 200) << "in its turn";
}

TEST(LocalBackfill, IsFirstFitWhereTheProgramFails) {
  LocalSimulation simulation;
  behind_a_wide_job(simulation);
  simulation.program("mine", "cat > /dev/null; exit 1");
  EXPECT_EQ(simulation.run(kLocal).at("3"), 2);
  ASSERT_FALSE(simulation.complaints.empty());
  EXPECT_THAT(simulation.complaints.front(), HasSubstr("it exited with status 1"));
}

TEST(LocalBackfill, IsNotAskedUnderOtherPolicies) {
  LocalSimulation simulation;
  behind_a_wide_job(simulation);
  simulation.program("mine", "exit 1");
  simulation.run("BACKFILLPOLICY BESTFIT\nBACKFILLPROGRAM mine\n");
  EXPECT_THAT(simulation.complaints, ElementsAre());
}

TEST(LocalBackfill, TheExampleTakesTheLeastWorkFirst) {
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 2, 100, 1).job(2, 1, 100, 4, 100, 1);
  simulation.job(3, 2, 90, 2, 90, 1).job(4, 2, 40, 2, 40, 1).example("backfill");
  EXPECT_EQ(simulation.run("BACKFILLPOLICY LOCAL\nBACKFILLPROGRAM backfill\n").at("4"), 2);
  EXPECT_THAT(simulation.complaints, ElementsAre());
}

}  // namespace
}  // namespace maui
