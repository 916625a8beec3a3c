// showq -c: the jobs that have ended of late.
#include "cmd/command_fixture.h"

namespace maui::test {
namespace {

class CompletedJobs : public CommandTest {
 protected:
  /// Job "a" of amy runs from now on; the resource manager is to be told what it reports next.
  ScriptedRm& begin() {
    auto manager = std::make_unique<ScriptedRm>();
    ScriptedRm& rm = *manager;
    rm.next.nodes = {node_report("n1", procs(2, 512)), node_report("n2", procs(2, 1024))};
    rm.next.arrived = {report("a", 4, "amy"), report("b", 2, "bob")};
    run(std::move(manager));
    return rm;
  }
  void end_of_a(ScriptedRm& rm, Seconds after, int exit_code) {
    clock.time = kNow + after;
    rm.next.ended = {{"a", JobState::completed, clock.time, exit_code}};
    engine().iterate([] {});
  }
  std::vector<std::string> names(const std::string& line, const std::string& user = "root") {
    std::vector<std::string> all;
    for (const CompletedRow& row : get<CompletedQueueReply>(line, user).jobs)
      all.push_back(row.name);
    return all;
  }
};

using Names = std::vector<std::string>;

TEST_F(CompletedJobs, AreListedWithHowTheyEndedAndHowLongTheyRan) {
  ScriptedRm& rm = begin();
  EXPECT_TRUE(names("showq -c").empty());
  end_of_a(rm, minutes(10), 3);
  const auto reply = get<CompletedQueueReply>("showq -c");
  ASSERT_EQ(reply.jobs.size(), 1U);
  const CompletedRow& row = reply.jobs.front();
  EXPECT_EQ(row.name, "a");
  EXPECT_EQ(row.user, "amy");
  EXPECT_EQ(row.state, "Completed");
  EXPECT_EQ(row.exit_code, 3);
  EXPECT_EQ(row.procs, 4);
  EXPECT_EQ(row.nodes, 2);
  EXPECT_EQ(row.run_time, 600);
  EXPECT_EQ(row.started, kNow.raw());
  EXPECT_EQ(row.ended, kNow.raw() + 600);
  EXPECT_FALSE(row.main_host.empty());
  EXPECT_EQ(row.efficiency, 100);
  EXPECT_EQ(why_not("checkjob a"), "cannot locate job 'a'");
}

TEST_F(CompletedJobs, ThatNeverRanSaySo) {
  begin();
  EXPECT_TRUE(succeeded(ask("canceljob b")));
  const auto reply = get<CompletedQueueReply>("showq -c");
  ASSERT_EQ(reply.jobs.size(), 1U);
  EXPECT_EQ(reply.jobs[0].state, "Removed");
  EXPECT_EQ(reply.jobs[0].started, -1);
  EXPECT_EQ(reply.jobs[0].run_time, 0);
  EXPECT_TRUE(reply.jobs[0].main_host.empty());
}

TEST_F(CompletedJobs, OfOthersAreHiddenFromOrdinaryUsersAndNamesChooseAmongThem) {
  ScriptedRm& rm = begin();
  EXPECT_TRUE(succeeded(ask("canceljob b")));
  end_of_a(rm, minutes(10), 0);
  EXPECT_EQ(names("showq -c"), (Names{"b", "a"}));
  EXPECT_EQ(names("showq -c", "bob"), (Names{"b"}));
  EXPECT_EQ(names("showq -c -u amy"), (Names{"a"}));
  EXPECT_EQ(names("showq -c -w user=bob"), (Names{"b"}));
  EXPECT_EQ(names("showq -c -p DEFAULT"), (Names{"a"}));
  EXPECT_EQ(why_not("showq -c -r"), "showq: only one of -b, -c, -i and -r at a time");
}

TEST_F(CompletedJobs, AreForgottenAfterAnHourOrJobpurgetime) {
  end_of_a(begin(), minutes(10), 0);
  clock.time = kNow + minutes(70);
  EXPECT_EQ(names("showq -c"), (Names{"a"}));
  clock.time = kNow + minutes(71);
  EXPECT_EQ(names("showq -c"), (Names{}));
}

TEST_F(CompletedJobs, AreKeptForJobpurgetimeWhereThatIsLonger) {
  settings.jobs.purge_time = hours(3);
  end_of_a(begin(), minutes(10), 0);
  clock.time = kNow + minutes(190);
  EXPECT_EQ(names("showq -c"), (Names{"a"}));
  clock.time = kNow + minutes(191);
  EXPECT_EQ(names("showq -c"), (Names{}));
}

TEST_F(CompletedJobs, AreSoManyAtMost) {
  EndedJobs ended;
  for (std::size_t i = 0; i <= EndedJobs::kMost; ++i) {
    EndedJob job;
    job.name = std::to_string(i);
    ended.add(std::move(job));
  }
  EXPECT_EQ(ended.all().size(), EndedJobs::kMost);
  EXPECT_EQ(ended.all().front().name, "1");
}

}  // namespace
}  // namespace maui::test
