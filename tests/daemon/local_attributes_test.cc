// JOBATTRIBUTEPROGRAM: what the site's own program has jobs ask for.
#include <gmock/gmock.h>

#include "daemon/local_simulation.h"

namespace maui {
namespace {

using test::LocalSimulation;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(LocalAttributes, AreAsIfTheUserHadAskedForThem) {
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 1, 100, 1).job(2, 10, 100, 1, 100, 2).job(3, 20, 100, 1, 100, 3);
  simulation.program("mine", "awk '$2 == 3 { print $2, \"QOS:high\" }'");
  EXPECT_THAT(simulation.run("JOBATTRIBUTEPROGRAM mine\nQOSWEIGHT 1\nQOSCFG[high] PRIORITY=1000\n"
                             "SYSCFG[base] QLIST=high\n",
                             1),
              ElementsAre(Pair("1", 0), Pair("2", 200), Pair("3", 100)));
  EXPECT_THAT(simulation.complaints, ElementsAre());
}

TEST(LocalAttributes, AreAskedForOnceAJob) {
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 1, 100, 1).job(2, 10, 100, 1, 100, 2);
  simulation.program("mine", "cat >> " + simulation.path("told"));
  simulation.run("JOBATTRIBUTEPROGRAM mine\n", 1);
  const auto written = simulation.written("told");
  EXPECT_TRUE(written.starts_with("hook attributes\nnow 43200\nprocs 1 1\njob 1 ")) << written;
  EXPECT_THAT(written,
              HasSubstr("hook attributes\nnow 43210\nprocs 0 1\njob 2 state=Idle user=u2 "));
  EXPECT_EQ(written.find("job 2 "), written.rfind("job 2 "));
}

TEST(LocalAttributes, AnInvalidExtensionIsReportedAndIgnored) {
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 1, 100, 1).job(2, 10, 100, 1, 100, 2).job(3, 20, 100, 1, 100, 3);
  simulation.program("mine", "awk '$2 == 3 { print $2, \"QOS:high;COLOUR:red\" }'");
  EXPECT_EQ(simulation
                .run("JOBATTRIBUTEPROGRAM mine\nQOSWEIGHT 1\nQOSCFG[high] PRIORITY=1000\n"
                     "SYSCFG[base] QLIST=high\n",
                     1)
                .at("3"),
            200);
}

TEST(LocalAttributes, AJobHasNoneWhereTheProgramFails) {
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 1, 100, 1).program("mine", "exit 1");
  EXPECT_THAT(simulation.run("JOBATTRIBUTEPROGRAM mine\n"), ElementsAre(Pair("1", 0)));
  EXPECT_THAT(simulation.complaints, ElementsAre(HasSubstr("it exited with status 1")));
}

TEST(LocalAttributes, TheExampleRuns) {
  LocalSimulation simulation;
  simulation.job(1, 0, 100, 1, 100, 1).example("attributes");
  EXPECT_THAT(simulation.run("JOBATTRIBUTEPROGRAM attributes\n"), ElementsAre(Pair("1", 0)));
  EXPECT_THAT(simulation.complaints, ElementsAre());
}

}  // namespace
}  // namespace maui
