// Limits as users see them: which, how much, who uses it.
#include <gmock/gmock.h>

#include "cmd/command_fixture.h"

namespace maui {
namespace {

class LimitCommands : public test::CommandTest {
 protected:
  LimitCommands() {
    settings.users["amy"].limits.active[0] = Limit{1, 2};  // MAXJOB; she has one running
    settings.users["bob"].limits.active[1] = Limit{1, 1};  // MAXPROC
  }
};

constexpr auto kAmysSoft = "violates active SOFT MAXJOB limit of 1 for user amy  (R: 1, U: 1)";
constexpr auto kBobs = "violates active HARD MAXPROC limit of 1 for user bob  (R: 2, U: 0)";

TEST_F(LimitCommands, CheckjobNamesLimitValueUsageAndRequestOfTheLevelAskedFor) {
  EXPECT_EQ(get<JobReply>("checkjob b").verdicts[0].limit, kBobs);
  EXPECT_EQ(get<JobReply>("checkjob c").verdicts[0].limit, "") << "the hard limit is wider";
  EXPECT_EQ(get<JobReply>("checkjob -l SOFT c").verdicts[0].limit, kAmysSoft);
  EXPECT_EQ(get<JobReply>("checkjob -l HARD b").verdicts[0].limit, kBobs);
  EXPECT_EQ(get<JobReply>("checkjob -l OFF b").verdicts[0].limit, "");
}

TEST_F(LimitCommands, DiagnoseQListsWhoIsHeldBackAtTheLevelAskedFor) {
  const auto soft = get<BlockedJobsReply>("diagnose -q").jobs;
  ASSERT_EQ(soft.size(), 2U);
  EXPECT_EQ(soft[1].reason, kAmysSoft);
  const auto hard = get<BlockedJobsReply>("diagnose -q -l HARD").jobs;
  ASSERT_EQ(hard.size(), 1U);
  EXPECT_EQ(hard[0].reason, kBobs);
  EXPECT_EQ(get<BlockedJobsReply>("diagnose -q -l OFF").jobs.size(), 0U);
}

TEST_F(LimitCommands, ShowqCountsThemAmongTheBlocked) {
  const auto all = get<QueueReply>("showq");
  ASSERT_EQ(all.blocked.size(), 1U);
  EXPECT_EQ(all.blocked[0].name, "b");
  EXPECT_EQ(get<BlockedQueueReply>("showq -b").jobs[0].reason, kBobs);
}

TEST_F(LimitCommands, DiagnoseUShowsLimitsAndWhatIsUsedOfThem) {
  const auto amy = get<CredentialsReply>("diagnose -u amy").rows;
  ASSERT_EQ(amy.size(), 1U);
  EXPECT_EQ(amy[0].limits, (std::vector<LimitDiagnosis>{{"MAXJOB", 1, 2, 1}}));
  EXPECT_EQ(get<CredentialsReply>("diagnose -u").rows.size(), 3U) << "and DEFAULT";
  EXPECT_EQ(why_not("diagnose -g nosuch"), "unknown group 'nosuch'");
}

TEST_F(LimitCommands, DiagnoseUvShowsTheLimitsThatDefaultSetsToo) {
  settings.users["DEFAULT"].limits.active[0] = Limit{3, 3};
  settings.users["DEFAULT"].limits.idle[1] = Limit{8, 8};
  const auto amy = get<CredentialsReply>("diagnose -u amy -v").rows;
  EXPECT_EQ(amy[0].limits,
            (std::vector<LimitDiagnosis>{{"MAXJOB", 1, 2, 1}, {"MAXIPROC", 8, 8, -1}}));
  const auto bob = get<CredentialsReply>("diagnose -u bob -v").rows;
  EXPECT_EQ(bob[0].limits, (std::vector<LimitDiagnosis>{
                               {"MAXJOB", 3, 3, 0}, {"MAXPROC", 1, 1, 0}, {"MAXIPROC", 8, 8, -1}}));
  EXPECT_EQ(get<CredentialsReply>("diagnose -u amy").rows[0].limits.size(), 1U) << "her own";
}

TEST_F(LimitCommands, DiagnoseUShowsWhatDefaultGivesToUsersWithoutALine) {
  CredentialSettings& common = settings.users["DEFAULT"];
  common.default_qos = "low";
  common.qos_list = std::vector<std::string>{"low", "high"};
  common.partition_list = std::vector<std::string>{"[ALL]"};
  settings.users.erase("amy");
  const auto amy = get<CredentialsReply>("diagnose -u amy").rows;
  ASSERT_EQ(amy.size(), 1U);
  EXPECT_EQ(amy[0].default_qos, "low");
  EXPECT_EQ(amy[0].qos_list, (std::vector<std::string>{"low", "high"}));
  EXPECT_EQ(amy[0].partitions, std::vector<std::string>{"[ALL]"});
  EXPECT_EQ(get<CredentialsReply>("diagnose -u bob").rows[0].default_qos, "")
      << "his line is complete";
}

TEST_F(LimitCommands, ShowstartWaitsForTheLimitOrSaysThatItNeverAllowsTheJob) {
  settings.users["amy"].limits.active[0] = Limit{1, 1};
  EXPECT_EQ(get<StartReply>("showstart c").start, test::kNow.raw() + 3600)
      << "when her other job ends";
  EXPECT_THAT(why_not("showstart b"),
              testing::HasSubstr("job 'b' can never start: it violates active HARD MAXPROC"));
}

TEST_F(LimitCommands, CheckjobSaysWhetherOtherJobsOrTheJobAloneExceedTheLimit) {
  constexpr auto kAlone =
      "the limit is raised or the job requests less: it exceeds the limit by itself";
  const auto until = [this](const char* command) {
    const auto reply = get<JobReply>(command);
    return std::pair(reply.lifted_by, reply.lifted_at);
  };
  const std::pair<std::string, std::int64_t> never(kAlone, -1);
  EXPECT_EQ(until("checkjob -v b"), never) << "it asks for 2 processors of 1";
  EXPECT_EQ(until("checkjob -l SOFT c").first, "jobs that count for the limit end");
  settings.users["amy"].limits.active[0] = Limit{1, 1};
  settings.users["bob"].limits = {};
  settings.users["bob"].limits.idle[index_of(LimitKind::proc)] = Limit{1, 1};
  engine().set_settings(settings);
  EXPECT_EQ(until("checkjob c"),
            std::pair(std::string("jobs that count for the limit end"), test::kNow.raw() + 3600));
  EXPECT_EQ(until("checkjob b"), never) << "a limit of idle jobs";
  settings.users["bob"].limits = {};
  settings.throttling.max_job_procs = 1;
  engine().set_settings(settings);
  EXPECT_EQ(until("checkjob b"), never) << "a limit of single jobs";
}

TEST_F(LimitCommands, ShowstartNamesTheLimitThatARequestWouldExceedToo) {
  settings.users["DEFAULT"].limits.active[index_of(LimitKind::proc)] = Limit{3, 3};
  EXPECT_EQ(get<StartReply>("showstart 3@1:00:00").procs, 3);
  EXPECT_THAT(why_not("showstart 4@1:00:00"),
              testing::HasSubstr("a job that requires 4 procs for 1:00:00 can never start here: it "
                                 "violates active HARD MAXPROC limit of 3"));
}

TEST_F(LimitCommands, ShowstartNamesTheLimitOfSingleJobs) {
  settings.throttling.max_job_wall_time = Seconds(3599);
  EXPECT_THAT(why_not("showstart c"),
              testing::HasSubstr("job 'c' can never start: it violates SYSTEMMAXJOBWALLTIME"));
}

TEST_F(LimitCommands, RunjobKeepsToHardLimitsUnlessItIsForced) {
  EXPECT_NE(why_not("runjob b").find(kBobs), std::string::npos) << why_not("runjob b");
  EXPECT_EQ(why_not("runjob -f b").find("limit"), std::string::npos);
}

}  // namespace
}  // namespace maui
