// What commands say of run times that were learned: never in place of what limits promise.
#include "cmd/command_fixture.h"

namespace maui::test {
namespace {

class Expectations : public CommandTest {
 protected:
  /// Amy's jobs of four processors have run for ten minutes of an hour.  Then her job "a" starts,
  /// and "b" of bob waits for it.
  void begin() {
    auto manager = std::make_unique<ScriptedRm>();
    ScriptedRm& rm = *manager;
    rm.next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
    run(std::move(manager));
    for (int i = 0; i < 8; ++i) engine().learn({"amy", {}, 4, hours(1)}, minutes(10), kNow);
    rm.next.arrived = {report("a", 4, "amy"), report("b", 2, "bob")};
    engine().iterate([] {});
  }
};

constexpr std::int64_t kThen = kNow.raw();

TEST_F(Expectations, CheckjobTellsWhenARunningJobIsExpectedToEnd) {
  begin();
  const auto expected = get<JobReply>("checkjob a").expected_end;
  ASSERT_TRUE(expected);
  EXPECT_EQ(expected->end, kThen + 600);
  EXPECT_EQ(expected->similar, 8);
  EXPECT_LE(expected->earliest, expected->end);
  EXPECT_GE(expected->latest, expected->end);
  EXPECT_LE(expected->latest, kThen + 3600);
  EXPECT_EQ(get<ActiveQueueReply>("showq -r").jobs.at(0).expected_end, expected);
}

TEST_F(Expectations, AnEndThatIsExpectedIsNeverPast) {
  begin();
  clock.time = kNow + minutes(30);
  EXPECT_GE(get<JobReply>("checkjob a").expected_end->end, kThen + 1800);
}

TEST_F(Expectations, ShowstartTellsTheStartThatIsExpectedBesideTheOneThatIsPromised) {
  begin();
  const auto start = get<StartReply>("showstart b");
  EXPECT_EQ(start.start, kThen + 3600);
  EXPECT_EQ(start.expected_start, kThen + 600);
  EXPECT_EQ(start.promised_start, kThen + 3600);
  EXPECT_EQ(get<JobReply>("checkjob b").promised_start, kThen + 3600);
}

TEST_F(Expectations, WhereNoSimilarJobIsKnownNothingIsExpected) {
  EXPECT_FALSE(get<JobReply>("checkjob a").expected_end);
}

TEST_F(Expectations, WhereNothingIsLearnedNothingIsSaid) {
  settings.learning.use = LearningUse::none;
  begin();
  EXPECT_FALSE(get<JobReply>("checkjob a").expected_end);
  EXPECT_EQ(get<StartReply>("showstart b").expected_start, -1);
  EXPECT_EQ(get<StartReply>("showstart b").promised_start, -1);
}

}  // namespace
}  // namespace maui::test
