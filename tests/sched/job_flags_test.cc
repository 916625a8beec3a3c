// The flags of a QOS (guide 7.3.2.2), each by what it does to a cycle.
#include "sched/rules/job_flags.h"

#include <gtest/gtest.h>

#include "sched/cycle.h"
#include "sched/query/explain.h"
#include "support/carry_out.h"

namespace maui {
namespace {

using test::decisions;
using test::hours;
using test::job_named;
using test::kNow;
using test::minutes;
using test::procs;
using test::Scenario;
using test::started;

Settings giving(std::vector<std::string> flags) {
  Settings settings;
  settings.qos["special"].flags = std::move(flags);
  return settings;
}

std::string planned(Scenario scenario, const Settings& settings) {
  const Cluster cluster = scenario.build();
  return decisions(cluster, plan(cluster, settings, kNow));
}

/// Two of four processors are busy for an hour; the first job of the queue wants all four.
Scenario blocked_top() {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("running").running_on({{"n1", 1}, {"n2", 1}});
  scenario.job("top").tasks(4);
  return scenario;
}

TEST(JobFlagsTest, AJobHasItsOwnFlagsAndThoseOfAllItsCredentials) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(1))
                              .job("a")
                              .by("amy", "chem")
                              .qos("special")
                              .change_job([](Job& job) { put(job.flags, JobFlag::restartable); })
                              .job("b")
                              .by("bob", "chem")
                              .build();
  Settings settings = giving({"PREEMPTOR"});
  settings.users["amy"].flags = {"NOBF"};
  settings.groups["DEFAULT"].flags = {"PREEMPTEE"};
  settings.system.flags = {"SPAN"};
  const JobFlags flags(cluster, settings);
  const Job &a = cluster.job(job_named(cluster, "a")), &b = cluster.job(job_named(cluster, "b"));
  for (const auto flag : {JobFlag::restartable, JobFlag::preemptor, JobFlag::no_backfill,
                          JobFlag::preemptee, JobFlag::span})
    EXPECT_TRUE(flags.has(a, flag)) << static_cast<int>(flag);
  EXPECT_EQ(flags.of(b), static_cast<int>(JobFlag::preemptee) | static_cast<int>(JobFlag::span));
  EXPECT_TRUE(flags.possible(JobFlag::span));
  EXPECT_FALSE(flags.possible(JobFlag::reserve_always));
}

TEST(JobFlagsTest, WithoutFlagsInTheConfigurationAJobHasItsOwn) {
  const Cluster cluster = Scenario()
                              .nodes(1, procs(1))
                              .job("a")
                              .qos("special")
                              .change_job([](Job& job) { put(job.flags, JobFlag::preemptee); })
                              .build();
  const JobFlags flags(cluster, Settings{});
  EXPECT_EQ(flags.of(cluster.job(job_named(cluster, "a"))), static_cast<int>(JobFlag::preemptee));
}

TEST(JobFlagsTest, FlagsThatOnlyCredentialsGiveAreIgnoredOnAJob) {
  auto scene = blocked_top().job("second").tasks(3).change_job([](Job& job) {
    for (const auto flag : {JobFlag::reserve_always, JobFlag::restart_preempt, JobFlag::no_backfill,
                            JobFlag::preemptor})
      put(job.flags, flag);
  });
  const Cluster cluster = Scenario(scene).build();
  const Job& second = cluster.job(job_named(cluster, "second"));
  for (const auto& settings : {Settings{}, giving({"NOBF"})}) {
    const JobFlags flags(cluster, settings);
    EXPECT_EQ(flags.of(second), static_cast<int>(JobFlag::preemptor));
    EXPECT_TRUE(flags.possible(JobFlag::preemptor)) << "without a credential that gives it";
    EXPECT_FALSE(flags.possible(JobFlag::reserve_always));
    EXPECT_FALSE(flags.possible(JobFlag::restart_preempt));
  }
  EXPECT_EQ(planned(scene, Settings{}), "reserve top in 3600 s on n2:1 n1:1 n4:1 n3:1\n");
}

TEST(JobFlagsTest, ARestartableJobLeavesForAJobWhoseQosHasRestartPreempt) {
  auto scene = Scenario();
  scene.nodes(1, procs(1)).job("running").running_on({{"n1", 1}}).change_job([](Job& job) {
    put(job.flags, JobFlag::restartable);
  });
  scene.job("top").qos("special");
  EXPECT_EQ(planned(scene, Settings{}), "reserve top in 3600 s on n1:1\n");
  EXPECT_NE(planned(scene, giving({"RESTARTPREEMPT"})).find("start top on n1:1"),
            std::string::npos);
}

TEST(JobFlagsTest, NoBfKeepsAJobFromBeingBackfilled) {
  const auto scene = blocked_top().job("small").qos("special").limit(minutes(10));
  EXPECT_EQ(planned(scene, Settings{}),
            "backfill small on n4:1\nreserve top in 3600 s on n2:1 n1:1 n4:1 n3:1\n");
  EXPECT_EQ(planned(scene, giving({"NOBF"})), "reserve top in 3600 s on n2:1 n1:1 n4:1 n3:1\n");
}

TEST(JobFlagsTest, NoBfLeavesAJobItsPlaceInTheOrderOfPriority) {
  const auto scene = Scenario().nodes(2, procs(1)).job("small").qos("special");
  EXPECT_EQ(planned(scene, giving({"NOBF"})), "start small on n2:1\n");
}

TEST(JobFlagsTest, NoReservationKeepsAJobFromReservingWhateverItsPriority) {
  auto scene = Scenario();
  scene.nodes(4, procs(1)).job("running").running_on({{"n1", 1}, {"n2", 1}});
  scene.job("top").tasks(4).qos("special").job("next").tasks(3).job("long").tasks(2);
  EXPECT_EQ(planned(scene, giving({"NORESERVATION"})),
            "backfill long on n4:1 n3:1\nreserve next in 3600 s on n2:1 n1:1 n4:1\n");
}

TEST(JobFlagsTest, ReserveAlwaysReservesRegardlessOfPriority) {
  const auto scene = blocked_top().job("second").tasks(3).job("third").tasks(4).qos("special");
  EXPECT_EQ(planned(scene, Settings{}), "reserve top in 3600 s on n2:1 n1:1 n4:1 n3:1\n");
  EXPECT_EQ(planned(scene, giving({"RESERVEALWAYS"})),
            "reserve top in 3600 s on n2:1 n1:1 n4:1 n3:1\n"
            "reserve third in 7200 s on n4:1 n3:1 n2:1 n1:1\n");
}

TEST(JobFlagsTest, AReservationThatIsAlwaysMadeTakesNobodysPlace) {
  auto scene = Scenario();
  scene.nodes(2, procs(1)).job("running").running_on({{"n1", 1}});
  scene.job("special").tasks(2).qos("special").job("top").tasks(2);
  EXPECT_EQ(planned(scene, giving({"RESERVEALWAYS"})),
            "reserve special in 3600 s on n1:1 n2:1\nreserve top in 7200 s on n2:1 n1:1\n");
}

TEST(JobFlagsTest, AReservationThatIsAlwaysMadeIsUsedWhenItIsDue) {
  const auto planned_at = [](Time due) {
    auto scene = Scenario();
    scene.nodes(2, procs(1)).job("top").tasks(2).queued(hours(2));
    scene.job("special").tasks(2).qos("special").reserved_on({{"n1", 1}, {"n2", 1}}, due);
    auto settings = giving({"RESERVEALWAYS"});
    settings.reservation_policy = ReservationPolicy::never;
    return planned(scene, settings);
  };
  EXPECT_EQ(planned_at(kNow).find("start special on n2:1 n1:1\n"), 0U) << planned_at(kNow);
  EXPECT_EQ(planned_at(kNow + minutes(1)).find("start top on n2:1 n1:1\n"), 0U)
      << planned_at(kNow + minutes(1));
}

// Until it is due, it is one of a job with a lower priority: with CURRENTHIGHEST it moves when jobs
// of higher priority start, whether they may reserve or not; with HIGHEST it does not.
TEST(JobFlagsTest, AJobThatMayNotReserveStartsBeforeALaterReservationOfLowerPriority) {
  for (const bool may_reserve : {true, false}) {
    auto scene = Scenario();
    scene.nodes(2, procs(1)).job("running").limit(minutes(30)).running_on({{"n1", 1}});
    scene.job("top").queued(hours(2)).qos("top");
    scene.job("special").tasks(2).qos("special");
    scene.reserved_on({{"n1", 1}, {"n2", 1}}, kNow + minutes(30));
    auto settings = giving({"RESERVEALWAYS"});
    if (!may_reserve) settings.qos["top"].flags = {"NORESERVATION"};
    EXPECT_EQ(planned(scene, settings),
              "start top on n2:1\nreserve special in 3600 s on n2:1 n1:1\n");
    settings.reservation_policy = ReservationPolicy::highest;
    EXPECT_EQ(planned(scene, settings).find("start"), std::string::npos);
  }
}

/// n1 and n2 are reserved for amy under the names chemistry.0 and physics.0; n3 is anybody's.
Scenario reserved() {
  Scenario scenario;
  scenario.nodes(3, procs(1)).reservation("chemistry.0").on({"n1"}).for_users({"amy"});
  scenario.reservation("physics.0").on({"n2"}).for_users({"amy"});
  return scenario;
}

TEST(JobFlagsTest, UseReservedUsesNothingOutsideOfAccessibleReservations) {
  const auto one_task = reserved().job("a").by("amy").qos("special");
  EXPECT_EQ(planned(one_task, Settings{}), "start a on n2:1\n") << "positive affinity";
  EXPECT_EQ(planned(one_task, giving({"USERESERVED"})), "start a on n2:1\n");
  const auto three_tasks = reserved().job("a").by("amy").qos("special").tasks(3);
  EXPECT_EQ(planned(three_tasks, Settings{}), "start a on n2:1 n1:1 n3:1\n");
  EXPECT_EQ(planned(three_tasks, giving({"USERESERVED"})), "")
      << "only two of the nodes are reserved";
  const auto bob = reserved().job("b").by("bob").qos("special");
  EXPECT_EQ(planned(bob, giving({"USERESERVED"})), "") << "no reservation admits him";
}

TEST(JobFlagsTest, UseReservedWithANameUsesThatReservationOnly) {
  const auto scene = reserved().job("a").by("amy").qos("special");
  EXPECT_EQ(planned(scene, giving({"USERESERVED:chemistry"})), "start a on n1:1\n");
  EXPECT_EQ(planned(scene, giving({"USERESERVED:biology"})), "");
}

TEST(JobFlagsTest, EveryCredentialMayNameTheReservation) {
  const auto scene = reserved().job("a").by("amy", "chem").qos("special");
  Settings settings;
  settings.system.flags = {"USERESERVED:biology"};
  EXPECT_EQ(planned(scene, settings), "");
  settings.users["amy"].flags = {"USERESERVED:physics"};
  EXPECT_EQ(planned(scene, settings), "start a on n2:1\n");
  settings.groups["DEFAULT"].flags = {"USERESERVED:chemistry"};
  EXPECT_EQ(planned(scene, settings), "start a on n1:1\n");
  settings.qos["special"].flags = {"USERESERVED:physics"};
  EXPECT_EQ(planned(scene, settings), "start a on n2:1\n");
}

TEST(JobFlagsTest, AJobThatHasNoReservationToGoToHoldsUpNobody) {
  const auto scene = reserved().job("b").by("bob").qos("special").tasks(3).job("c").by("bob");
  EXPECT_EQ(planned(scene, giving({"USERESERVED"})), "start c on n3:1\n");
}

TEST(JobFlagsTest, AJobMayAskForAReservationItself) {  // 13.3, example 3
  auto scene = reserved();
  scene.job("a").by("amy").change_job([](Job& job) {
    put(job.flags, JobFlag::adv_res);
    job.required_reservation = "chemistry.0";
  });
  EXPECT_EQ(planned(scene, Settings{}), "start a on n1:1\n");
}

TEST(JobFlagsTest, AConfinedJobWaitsUntilThereIsRoomInItsReservation) {
  auto scene = reserved();
  scene.job("first").by("amy").qos("special").running_on({{"n1", 1}});
  scene.job("next").by("amy").qos("special");
  EXPECT_EQ(planned(scene, giving({"USERESERVED:chemistry"})), "reserve next in 3600 s on n1:1\n");
}

TEST(JobFlagsTest, PartOfANodeIsAllThatAConfinedJobHasOfIt) {
  Scenario scene;
  scene.nodes(1, procs(4)).reservation("half.0").on({"n1"}).per_task(procs(2)).for_users({"amy"});
  scene.job("a").by("amy").qos("special").tasks(3);
  EXPECT_EQ(planned(scene, giving({"USERESERVED"})), "");
  Scenario fits;
  fits.nodes(1, procs(4)).reservation("half.0").on({"n1"}).per_task(procs(2)).for_users({"amy"});
  fits.job("a").by("amy").qos("special").tasks(2);
  EXPECT_EQ(planned(fits, giving({"USERESERVED"})), "start a on n1:2\n");
}

Scenario two_partitions() {
  Scenario scenario;
  scenario.nodes(2, procs(1)).partition("left").nodes(2, procs(1)).partition("right");
  return scenario;
}

TEST(PartitionTest, AJobStaysInOnePartition) {
  EXPECT_EQ(
      planned(two_partitions().job("a").tasks(3), Settings{}),
      "hold a: NoResources: the job asks for 3 procs, of which no partition has more than 2\n")
      << "there is no partition of three processors";
}

TEST(PartitionTest, AJobThatMaySpanUsesSeveralPartitionsTogether) {
  Cluster cluster = two_partitions().job("a").tasks(3).job("b").tasks(3).build();
  const auto b = job_named(cluster, "b");
  Request request = cluster.request_of(b);
  request.span = true;
  cluster.set_request(b, request);
  EXPECT_EQ(started(cluster, plan(cluster, Settings{}, kNow)), "b");
}

TEST(PartitionTest, TheDefaultPartitionIsTriedFirst) {
  for (const char* first : {"left", "right"}) {
    Cluster cluster = two_partitions().job("a").build();
    const auto a = job_named(cluster, "a");
    Request request = cluster.request_of(a);
    request.first_partition = cluster.partitions.find(first);
    cluster.set_request(a, request);
    const auto decided = plan(cluster, Settings{}, kNow);
    const auto& start = std::get<StartJob>(decided.decisions.at(0));
    EXPECT_EQ(cluster.partitions[cluster.node(start.placement.front().node).partition], first);
  }
}

TEST(PartitionTest, TheOthersAreTriedWhenTheDefaultHasNoRoom) {
  Cluster cluster = two_partitions().job("r").running_on({{"n1", 1}}).job("a").tasks(2).build();
  const auto a = job_named(cluster, "a");
  Request request = cluster.request_of(a);
  request.first_partition = cluster.partitions.find("left");
  cluster.set_request(a, request);
  EXPECT_EQ(decisions(cluster, plan(cluster, Settings{}, kNow)), "start a on n4:1 n3:1\n");
}

TEST(DependencyTest, AJobIsNotConsideredUntilItsDependenciesAreMet) {
  const auto build = [](DependencyState state) {
    Cluster cluster = Scenario().nodes(1, procs(1)).job("a").build();
    cluster.set_dependencies(job_named(cluster, "a"), {{DependencyKind::after_ok, "b", state}});
    return cluster;
  };
  const Cluster open = build(DependencyState::open), met = build(DependencyState::met);
  EXPECT_EQ(started(open, plan(open, Settings{}, kNow)), "");
  EXPECT_EQ(explain(open, Settings{}, kNow, job_named(open, "a")).reason, Reason::dependency);
  EXPECT_EQ(started(met, plan(met, Settings{}, kNow)), "a");
}

}  // namespace
}  // namespace maui
