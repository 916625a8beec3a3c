// The examples of guide 5.1 and 6.1 and of the paper's section 6, from the lines that a site writes
// to the order of its jobs.
#include <gtest/gtest.h>

#include "config/configs.h"
#include "sched/priority/priority.h"
#include "sched/priority/priority_judge.h"
#include "support/scenario.h"

namespace maui {
namespace {

using test::hours;
using test::job_named;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;

double sum_of(const Cluster& cluster, std::string_view text, const std::string& job) {
  return priority_of(cluster, parsed(text).settings(), kNow, job_named(cluster, job)).sum;
}

std::string order_of(const Cluster& cluster, std::string_view text) {
  std::vector<Plan::Ranked> order;
  prioritise(cluster, parsed(text).settings(), kNow, order);
  std::string names;
  for (const auto& ranked : order)
    names += (names.empty() ? "" : " ") + cluster.job(ranked.job).name;
  return names;
}

// 5.1.2.1
TEST(PriorityExamples, CredentialsOfJohnPaulAndStaff) {
  constexpr auto kExample = R"(
CREDWEIGHT       1
USERWEIGHT       1
GROUPWEIGHT      1
USERCFG[john]    PRIORITY=2000
USERCFG[paul]    PRIORITY=-1000
GROUPCFG[staff]  PRIORITY=10000
QUEUETIMEWEIGHT  0
ENABLENEGJOBPRIORITY TRUE
)";
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("pauls").by("paul", "guests").job("johns").by("john", "guests");
  scenario.job("amys").by("amy", "staff").job("johns-staff").by("john", "staff");
  const Cluster cluster = scenario.job("pauls-staff").by("paul", "staff").build();
  EXPECT_EQ(order_of(cluster, kExample), "johns-staff amys pauls-staff johns pauls");
  EXPECT_EQ(sum_of(cluster, kExample, "johns-staff"), 12000);
  EXPECT_EQ(sum_of(cluster, kExample, "pauls-staff"), 9000);
  EXPECT_EQ(sum_of(cluster, kExample, "pauls"), -1000);
}

// 5.1.2.3: a quarter of the processors and half of the memory of a machine of 128 processors;
// paper 6.1.1: one processor and 4 of 16 GB on 8 processors.
TEST(PriorityExamples, ProcessorEquivalentsAreOfTheScarcestResource) {
  const auto pe = [](int nodes, Resources each, int tasks, Resources task) {
    const Cluster cluster = Scenario().nodes(nodes, each).job("a").tasks(tasks).each(task).build();
    return processor_equivalents(cluster, cluster.request_of(job_named(cluster, "a")));
  };
  EXPECT_DOUBLE_EQ(pe(128, procs(1, 100), 32, procs(1, 200)), 64);
  EXPECT_DOUBLE_EQ(pe(2, procs(4, 8192), 1, procs(1, 4096)), 2);
}

// 5.1.2.4.2, the table
TEST(PriorityExamples, ExpansionFactorsOfAOneHourJobAndAFourHourJob) {
  constexpr struct {
    int queued;
    double of_one, of_four;
  } kTable[] = {{1, 2, 1.25}, {2, 3, 1.5}, {4, 5, 2}, {8, 9, 3}, {16, 17, 5}};
  for (const auto& row : kTable) {
    Scenario scenario;
    scenario.nodes(1, procs(1)).job("one").limit(hours(1)).queued(hours(row.queued));
    scenario.job("four").limit(hours(4)).queued(hours(row.queued));
    const Cluster cluster = scenario.build();
    const Settings settings;
    const auto factor = [&](const char* job) {
      return PriorityJudge(cluster, settings, kNow).xfactor(cluster.job(job_named(cluster, job)));
    };
    EXPECT_DOUBLE_EQ(factor("one"), row.of_one);
    EXPECT_DOUBLE_EQ(factor("four"), row.of_four);
  }
}

// 5.1.2.4: "QOSCFG[special] QTWEIGHT=5000", and XFWEIGHT likewise
TEST(PriorityExamples, QosSpecialIncreasesTheWeightsOfItsJobs) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(1))
                              .job("plain")
                              .queued(minutes(2))
                              .job("a")
                              .queued(minutes(2))
                              .limit(minutes(1))
                              .qos("special")
                              .build();
  EXPECT_EQ(sum_of(cluster, "QOSCFG[special] QTWEIGHT=5000\n", "a"), 2 * 5001);
  EXPECT_EQ(sum_of(cluster, "QOSCFG[special] QTWEIGHT=5000\n", "plain"), 2);
  EXPECT_EQ(sum_of(cluster, "QOSCFG[special] XFWEIGHT=5000\n", "a"), 2 + 3 * 5000);
}

// 5.1.3.  Queue time counts in minutes, so 300 is five hours, not the five minutes of the text.
TEST(PriorityExamples, JohnEqualsAUserWhoCameThreeHundredMinutesBefore) {
  constexpr auto kExample = "USERWEIGHT 1\nUSERCFG[john] PRIORITY=300\n";
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("johns").by("john").queued(Seconds(0));
  scenario.job("later").by("amy").queued(minutes(299));
  scenario.job("earlier").by("amy").queued(minutes(301));
  EXPECT_EQ(order_of(scenario.build(), kExample), "earlier johns later");
}

constexpr auto kThreeQos = R"(
QOSWEIGHT              1
XFACTORWEIGHT          1
QUEUETIMEWEIGHT        10
TARGETQUEUETIMEWEIGHT  1
QOSCFG[low]            PRIORITY=1000
QOSCFG[medium]         PRIORITY=10000
QOSCFG[high]           PRIORITY=10000
USERCFG[DEFAULT]       QTTARGET=4:00:00
)";

// 5.1.3.  The guide gives medium and high the same priority.
TEST(PriorityExamples, JobsRunInTheOrderOfTheirQosUntilAJobHasWaitedForFourHours) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("l").qos("low").queued(minutes(2));
  scenario.job("m").qos("medium").queued(minutes(1));
  scenario.job("h").qos("high").queued(Seconds(0));
  scenario.job("none").queued(minutes(30));
  EXPECT_EQ(order_of(Scenario(scenario).build(), kThreeQos), "m h l none");
  // Ten points a minute and the expansion factor bring it near; the target puts it first.
  scenario.job("patient").queued(hours(4) - minutes(1));
  EXPECT_EQ(order_of(Scenario(scenario).build(), kThreeQos), "m h patient l none");
  scenario.job("missed").queued(hours(4));
  EXPECT_EQ(order_of(scenario.build(), kThreeQos), "missed m h patient l none");
}

// 5.1.3: "very short jobs would quickly jump to the head of the queue"
TEST(PriorityExamples, ACapKeepsVeryShortJobsFromSwampingTheRest) {
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("short").limit(Seconds(1)).qos("low").queued(hours(3));
  const Cluster cluster = scenario.job("m").qos("medium").queued(hours(1)).build();
  EXPECT_EQ(order_of(cluster, kThreeQos), "short m");  // it has expanded to 10801
  EXPECT_EQ(order_of(cluster, std::string(kThreeQos) + "XFACTORCAP 100\n"), "m short");
  EXPECT_EQ(order_of(cluster, std::string(kThreeQos) + "SERVCAP 700\n"), "m short");
  EXPECT_EQ(order_of(cluster, std::string(kThreeQos) + "XFMINWCLIMIT 1:00:00\n"), "m short");
}

// 6.1, the table
TEST(PriorityExamples, TenPointsForEveryMinuteInTheQueue) {
  const Cluster cluster = Scenario().nodes(1, procs(1)).job("a").queued(minutes(7)).build();
  EXPECT_DOUBLE_EQ(sum_of(cluster, "SERVWEIGHT 1\nQUEUETIMEWEIGHT 10\n", "a"), 70);
}

TEST(PriorityExamples, SteveIsFavouredUntilHeHasAQuarterOfTheCycles) {
  constexpr auto kExample = R"(
FSPOLICY        DEDICATEDPS
USERCFG[steve]  FSTARGET=25.0+
FSWEIGHT        1
FSUSERWEIGHT    10
QUEUETIMEWEIGHT 0
)";
  Cluster cluster = Scenario().nodes(1, procs(1)).job("a").by("steve").build();
  const auto with = [&](double percent) {
    const auto steve = cluster.job(job_named(cluster, "a")).credentials.user;
    cluster.fairshare_use.percent[CredentialKind::user].assign(steve.index() + 1, percent);
    return sum_of(cluster, kExample, "a");
  };
  EXPECT_DOUBLE_EQ(with(20), 50);
  EXPECT_DOUBLE_EQ(with(25), 0);
  EXPECT_DOUBLE_EQ(with(40), 0);
}

// Paper, figure 5, with the signs that its comments mean.
TEST(PriorityExamples, ThePapersFairshareFavoursBigKahunaAndHighPriorityAndCurbsStaff) {
  constexpr auto kExample = R"(
FSPOLICY       DEDICATEDPS
FSINTERVAL     12:00:00
FSDEPTH        14
FSDECAY        0.80
FSWEIGHT       100
FSUSERWEIGHT   2
FSGROUPWEIGHT  1
FSQOSWEIGHT    10
FSCLASSWEIGHT  4
USERCFG[BigKahuna]     FSTARGET=50
GROUPCFG[staff]        FSTARGET=10.0-
QOSCFG[HighPriority]   FSTARGET=40.0+
CLASSCFG[interactive]  FSTARGET=15.0^
QUEUETIMEWEIGHT 0
ENABLENEGJOBPRIORITY TRUE
)";
  Scenario scenario;
  scenario.nodes(1, procs(1)).job("kahuna").by("BigKahuna", "owners");
  scenario.job("staff").by("amy", "staff").job("high").by("bob", "guests").qos("HighPriority");
  scenario.job("shell").by("eve", "guests").in_class("interactive");
  Cluster cluster = scenario.build();
  for (const auto kind : kCredentialKinds) cluster.fairshare_use.percent[kind].assign(9, 20);
  EXPECT_DOUBLE_EQ(sum_of(cluster, kExample, "kahuna"), 100 * 2 * 30);
  EXPECT_DOUBLE_EQ(sum_of(cluster, kExample, "staff"), 100 * -10);
  EXPECT_DOUBLE_EQ(sum_of(cluster, kExample, "high"), 100 * 10 * 20);
  EXPECT_EQ(order_of(cluster, kExample), "high kahuna staff") << "the cap blocks interactive jobs";
}

}  // namespace
}  // namespace maui
