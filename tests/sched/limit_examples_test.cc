// Limits of every kind of credential, and what lifts them (guide 6.1, 6.2, 6.2.1, 7.3.2.3).
#include <gtest/gtest.h>

#include "sched/configured.h"
#include "sched/cycle.h"
#include "support/carry_out.h"

namespace maui {
namespace {

using test::kNow;
using test::procs;
using test::Scenario;
using test::started;

std::string starts(const Cluster& cluster, const std::string& text) {
  return started(cluster, plan(cluster, configured(text), kNow));
}

// 6.1, the table
TEST(LimitExamples, JohnRunsThreeJobsAndStaffHasTwiceTheProcessorsOfOtherGroups) {
  constexpr auto kExample =
      "USERCFG[john] MAXJOB=3\nGROUPCFG[DEFAULT] MAXPROC=64\nGROUPCFG[staff] MAXPROC=128\n";
  Scenario scenario;
  scenario.nodes(300, procs(1));
  for (const auto* name : {"j1", "j2", "j3", "j4"}) scenario.job(name).by("john", "guests");
  scenario.job("s1").by("amy", "staff").tasks(100).job("s2").by("bob", "staff").tasks(29);
  scenario.job("s3").by("bob", "staff").tasks(28);
  scenario.job("g1").by("eve", "guests").tasks(62).job("g2").by("eve", "guests").tasks(61);
  scenario.job("c").by("dora", "chem").tasks(64);
  EXPECT_EQ(starts(scenario.build(), kExample), "j1 j2 j3 s1 s3 g2 c");
}

/// Jobs a, b and c of one owner of each kind, d of another one of each.
Cluster two_owners() {
  Scenario scenario;
  scenario.nodes(20, procs(1)).classes({{"batch", 1}, {"long", 1}});
  for (const auto* name : {"a", "b", "c"})
    scenario.job(name).by("amy", "phys").account("p1").qos("q").in_class("batch");
  scenario.job("d").by("bob", "chem").account("p2").qos("r").in_class("long");
  return scenario.build();
}

struct Kind {
  const char *parameter, *mine, *word;
};
constexpr Kind kKinds[] = {{"USERCFG", "amy", "USER"},
                           {"GROUPCFG", "phys", "GROUP"},
                           {"ACCOUNTCFG", "p1", "ACCOUNT"},
                           {"QOSCFG", "q", "QOS"},
                           {"CLASSCFG", "batch", "CLASS"}};

// "These limits can be applied to any job credential ... Using the keyword DEFAULT"
TEST(LimitExamples, EveryKindOfCredentialHasLimitsOfItsOwnAndDefaults) {
  const Cluster cluster = two_owners();
  for (const auto& kind : kKinds) {
    const auto entry = [&](const char* name, const char* limit) {
      return std::string(kind.parameter) + "[" + name + "] " + limit + "\n";
    };
    SCOPED_TRACE(kind.parameter);
    EXPECT_EQ(starts(cluster, entry(kind.mine, "MAXJOB=2")), "a b d");
    EXPECT_EQ(starts(cluster, entry("DEFAULT", "MAXPROC=1")), "a d");
    EXPECT_EQ(starts(cluster, entry("DEFAULT", "MAXNODE=1") + entry(kind.mine, "MAXNODE=2")),
              "a b d");
    EXPECT_EQ(starts(cluster, entry(kind.mine, "MAXIJOB=1")), "a d");
  }
}

// 6.2.1.2: <O1>CFG[<OID1>] MAX<A1>[<O2>[:<OID2>]], for any two kinds
TEST(LimitExamples, AnyTwoKindsOfCredentialMayLimitEachOther) {
  const Cluster cluster = two_owners();
  for (const auto& outer : kKinds)
    for (const auto& inner : kKinds) {
      if (&outer == &inner) continue;
      const auto line = [&](const char* limit, const std::string& of) {
        return std::string(outer.parameter) + "[" + outer.mine + "] " + limit + "[" + inner.word +
               of + "]=2\n";
      };
      SCOPED_TRACE(line("MAXJOB", ""));
      EXPECT_EQ(starts(cluster, line("MAXJOB", "")), "a b d");
      EXPECT_EQ(starts(cluster, line("MAXPROC", std::string(":") + inner.mine)), "a b d");
      EXPECT_EQ(starts(cluster, line("MAXPROC", ":nobody")), "a b c d");
    }
}

TEST(LimitExamples, TheEarlierWordsForAClassAndItsUsersSayTheSame) {
  const Cluster cluster = two_owners();
  for (const auto* word : {"MAXJOBPERUSER", "MAXNODEPERUSER", "MAXPROCPERUSER"})
    EXPECT_EQ(starts(cluster, std::string("CLASSCFG[batch] ") + word + "=2\n"), "a b d") << word;
}

TEST(LimitExamples, AJobThatIsStartingCountsAsActive) {
  Scenario scenario;
  scenario.nodes(4, procs(1)).job("first").by("amy").running_on({{"n1", 1}});
  scenario.job("a").by("amy");
  Cluster cluster = scenario.build();
  cluster.set_starting(test::job_named(cluster, "first"));
  EXPECT_EQ(starts(cluster, "USERCFG[amy] MAXJOB=1\n"), "");
  cluster.set_running(test::job_named(cluster, "first"), test::kNow);
  EXPECT_EQ(starts(cluster, "USERCFG[amy] MAXJOB=1\n"), "");
}

// 7.3.2.3: IGNUSER, IGNGROUP, IGNACCOUNT: "jobs should ignore all ... throttling policies"
TEST(LimitExamples, OneFlagLiftsAllLimitsOfAKind) {
  const Cluster cluster = two_owners();
  constexpr const char* kLimits[] = {"MAXJOB=1",   "MAXPROC=1", "MAXPS=3600", "MAXPE=1",
                                     "MAXWC=3600", "MAXNODE=1", "MAXIJOB=1",  "MAXIPROC=1"};
  for (const auto& lifted : {kKinds[0], kKinds[1], kKinds[2]})
    for (const auto& limited : {kKinds[0], kKinds[1], kKinds[2]})
      for (const auto* limit : kLimits) {
        const auto text = std::string(limited.parameter) + "[" + limited.mine + "] " + limit +
                          "\nQOSCFG[q] FLAGS=IGN" + lifted.word + "\n";
        const bool same = std::string_view(lifted.word) == limited.word;
        EXPECT_EQ(starts(cluster, text), same ? "a b c d" : "a d") << text;
      }
}

TEST(LimitExamples, TheFlagOfExpressJobsLiftsTheLimitsOfTheSystem) {
  Scenario scenario;
  scenario.nodes(9, procs(1)).job("a").qos("express").tasks(3).job("b").qos("express").tasks(3);
  const Cluster cluster = scenario.build();
  for (const std::string limit : {"SYSCFG MAXJOB=1\n", "SYSCFG MAXPROC=3\n"}) {
    EXPECT_EQ(starts(cluster, limit), "a");
    EXPECT_EQ(starts(cluster, limit + "QOSCFG[express] FLAGS=IGNSYSTEM\n"), "a b");
  }
  for (const std::string limit : {"SYSTEMMAXPROCJOB 2\n", "SYSTEMMAXJOBWALLTIME 59:59\n"}) {
    EXPECT_EQ(starts(cluster, limit), "");
    EXPECT_EQ(starts(cluster, limit + "QOSCFG[express] FLAGS=IGNSYSTEM\n"), "a b");
  }
}

// 7.3.2.3: IGNSRMAXTIME
TEST(LimitExamples, AFlagLiftsTheTimeLimitsOfStandingReservations) {
  Scenario scenario;
  scenario.nodes(1, procs(2)).job("plain").job("a").qos("long");
  Cluster cluster = scenario.build();
  Reservation made;
  made.name = "short";
  made.kind = ReservationKind::standing;
  made.start = kNow;
  made.end = kForever;
  made.nodes = {{test::node_named(cluster, "n1"), 1, 0}};
  made.access.criteria = {{AccessKind::time, 600}};
  const auto id = cluster.add_reservation(made);
  EXPECT_EQ(starts(cluster, ""), "");
  EXPECT_EQ(starts(cluster, "QOSCFG[long] FLAGS=IGNSRMAXTIME\n"), "a");
  cluster.release_reservation(id);
  made.kind = ReservationKind::administrative;
  cluster.add_reservation(made);
  EXPECT_EQ(starts(cluster, "QOSCFG[long] FLAGS=IGNSRMAXTIME\n"), "") << "only of standing ones";
}

}  // namespace
}  // namespace maui
