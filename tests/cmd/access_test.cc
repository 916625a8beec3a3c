#include "cmd/access.h"

#include <gmock/gmock.h>

#include "cmd/command_fixture.h"

namespace maui::test {
namespace {

using Level = maui::Access;
using Access = CommandTest;

TEST_F(Access, ARefusalSaysWhoAskedForWhatAndWhoMay) {
  EXPECT_EQ(why_not("changeparam LOGLEVEL 1", "op"),
            "user 'op' is not authorized to run command 'changeparam' (requires ADMIN1)");
  EXPECT_EQ(why_not("setspri 1 b", "help"),
            "user 'help' is not authorized to run command 'setspri' (requires ADMIN1 or ADMIN2)");
  EXPECT_EQ(why_not("showstate", "amy"),
            "user 'amy' is not authorized to run command 'showstate' (requires ADMIN1, ADMIN2 or "
            "ADMIN3)");
}

TEST_F(Access, HigherLevelsMayDoWhatLowerLevelsMay) {
  for (const auto* user : {"root", "op", "help"})
    EXPECT_TRUE(succeeded(ask("showstate", user))) << user;
  for (const auto* user : {"root", "op"}) EXPECT_TRUE(succeeded(ask("setspri 1 b", user))) << user;
}

TEST_F(Access, EveryCommandIsRefusedToThoseBelowItsRow) {
  const std::pair<Level, std::vector<std::string>> kBelow[] = {
      {Level::admin1, {"op", "help", "amy"}},
      {Level::admin2, {"help", "amy"}},
      {Level::admin3, {"amy"}},
  };
  int refused = 0;
  for (const CommandSpec& spec : command_specs()) {
    for (const auto& [level, users] : kBelow) {
      if (spec.access != level) continue;
      for (const auto& user : users) {
        EXPECT_THAT(why_not(std::string(spec.name), user),
                    testing::HasSubstr("is not authorized to run command"))
            << spec.name << " by " << user;
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 20);
}

TEST_F(Access, AllMeansAnybody) {
  settings.server.admins[2] = {"ALL"};
  EXPECT_TRUE(succeeded(ask("showstate", "anybody")));
  EXPECT_FALSE(succeeded(ask("schedctl -S", "anybody")));
}

TEST_F(Access, NobodyInParticularHasNoRightsEvenWhereAllAreAdministrators) {
  settings.server.admins[2] = {"ALL"};
  EXPECT_TRUE(succeeded(ask("showq", kNobody)));
  for (const char* command : {"showstate", "checkjob a", "showstats", "diagnose -j"})
    EXPECT_FALSE(succeeded(ask(command, kNobody))) << command;
  const auto details = ask("showq -r", kNobody);
  EXPECT_TRUE(std::get<ActiveQueueReply>(details).jobs.empty()) << "those of his own";
  const auto of_users = ask("showstats -u", kNobody);
  const auto* rows = std::get_if<CredentialStatisticsReply>(&of_users);
  EXPECT_TRUE(rows == nullptr || rows->rows.empty());
}

TEST_F(Access, AdministratorsAreSoOnlyOnAdminHosts) {
  settings.server.admin_hosts = {"admin1"};
  EXPECT_EQ(why_not("showstate", "root", "desk7"),
            "user 'root' may run command 'showstate' only from a host in ADMINHOST, not from "
            "'desk7'");
  EXPECT_TRUE(succeeded(ask("showstate", "root", "admin1")));
  EXPECT_TRUE(succeeded(ask("showstate", "root")));  // the server's own machine
  EXPECT_FALSE(succeeded(ask("canceljob b", "root", "desk7")));
  EXPECT_TRUE(succeeded(ask("canceljob b", "bob", "desk7")));
}

TEST_F(Access, OwnersAskAboutTheirOwnJobs) {
  EXPECT_EQ(get<JobReply>("checkjob a", "amy").name, "a");
  EXPECT_EQ(why_not("checkjob a", "bob"), "user bob is not authorized to check status of job 'a'");
}

TEST_F(Access, OwnersCancelAndHoldTheirOwnJobs) {
  EXPECT_EQ(why_not("canceljob b", "amy"), "user amy is not authorized to cancel job 'b'");
  EXPECT_EQ(why_not("sethold b", "amy"), "user amy is not authorized to hold job 'b'");
  EXPECT_TRUE(succeeded(ask("sethold c", "amy")));
  EXPECT_EQ(job("c").holds, static_cast<std::uint8_t>(Hold::user));
  EXPECT_EQ(why_not("sethold -b c", "amy"),
            "user 'amy' may set and release user holds (-u) of his own jobs only");
}

TEST_F(Access, UsersSeeTheirOwnJobsInDetailAndTheirOwnStatistics) {
  EXPECT_EQ(get<IdleQueueReply>("showq -i").jobs.size(), 2U);
  EXPECT_EQ(get<IdleQueueReply>("showq -i", "bob").jobs.size(), 1U);
  EXPECT_EQ(get<CredentialStatisticsReply>("showstats -u", "amy").rows.size(), 1U);
  EXPECT_EQ(why_not("showstats", "amy"),
            "user 'amy' is not authorized to see these statistics; -u and -l show his own");
  EXPECT_FALSE(succeeded(ask("showstats -u bob", "amy")));
}

/// The jobs are charged to an account and have a class; bob's asks for a feature, too.
class OthersJobs : public CommandTest {
 protected:
  OthersJobs() {
    auto manager = std::make_unique<ScriptedRm>();
    manager->next.nodes = {node_report("n1", procs(2))};
    manager->next.arrived = {report("a", 2, "amy"), report("b", 1, "bob")};
    for (JobReport& job : manager->next.arrived) {
      job.group = "staff";
      job.account = "chem";
      job.job_class = "long";
      job.any_class = true;
    }
    manager->next.arrived[1].features = {{"gpu"}};
    run(std::move(manager));
  }
};

TEST_F(OthersJobs, ShowInTheQueueWhatTheGuidesShowqShows) {
  for (const auto* user : {"bob", "help"}) {
    const auto queue = get<QueueReply>("showq", user);
    ASSERT_EQ(queue.blocked.size() + queue.idle.size(), 1U);
    const auto& row = queue.idle.empty() ? queue.blocked[0] : queue.idle[0];
    EXPECT_EQ((std::vector{row.group, row.account, row.job_class, row.qos}),
              (std::vector<std::string>{"staff", "chem", "long", "DEFAULT"}));
  }
  for (const auto* user : {"amy", "eve", kNobody}) {
    const auto queue = get<QueueReply>("showq", user);
    ASSERT_EQ(queue.blocked.size() + queue.idle.size(), 1U);
    const auto& row = queue.idle.empty() ? queue.blocked[0] : queue.idle[0];
    EXPECT_EQ((std::vector{row.name, row.user, row.state}),
              (std::vector<std::string>{"b", "bob", "Deferred"}));
    EXPECT_EQ((std::vector{row.group, row.account, row.job_class, row.qos}),
              std::vector<std::string>(4));
  }
  EXPECT_EQ(get<QueueReply>("showq", "amy").active.at(0).account, "chem");
  EXPECT_EQ(get<QueueReply>("showq", "bob").active.at(0).account, "");
}

TEST_F(OthersJobs, AreNotFoundByWhatIsNotShown) {
  for (const auto* asked : {"showq -w acct=chem", "showq -w class=long", "showq -w qos=DEFAULT",
                            "showq -w group=staff"}) {
    const auto seen = get<QueueReply>(asked, "amy");
    EXPECT_EQ(seen.active.size(), 1U) << asked;
    EXPECT_EQ(seen.idle.size() + seen.blocked.size(), 0U) << asked;
    const auto all = get<QueueReply>(asked);
    EXPECT_EQ(all.active.size() + all.idle.size() + all.blocked.size(), 2U) << asked;
  }
  const auto of_bob = get<QueueReply>("showq -w user=bob", "amy");
  EXPECT_EQ(of_bob.idle.size() + of_bob.blocked.size(), 1U);
}

TEST_F(OthersJobs, HaveTheirReasonsToThemselves) {
  EXPECT_THAT(why_not("showstart b", "bob"), testing::HasSubstr("gpu"));
  EXPECT_EQ(why_not("showstart b", "amy"), "job 'b' cannot start as things are");
  EXPECT_EQ(why_not("showstart b", kNobody), "job 'b' cannot start as things are");
}

TEST_F(Access, WhyAnotherUsersJobIsHeldIsNotShownWithItsStart) {
  ask("sethold -s b");
  EXPECT_EQ(get<StartReply>("showstart b", "bob").not_counted, "job has hold in place");
  const auto shown = get<StartReply>("showstart b", "amy");
  EXPECT_EQ(shown.start, get<StartReply>("showstart b", "bob").start);
  EXPECT_EQ(shown.not_counted, "what only its owner and administrators see (checkjob)");
  EXPECT_EQ(shown.lifted_by, "");
  ask("mjobctl -s a");
  EXPECT_THAT(why_not("showstart a", "amy"), testing::HasSubstr("by hand"));
  EXPECT_EQ(why_not("showstart a", "bob"),
            "job 'a' is suspended, and no time is known at which it resumes");
}

TEST_F(Access, ReservationsAreForAdministratorsUnlessPolicySaysAny) {
  EXPECT_FALSE(succeeded(ask("setres -d 1:00:00 n1", "amy")));
  settings.reservation_control = ReservationControl::any;
  engine().set_settings(settings);
  EXPECT_TRUE(succeeded(ask("setres -d 1:00:00 n1", "amy")));
  EXPECT_EQ(why_not("releaseres SYSTEM.0", "bob"),
            "user bob is not authorized to release reservation 'SYSTEM.0'");
  EXPECT_TRUE(succeeded(ask("releaseres SYSTEM.0", "amy")));
}

TEST_F(Access, UnknownCommandsAndFlagsAreRefused) {
  EXPECT_EQ(why_not("showme"), "unknown command 'showme'");
  EXPECT_FALSE(succeeded(ask("showq -Z")));
}

}  // namespace
}  // namespace maui::test
