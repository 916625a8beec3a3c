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

}  // namespace
}  // namespace maui
