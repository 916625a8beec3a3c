// Rules are kept exactly as long as nothing has changed of which they are made.
#include "sched/limits/kept_limit_rules.h"

#include <gtest/gtest.h>

#include <memory>

#include "support/scenario.h"

namespace maui::test {
namespace {

class KeptLimitRulesTest : public testing::Test {
 protected:
  KeptLimitRulesTest() {
    Scenario scenario;
    scenario.nodes(1, Resources(4)).partition("math").job("a").by("amy");
    cluster_ = scenario.build();
    limit(settings_.users["amy"].limits, 3);
  }
  static void limit(CredentialLimits& limits, std::int64_t jobs) {
    limits.active[index_of(LimitKind::job)] = Limit{jobs, jobs};
  }
  /// True if the rules of the last call are returned, for which this makes a scope.
  bool kept() {
    LimitRules& rules = kept_.of(cluster_, settings_);
    const bool has_scopes = rules.scopes() > 0;
    rules.number_in({}, {});
    return has_scopes;
  }

  Cluster cluster_;
  Settings settings_;
  KeptLimitRules kept_;
};

TEST_F(KeptLimitRulesTest, AreKeptWhileNothingChanges) {
  EXPECT_FALSE(kept());
  EXPECT_TRUE(kept());
  settings_.users["amy"].priority = 7;
  settings_.server.port = 1;
  EXPECT_TRUE(kept()) << "no limit depends on these";
}

TEST_F(KeptLimitRulesTest, OutliveTheSettings) {
  auto settings = std::make_unique<Settings>(settings_);
  kept_.of(cluster_, *settings);
  settings.reset();
  LimitRules& rules = kept_.of(cluster_, settings_);
  Credentials amy;
  amy.user = cluster_.users.find("amy");
  const auto& scope = rules.scope(rules.number_in(amy, {}));
  ASSERT_EQ(scope.active.size(), 1U);
  EXPECT_EQ(scope.active.front().limit, (Limit{3, 3}));
}

TEST_F(KeptLimitRulesTest, AreMadeAnewForOtherLimits) {
  kept();
  limit(settings_.users["amy"].limits, 2);
  EXPECT_FALSE(kept());
  limit(settings_.qos["high"].limits, 2);
  EXPECT_FALSE(kept());
  limit(settings_.system.limits, 9);
  EXPECT_FALSE(kept());
  limit(settings_.partitions["math"], 9);
  EXPECT_FALSE(kept());
  settings_.throttling.each_active[CredentialKind::group][index_of(LimitKind::proc)] = {5, 5};
  EXPECT_FALSE(kept());
  settings_.throttling.each_idle[CredentialKind::user][index_of(LimitKind::job)] = {5, 5};
  EXPECT_FALSE(kept());
  EXPECT_TRUE(kept());
}

TEST_F(KeptLimitRulesTest, AreMadeAnewForOtherFlags) {
  kept();
  settings_.users["amy"].flags = {"IGNALL"};
  EXPECT_FALSE(kept());
  settings_.system.flags = {"IGNSYSTEM"};
  EXPECT_FALSE(kept());
  EXPECT_TRUE(kept());
}

TEST_F(KeptLimitRulesTest, AreMadeAnewWhereNumbersMeanOthers) {
  limit(settings_.partitions["chem"], 9);
  kept();
  cluster_.note_names_given_up();
  EXPECT_FALSE(kept());
  cluster_.partitions.intern("chem");
  EXPECT_FALSE(kept()) << "a node of the partition has been reported";
  EXPECT_TRUE(kept());
  const Cluster other = cluster_;
  EXPECT_EQ(kept_.of(other, settings_).scopes(), 0U);
}

}  // namespace
}  // namespace maui::test
