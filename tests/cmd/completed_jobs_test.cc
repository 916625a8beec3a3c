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
}

TEST_F(CompletedJobs, CheckjobShowsHowAJobEndedAndWhatItsLimitWasGoodFor) {
  ScriptedRm& rm = begin();
  end_of_a(rm, minutes(6), 3);  // of an hour
  const auto reply = get<EndedJobReply>("checkjob a");
  EXPECT_EQ(reply.job, get<CompletedQueueReply>("showq -c").jobs.at(0));
  EXPECT_EQ(reply.job.exit_code, 3);
  EXPECT_DOUBLE_EQ(reply.limit_used, 10);
  EXPECT_EQ(get<EndedJobReply>("checkjob a", "amy").job, reply.job);
  EXPECT_EQ(get<EndedJobReply>("mjobctl -q a").job, reply.job);
  EXPECT_TRUE(get<EndedJobReply>("checkjob -A a").pairs);
}

TEST_F(CompletedJobs, CheckjobSaysWhyTheSchedulerCancelledAJob) {
  ScriptedRm& rm = begin();
  clock.time = kNow + minutes(61);
  engine().iterate([] {});
  rm.next.ended = {{"a", JobState::removed, clock.time}};
  engine().iterate([] {});
  EXPECT_EQ(get<EndedJobReply>("checkjob a").cancelled, "it was 00:01:00 past its wallclock limit");
  ask("canceljob b");
  rm.next.ended = {{"b", JobState::removed, clock.time}};
  engine().iterate([] {});
  EXPECT_EQ(get<EndedJobReply>("checkjob b").cancelled, "") << "by a command";
}

TEST_F(CompletedJobs, ANumberIsThatOfTheLiveJobIfThereIsOne) {
  ScriptedRm& rm = begin();
  rm.next.arrived = {report("77.old", 1, "amy")};
  engine().iterate([] {});
  ASSERT_TRUE(succeeded(ask("canceljob 77.old")));
  EXPECT_EQ(get<EndedJobReply>("checkjob 77").job.name, "77.old");
  rm.next.arrived = {report("77.new", 1, "amy")};
  engine().iterate([] {});
  EXPECT_EQ(get<JobReply>("checkjob 77").name, "77.new");
  EXPECT_EQ(get<EndedJobReply>("checkjob 77.old").job.name, "77.old");
}

TEST_F(CompletedJobs, CheckjobShowsAJobThatNeverRan) {
  begin();
  EXPECT_TRUE(succeeded(ask("canceljob b")));
  const auto reply = get<EndedJobReply>("checkjob b");
  EXPECT_EQ(reply.job.state, "Removed");
  EXPECT_EQ(reply.limit_used, -1);
}

TEST_F(CompletedJobs, CheckjobHidesJobsOfOthersAndRefusesANodeForAnEndedJob) {
  ScriptedRm& rm = begin();
  end_of_a(rm, minutes(6), 0);
  EXPECT_EQ(why_not("checkjob a", "bob"), "cannot locate job 'a'");
  EXPECT_EQ(why_not("checkjob never"), "cannot locate job 'never'");
  EXPECT_EQ(why_not("checkjob -n n1 a"), "checkjob: -n does not apply to job 'a', which has ended");
}

// showq marks those that were backfilled or may be preempted, and has the mark behind the name.
TEST_F(CompletedJobs, AreFoundByTheNameThatShowqShows) {
  auto manager = std::make_unique<ScriptedRm>();
  ScriptedRm& rm = *manager;
  rm.next.nodes = {node_report("n1", procs(4))};
  rm.next.arrived = {report("a", 1, "amy"), report("c+", 1, "amy"), report("c", 1, "amy")};
  run(std::move(manager));
  for (const char* name : {"a", "a+", "a-", "a*", "c", "c+"})
    EXPECT_EQ(get<JobReply>(std::string("checkjob ") + name).name,
              std::string(name).substr(0, name[0] == 'a' ? 1 : 2));
  EXPECT_EQ(get<StartReply>("showstart a+").job, "a");
  EXPECT_EQ(why_not("checkjob a++"), "cannot locate job 'a++'");
  end_of_a(rm, minutes(6), 0);
  EXPECT_EQ(get<EndedJobReply>("checkjob a+").job.name, "a");
  rm.next.ended = {{"c+", JobState::completed, clock.time, 0}};
  engine().iterate([] {});
  EXPECT_EQ(get<EndedJobReply>("checkjob c+").job.name, "c+");
}

TEST_F(CompletedJobs, CheckjobSaysWithWhichLimitTheyWouldHaveStartedEarlier) {
  auto manager = std::make_unique<ScriptedRm>();
  ScriptedRm& rm = *manager;
  rm.next.nodes = {node_report("n1", procs(2, 512)), node_report("n2", procs(2, 1024))};
  run(std::move(manager));
  for (int i = 0; i < 8; ++i) engine().learn({"amy", {}, 1, hours(10)}, minutes(10), kNow);
  const auto asks = [](const std::string& name, int tasks, Seconds limit, const std::string& user) {
    JobReport made = report(name, tasks, user);
    made.request.limit = limit;
    return made;
  };
  const auto at = [&](Seconds after) {
    clock.time = kNow + after;
    engine().iterate([] {});
  };
  rm.next.arrived = {asks("runs", 3, hours(4), "bob")};
  at(Seconds(0));
  rm.next.arrived = {asks("first", 4, hours(1), "bob"), asks("long", 1, hours(10), "amy")};
  at(Seconds(1));
  ASSERT_TRUE(job("long").waiting());
  at(minutes(61));
  rm.next.ended = {{"runs", JobState::completed, kNow + hours(4), 0}};
  at(hours(4));
  rm.next.ended = {{"first", JobState::completed, kNow + hours(5), 0}};
  at(hours(5));
  ASSERT_TRUE(job("long").active());
  rm.next.ended = {{"long", JobState::completed, kNow + hours(5) + minutes(10), 0}};
  at(hours(5) + minutes(10));
  const CompletedRow row = get<CompletedQueueReply>("showq -c").jobs.back();
  ASSERT_EQ(row.name, "long");
  EXPECT_EQ(row.shorter_start, (kNow + minutes(61)).raw());
  EXPECT_GE(row.shorter_limit, 600);
  EXPECT_LE(row.shorter_limit, 3 * 3600);
  EXPECT_EQ(get<EndedJobReply>("checkjob long", "amy").job, row);
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

TEST_F(CompletedJobs, OrdinaryUsersSeeTheirOwnJobsAndNamesFilterThem) {
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
