// Access to QOS and partitions (guide 7.2.2, 7.3.1, 7.3.3).
#include "sched/reservations/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;
using List = std::vector<std::string>;

struct AccessTest : testing::Test {
  Credentials who(const std::string& user, const std::string& group = {},
                  const std::string& job_class = {}) {
    Credentials made;
    made.user = names.users.intern(user);
    if (!group.empty()) made.group = names.groups.intern(group);
    if (!job_class.empty()) made.job_class = names.classes.intern(job_class);
    return made;
  }
  AccessRules rules() const { return AccessRules(names, settings); }

  Cluster names;
  Settings settings;
};

struct GuidesPartitions : AccessTest {
  GuidesPartitions() {
    settings.users["DEFAULT"].partition_list = List{"general"};
    settings.users["steve"].partition_list = List{"general", "test"};
    settings.users["steve"].default_partition = "test";
    for (const char* group : {"staff", "mgmt"}) {
      settings.groups[group].partition_list = List{"general", "test"};
      settings.groups[group].default_partition = "general";
    }
  }
};

TEST_F(GuidesPartitions, EverybodyUsesGeneralByDefaultAndNothingElse) {
  const auto access = rules().partitions(who("amy", "guests"));
  EXPECT_FALSE(access.all);
  EXPECT_THAT(access.names, ElementsAre("general"));
  EXPECT_EQ(access.first, "general") << "the only partition of the list is the default";
}

TEST_F(GuidesPartitions, SteveWorksInTestAndMayUseGeneral) {
  const auto access = rules().partitions(who("steve", "guests"));
  EXPECT_THAT(access.names, UnorderedElementsAre("general", "test"));
  EXPECT_EQ(access.first, "test");
  EXPECT_EQ(rules().partitions(who("steve", "staff")).first, "test") << "the user's goes first";
}

TEST_F(GuidesPartitions, MembersOfSpecialGroupsMayUseTestFromTimeToTime) {
  for (const char* group : {"staff", "mgmt"}) {
    const auto access = rules().partitions(who("amy", group));
    EXPECT_THAT(access.names, ElementsAre("general", "test")) << group;
    EXPECT_EQ(access.first, "general") << group;
  }
}

TEST_F(AccessTest, WithoutAnyListAllPartitionsMayBeUsed) {
  settings.users["amy"].default_partition = "big";
  settings.users["bob"].partition_list = List{"small"};
  EXPECT_TRUE(rules().partitions(who("amy")).all);
  EXPECT_EQ(rules().partitions(who("amy")).first, "big");
  EXPECT_TRUE(rules().partitions(who("eve")).all);
  EXPECT_EQ(rules().partitions(who("eve")).first, "");
}

TEST_F(AccessTest, AnEmptyListOfTheSystemLeavesWhatOthersGrant) {
  settings.system.partition_list = List{};
  settings.groups["chem"].partition_list = List{"lab"};
  EXPECT_THAT(rules().partitions(who("amy", "chem")).names, ElementsAre("lab"));
  const auto nobody = rules().partitions(who("bob", "phys"));
  EXPECT_FALSE(nobody.all);
  EXPECT_TRUE(nobody.names.empty());
}

// Release 3.3 took both words for the pseudo-partition of the guide (7.2).
TEST_F(AccessTest, AllGrantsEveryPartitionAndEveryQos) {
  for (const char* all : {"ALL", "[ALL]"}) {
    settings.users["DEFAULT"].partition_list = List{"general"};
    settings.users["amy"].partition_list = List{all};
    settings.users["amy"].qos_list = List{all};
    EXPECT_TRUE(rules().partitions(who("amy")).all) << all;
    EXPECT_EQ(rules().partitions(who("amy")).first, "") << all;
    EXPECT_FALSE(rules().partitions(who("bob")).all) << all;
    EXPECT_TRUE(rules().may_use_qos(who("amy"), "high")) << all;
    EXPECT_FALSE(rules().may_use_qos(who("bob"), "high")) << all;
  }
}

TEST_F(AccessTest, TheQosOfAJobGrantsPartitionsToo) {
  settings.system.partition_list = List{"general"};
  settings.qos["high"].partition_list = List{"fast"};
  auto job = who("amy");
  job.qos = names.qos.intern("high");
  EXPECT_THAT(rules().partitions(job).names, ElementsAre("fast", "general"));
}

TEST_F(AccessTest, TheGuidesQosExample) {  // 7.3.3
  settings.users["john"].default_qos = "geo";
  settings.users["john"].qos_list = List{"geo", "chem", "staff"};
  settings.groups["systems"].default_qos = "development";
  settings.classes["batch"].default_qos = "normal";
  const auto john = who("john", "systems", "batch");
  for (const char* qos : {"geo", "chem", "staff", "development", "normal", "DEFAULT"})
    EXPECT_TRUE(rules().may_use_qos(john, qos)) << qos;
  EXPECT_FALSE(rules().may_use_qos(john, "root"));
  EXPECT_EQ(rules().default_qos(john), "geo");
  EXPECT_EQ(rules().default_qos(who("amy", "systems", "batch")), "development");
  EXPECT_EQ(rules().default_qos(who("amy", "staff", "batch")), "normal");
  EXPECT_EQ(rules().default_qos(who("amy", "staff")), "DEFAULT");
  EXPECT_FALSE(rules().may_use_qos(who("amy", "staff", "batch"), "geo"));
}

TEST_F(AccessTest, ItIsKnownWhoseListsNameAQos) {  // diagnose -Q
  settings.groups["phys"].qos_list = List{"high", "low"};
  settings.groups["chem"].default_qos = "high";
  settings.users["amy"].qos_list = List{"low"};
  const auto high = qos_members(settings, "high");
  EXPECT_THAT(high.groups, ElementsAre("chem", "phys"));
  EXPECT_TRUE(high.users.empty());
  EXPECT_FALSE(high.system);
  EXPECT_THAT(qos_members(settings, "low").users, ElementsAre("amy"));
}

TEST_F(AccessTest, EverybodyMayUseTheQosThatTheSystemLists) {
  settings.system.qos_list = List{"low"};
  settings.system.default_qos = "normal";
  for (const char* qos : {"low", "normal"})
    EXPECT_TRUE(rules().may_use_qos(who("amy"), qos)) << qos;
  EXPECT_FALSE(rules().may_use_qos(who("amy"), "high"));
  EXPECT_EQ(rules().default_qos(who("amy")), "normal");
}

TEST_F(AccessTest, AnyQosMayBeUsedIfNoAccessIsConfigured) {
  settings.qos["high"].priority = 1000;
  EXPECT_TRUE(rules().may_use_qos(who("amy"), "high"));
  settings.groups["chem"].qos_list = List{"high"};
  EXPECT_FALSE(rules().may_use_qos(who("amy"), "high"));
}

}  // namespace
}  // namespace maui
