// PLIST, PDEF, QLIST, QDEF and FLAGS as sites write them (guide 7.2.2, 7.3).
#include <gmock/gmock.h>

#include "config/configs.h"

namespace maui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

TEST(AccessConfiguration, ListsHaveColonsOrCommas) {
  const auto made = parsed(
      "USERCFG[DEFAULT] PLIST=general\n"
      "USERCFG[steve] PLIST=general:test PDEF=test\n"
      "GROUPCFG[staff] PLIST=general,test PDEF=general\n"
      "USERCFG[john] QDEF=geo QLIST=geo,chem,staff\n"
      "GROUPCFG[phys] QLIST=high:low\n");
  const auto& settings = made.settings();
  EXPECT_THAT(settings.users.at("DEFAULT").partition_list, Optional(ElementsAre("general")));
  EXPECT_THAT(settings.users.at("steve").partition_list, Optional(ElementsAre("general", "test")));
  EXPECT_EQ(settings.users.at("steve").default_partition, "test");
  EXPECT_THAT(settings.groups.at("staff").partition_list, Optional(ElementsAre("general", "test")));
  EXPECT_THAT(settings.users.at("john").qos_list, Optional(ElementsAre("geo", "chem", "staff")));
  EXPECT_THAT(settings.groups.at("phys").qos_list, Optional(ElementsAre("high", "low")));
}

TEST(AccessConfiguration, WhatAnEntryDoesNotSayIsWhatDefaultSays) {
  const auto made = parsed(
      "USERCFG[DEFAULT] PLIST=general PDEF=general QLIST=low QDEF=low FLAGS=PREEMPTEE\n"
      "USERCFG[amy] MAXJOB=5\n"
      "USERCFG[bob] PLIST=test QLIST=high,low FLAGS=NOBF\n"
      "USERCFG[cay] PDEF=test\n"
      "QOSCFG[DEFAULT] FLAGS=PREEMPTEE QTWEIGHT=7 PLIST=general\n"
      "QOSCFG[high] PRIORITY=10\n");
  const auto& users = made.settings().users;
  const auto& amy = users.at("amy");
  EXPECT_THAT(amy.partition_list, Optional(ElementsAre("general")));
  EXPECT_EQ(amy.default_partition, "general");
  EXPECT_THAT(amy.qos_list, Optional(ElementsAre("low")));
  EXPECT_EQ(amy.default_qos, "low");
  EXPECT_THAT(amy.flags, ElementsAre("PREEMPTEE"));
  EXPECT_THAT(users.at("bob").partition_list, Optional(ElementsAre("test")));
  EXPECT_EQ(users.at("bob").default_partition, "") << "it would open general to bob";
  EXPECT_EQ(users.at("bob").default_qos, "low");
  EXPECT_THAT(users.at("bob").flags, ElementsAre("NOBF"));
  EXPECT_THAT(users.at("cay").partition_list, Optional(ElementsAre("general")));
  EXPECT_EQ(users.at("cay").default_partition, "test");
  const auto& high = made.settings().qos.at("high");
  EXPECT_THAT(high.partition_list, Optional(ElementsAre("general")));
  EXPECT_EQ(high.queue_time_weight, 7);
  EXPECT_THAT(high.flags, testing::IsEmpty()) << "the flags of QOS DEFAULT are its own";
}

TEST(AccessConfiguration, AnEntryMayTakeBackWhatDefaultGives) {
  const auto made = parsed(
      "USERCFG[DEFAULT] QDEF=low PDEF=general FLAGS=PREEMPTEE\n"
      "USERCFG[amy] FLAGS=[NONE] QDEF=[NONE] PDEF=[NONE]\n"
      "USERCFG[bob] QLIST=high QDEF=low\n"
      "QOSCFG[DEFAULT] QTWEIGHT=7 XFWEIGHT=8 FEATURES=fast\n"
      "QOSCFG[plain] QTWEIGHT=0 XFWEIGHT=0 FEATURES=[NONE]\n");
  const auto& amy = made.settings().users.at("amy");
  EXPECT_THAT(amy.flags, testing::IsEmpty());
  EXPECT_THAT(amy.default_qos, testing::AnyOf("", "[NONE]"));
  EXPECT_THAT(amy.default_partition, testing::AnyOf("", "[NONE]"));
  EXPECT_EQ(made.settings().users.at("bob").default_qos, "low") << "it says so itself";
  const auto& plain = made.settings().qos.at("plain");
  EXPECT_EQ(plain.queue_time_weight, 0);
  EXPECT_EQ(plain.xfactor_weight, 0);
  EXPECT_THAT(plain.features, testing::IsEmpty());
}

TEST(AccessConfiguration, EveryKindOfCredentialTakesThem) {
  const auto made = parsed(
      "USERCFG[a] PLIST=p PDEF=p\nGROUPCFG[a] PLIST=p PDEF=p\nACCOUNTCFG[a] PLIST=p PDEF=p\n"
      "CLASSCFG[a] PLIST=p PDEF=p\nQOSCFG[a] PLIST=p PDEF=p\nSYSCFG PLIST=p PDEF=p QDEF=q\n");
  const auto& s = made.settings();
  for (const auto* entry : {&s.users.at("a"), &s.groups.at("a"), &s.accounts.at("a"),
                            &s.classes.at("a"), &s.qos.at("a"), &s.system}) {
    EXPECT_THAT(entry->partition_list, Optional(ElementsAre("p")));
    EXPECT_EQ(entry->default_partition, "p");
  }
  EXPECT_EQ(s.system.default_qos, "q");
}

TEST(AccessConfiguration, AllPartitionsMayBeNamedInSmallLetters) {
  for (const char* all : {"ALL", "all", "[all]"})
    EXPECT_THAT(parsed(std::string("SYSCFG PLIST=") + all).settings().system.partition_list,
                Optional(ElementsAre("ALL")))
        << all;
}

TEST(AccessConfiguration, AnEmptyListIsNotTheSameAsNone) {
  const auto made = parsed("SYSCFG[base] PLIST=\n");
  EXPECT_THAT(made.settings().system.partition_list, Optional(ElementsAre()));
  EXPECT_FALSE(parsed("").settings().system.partition_list);
}

TEST(AccessConfiguration, FlagsAndQflagsAreTheSame) {
  const auto made = parsed(
      "QOSCFG[hiprio] FLAGS=NOBF:PREEMPTEE\nQOSCFG[other] QFLAGS=NOBF,PREEMPTEE\n"
      "QOSCFG[chem-b] FLAGS=USERESERVED:chemistry\nQOSCFG[wide] FLAGS=SPAN\n");
  const auto& qos = made.settings().qos;
  EXPECT_THAT(qos.at("hiprio").flags, ElementsAre("NOBF", "PREEMPTEE"));
  EXPECT_EQ(qos.at("other").flags, qos.at("hiprio").flags);
  EXPECT_THAT(qos.at("chem-b").flags, ElementsAre("USERESERVED:chemistry"));
  EXPECT_THAT(qos.at("wide").flags, ElementsAre("SPAN"));
  EXPECT_THAT(complaints("QOSCFG[x] FLAGS=FAST\n"), HasSubstr("FAST"));
}

TEST(AccessConfiguration, NodesOfferGenericResources) {
  const auto made = parsed("NODECFG[n1] GRES=tape:2,matlab\n");
  EXPECT_THAT(made.settings().nodes.at("n1").generic, ElementsAre("tape:2", "matlab:1"));
  EXPECT_THAT(complaints("NODECFG[n1] GRES=tape:x\n"), HasSubstr("expected"));
  EXPECT_THAT(complaints("NODECFG[n1] GRES=MEM:5\n"), HasSubstr("expected"));
}

}  // namespace
}  // namespace maui
