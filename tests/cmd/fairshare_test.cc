// diagnose -f, showstats -f, and what users are told of caps.
#include "cmd/command_fixture.h"

namespace maui {
namespace {

using test::kNow;

class FairshareCommandTest : public test::CommandTest {
 protected:
  FairshareCommandTest() {
    settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
    settings.fairshare.decay = 0.5;
    settings.users["amy"].fairshare_target = {40};
    settings.users["zoe"].fairshare_target = {10, TargetType::floor};
  }
  void an_hour_later() {
    engine();
    clock.time = kNow + Seconds(1800);
    engine().iterate([] {});
  }
};

TEST_F(FairshareCommandTest, DiagnoseShowsUseAgainstTargets) {
  an_hour_later();
  const auto reply = get<FairshareReply>("diagnose -f");
  EXPECT_EQ(reply.policy, "DEDICATEDPS");
  EXPECT_EQ(reply.depth, 7);
  EXPECT_EQ(reply.interval, 86400);
  EXPECT_EQ(reply.weights, std::vector<double>{1.0});
  EXPECT_EQ(reply.totals, std::vector<double>{2.0});
  const auto& users = reply.tables.at(0);
  EXPECT_EQ(users.kind, "USER");
  ASSERT_EQ(users.rows.size(), 2U);
  EXPECT_EQ(users.rows[0], (FairshareRow{"amy", 40, "", true, 100, {100}}));
  EXPECT_EQ(users.rows[1], (FairshareRow{"zoe", 10, "+", true, 0, {-1}}));
}

TEST_F(FairshareCommandTest, UseIsShownEvenWithoutAPolicy) {
  settings.fairshare.metric = FairshareMetric::none;
  engine();
  clock.time = kNow + Seconds(3600);
  engine().iterate([] {});
  const auto reply = get<FairshareReply>("diagnose -f");
  EXPECT_EQ(reply.policy, "NONE");
  EXPECT_EQ(reply.tables.at(0).rows.at(0), (FairshareRow{"amy", 40, "", true, 100, {100}}));
}

TEST_F(FairshareCommandTest, DefaultUsesNothingItselfAndMeetsNoTarget) {
  settings.users["DEFAULT"].fairshare_target = {25};
  an_hour_later();
  const auto reply = get<FairshareReply>("diagnose -f user");
  const auto off = [&](std::string_view name) {
    const auto& rows = reply.tables.at(0).rows;
    const auto at =
        std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
    EXPECT_NE(at, rows.end()) << name;
    return at != rows.end() && at->off_target;
  };
  EXPECT_FALSE(off("DEFAULT"));
  EXPECT_TRUE(off("bob")) << "who stands under it and has used nothing";
}

TEST_F(FairshareCommandTest, OneKindMayBeAskedFor) {
  an_hour_later();
  const auto reply = get<FairshareReply>("diagnose -f user");
  ASSERT_EQ(reply.tables.size(), 1U);
  EXPECT_EQ(reply.tables[0].kind, "USER");
  EXPECT_EQ(get<FairshareReply>("showstats -f"), get<FairshareReply>("diagnose -f"));
  EXPECT_EQ(std::get<Refusal>(ask("showstats -f nobody")).reason,
            "showstats: unknown kind of credential 'nobody': expected user, group, account, qos or "
            "class");
}

TEST_F(FairshareCommandTest, StatisticsShowAUsersOwnTarget) {
  an_hour_later();
  EXPECT_EQ(get<CredentialStatisticsReply>("showstats -u amy").rows.at(0).fairshare_target, 40);
}

TEST_F(FairshareCommandTest, AJobOverACapIsBlockedWithAReason) {
  settings.users["amy"].fairshare_target = {40, TargetType::cap};
  an_hour_later();
  const std::string why =
      "fairshare cap is exceeded: user amy has used 100.00% of the delivered resources, and its "
      "fairshare cap is 40.00%";
  const auto blocked = get<BlockedQueueReply>("showq -b");
  ASSERT_EQ(blocked.jobs.size(), 1U);
  EXPECT_EQ(blocked.jobs[0].name, "c");
  EXPECT_EQ(blocked.jobs[0].reason, "is rejected by policy: " + why);
  const auto c = get<JobReply>("checkjob c");
  EXPECT_EQ(c.verdicts.at(0).reason, why);
  EXPECT_EQ(c.lifted_by,
            "the fairshare use of user amy, now 100.00%, is no longer above its cap of 40.00%");
}

TEST_F(FairshareCommandTest, APrioritysPartsAreThoseThatAreSummed) {
  settings.priority.fs_user.weight = 10;
  settings.users["DEFAULT"].fairshare_target = {25};
  an_hour_later();
  const auto reply = get<PriorityReply>("diagnose -p b");
  ASSERT_EQ(reply.components.size(), 2U);
  EXPECT_EQ(reply.components[0].label, "FS");
  ASSERT_EQ(reply.jobs.size(), 1U);
  EXPECT_EQ(reply.jobs[0].weighted.at(0), 250);
  EXPECT_EQ(reply.jobs[0].contributions.at(0), 250);
  EXPECT_EQ(reply.jobs[0].priority,
            static_cast<std::int64_t>(250 + reply.jobs[0].contributions.at(1)));
}

}  // namespace
}  // namespace maui
