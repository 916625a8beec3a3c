#include "daemon/site_advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scenario.h"

namespace maui {
namespace {

using test::procs;
using test::Scenario;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> advice(const std::string& text, int each = 1) {
  std::vector<Diagnostic> diagnostics;
  const auto configuration = Configuration::parse(text, "maui.cfg", diagnostics);
  EXPECT_TRUE(configuration) << text;
  return site_advice(*configuration, Scenario().nodes(4, procs(each)).build());
}

TEST(SiteAdvice, NobodySaysWhetherNodesOfSeveralProcessorsAreShared) {
  EXPECT_THAT(advice("LOGLEVEL 1\n", 2), ElementsAre(HasSubstr("NODEACCESSPOLICY is not set")));
  EXPECT_THAT(advice("LOGLEVEL 1\n", 1), IsEmpty());
  EXPECT_THAT(advice("NODEACCESSPOLICY DEDICATED\n", 2), IsEmpty());
  EXPECT_THAT(advice("NODEACCESSPOLICY SHARED\n", 2), IsEmpty());
}

TEST(SiteAdvice, NodesThatNobodyReportsAreNamed) {
  EXPECT_THAT(advice("NODECFG[DEFAULT] MAXJOB=4\nNODECFG[n1] SPEED=2\nNODECFG[m1] SPEED=2\n"),
              ElementsAre("NODECFG names nodes that no resource manager reports: m1"));
  std::string many;
  for (int i = 10; i < 25; ++i) many += "NODECFG[m" + std::to_string(i) + "] SPEED=2\n";
  EXPECT_THAT(advice(many), ElementsAre(HasSubstr("m18, m19 and 5 others")));
}

TEST(SiteAdvice, PartitionsThatNoNodeIsInAreNamed) {
  EXPECT_THAT(advice("BACKFILLPOLICY[math] NONE\nPARCFG[art] MAXJOB=1\nRESWEIGHT[math] 2\n"),
              ElementsAre("policies or limits are set for partitions without nodes: art, math"));
  EXPECT_THAT(advice("BACKFILLPOLICY[DEFAULT] NONE\nPARCFG[DEFAULT] MAXJOB=1\n"), IsEmpty());
}

TEST(SiteAdvice, HostsThatAreNoNodeAreNamed) {
  const auto unknown = [](const std::string& hosts) {
    return advice("SRCFG[a] PERIOD=INFINITY HOSTLIST=" + hosts + "\n");
  };
  EXPECT_THAT(unknown("n1,n9"),
              ElementsAre("standing reservation a: HOSTLIST names hosts that are not nodes: n9"));
  EXPECT_THAT(unknown("n[3-5]"), ElementsAre(HasSubstr("not nodes: n5")));
  EXPECT_THAT(unknown("m.*,n1"), ElementsAre(HasSubstr("not nodes: m.*")));
  EXPECT_THAT(unknown("n[1-4],n2"), IsEmpty());
  EXPECT_THAT(unknown("^n[12]$"), IsEmpty());
}

TEST(SiteAdviserTest, EachPieceOfAdviceIsGivenOnceAndNotBeforeANodeIsKnown) {
  std::vector<Diagnostic> diagnostics;
  const auto configuration = Configuration::parse(
      "NODECFG[DEFAULT] MAXJOB=4\nNODECFG[m1] SPEED=2\n", "maui.cfg", diagnostics);
  ASSERT_TRUE(configuration);
  SiteAdviser adviser;
  EXPECT_THAT(adviser.advise(*configuration, Cluster()), IsEmpty());
  EXPECT_TRUE(adviser.due());
  const Cluster cluster = Scenario().nodes(4, procs(1)).build();
  EXPECT_THAT(adviser.advise(*configuration, cluster), ElementsAre(HasSubstr("m1")));
  EXPECT_FALSE(adviser.due());
  adviser.look_again();
  EXPECT_TRUE(adviser.due());
  EXPECT_THAT(adviser.advise(*configuration, cluster), IsEmpty());
}

// Nodes n1 and n2 have a feature and offer a class, n3 and n4 are in a partition.
std::vector<std::string> advice_on_attributes(const std::string& text) {
  std::vector<Diagnostic> diagnostics;
  const auto configuration = Configuration::parse(text, "maui.cfg", diagnostics);
  EXPECT_TRUE(configuration) << text;
  return site_advice(*configuration, Scenario()
                                         .nodes(2, procs(1))
                                         .features({"ib"})
                                         .classes({{"batch", 1}})
                                         .nodes(2, procs(1))
                                         .partition("math")
                                         .build());
}

TEST(SiteAdvice, AttributesThatNoNodeHasAreNamedInStandingReservations) {
  const auto of = [](const std::string& line) {
    return advice_on_attributes("SRCFG[a] PERIOD=INFINITY HOSTLIST=n1 " + line + "\n");
  };
  EXPECT_THAT(of("NODEFEATURES=ib,opa"),
              ElementsAre("standing reservation a: NODEFEATURES names features that no node has: "
                          "opa"));
  EXPECT_THAT(of("PARTITION=art"),
              ElementsAre("standing reservation a: PARTITION names a partition without nodes: "
                          "art"));
  EXPECT_THAT(of("CLASSLIST=batch,btach"),
              ElementsAre("standing reservation a: CLASSLIST names classes that no node offers: "
                          "btach"));
  EXPECT_THAT(of("NODEFEATURES=ib PARTITION=math CLASSLIST=batch USERLIST=amy"), IsEmpty());
  EXPECT_THAT(advice("SRCFG[a] PERIOD=INFINITY HOSTLIST=n1 CLASSLIST=any\n"), IsEmpty())
      << "no node offers any class";
}

TEST(SiteAdvice, NodeSetsThatNoNodeIsInAreNamed) {
  const std::string sets = "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\n";
  EXPECT_THAT(advice_on_attributes(sets + "NODESETLIST ib opa\n"),
              ElementsAre("NODESETLIST names sets that no node is in: opa"));
  EXPECT_THAT(advice_on_attributes(sets + "NODESETLIST ib\n"), IsEmpty());
  EXPECT_THAT(advice_on_attributes(sets), IsEmpty());
  EXPECT_THAT(advice_on_attributes("NODESETLIST opa\n"), IsEmpty()) << "no sets are used";
}

TEST(SiteAdvice, NodeSetsBySpeedNeedProcessorSpeeds) {
  const std::string sets = "NODESETPOLICY ONEOF\nNODESETATTRIBUTE PROCSPEED\n";
  EXPECT_THAT(advice(sets), ElementsAre(HasSubstr("no node has a processor speed")));
  EXPECT_THAT(advice("NODESETATTRIBUTE PROCSPEED\n"), IsEmpty()) << "no sets are used";
  std::vector<Diagnostic> diagnostics;
  const auto configuration = Configuration::parse(sets, "maui.cfg", diagnostics);
  ASSERT_TRUE(configuration);
  Cluster cluster = Scenario().nodes(2, procs(1)).build();
  Node fast = cluster.node(cluster.find_node("n2"));
  fast.proc_speed = 500;
  cluster.update_node(fast.id, fast, test::kNow);
  EXPECT_THAT(site_advice(*configuration, cluster), IsEmpty());
}

}  // namespace
}  // namespace maui
