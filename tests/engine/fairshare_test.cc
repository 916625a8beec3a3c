// The engine keeps account of what credentials use (guide 6.3.2).
#include <random>

#include "engine/accounts/fairshare_ledger.h"
#include "engine/accounts/fairshare_text.h"
#include "engine/engine_fixture.h"

namespace maui {
namespace {

using test::hours;
using test::kNow;

constexpr auto kUser = CredentialKind::user;

class FairshareTest : public test::EngineTest {
 protected:
  FairshareTest() {
    settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
    settings.fairshare.interval = hours(1);
  }
  /// Returns what "user", to whom the jobs belong, is charged in all windows together.
  double charged() {
    double sum = 0;
    for (const auto& window : engine().fairshare().windows)
      if (!window.used[kUser].empty()) sum += window.used[kUser][0];
    return sum;
  }
  void run(const std::string& name, int tasks) {
    begin({test::job_report(name, tasks)});
    core_starts(name, "n1", tasks);
    iterate();
    core = {};
  }
};

// After the clock was set back, files that are as old as the checkpoint are not ahead of it.
TEST(FairshareLedgerTest, ACheckpointIsComparedWithFilesByTheClockAsItStood) {
  const Seconds set_back{24 * 3600};
  FairshareHistory files, checkpoint;
  files.complete_until = kNow;
  checkpoint.complete_until = kNow - set_back;
  FairshareLedger ledger;
  ledger.begin(files);
  EXPECT_TRUE(ledger.resume(checkpoint, {}, true, {}, Seconds(0) - set_back, kNow));
  ledger.begin(files);
  EXPECT_FALSE(ledger.resume(checkpoint, {}, true, {}, Seconds(0), kNow))
      << "the files are a day newer";
}

TEST_F(FairshareTest, AnActiveJobIsChargedEachIteration) {
  run("a", 2);
  EXPECT_EQ(charged(), 0);
  iterate(Seconds(60));
  EXPECT_EQ(charged(), 120);
  iterate(Seconds(90));
  EXPECT_EQ(charged(), 180);
  EXPECT_EQ(cluster().fairshare_use.of(kUser, 0), 100);
}

TEST_F(FairshareTest, WindowsWithoutEndAreCharged) {
  settings.fairshare.interval = kUnlimited;
  settings.fairshare.depth = 10;
  run("a", 2);
  iterate(Seconds(60));
  EXPECT_EQ(charged(), 120);
  EXPECT_FALSE(engine().at_rest());
}

TEST_F(FairshareTest, AJobIsChargedUntilItEndedAndNotUntilThatWasFound) {
  run("a", 2);
  iterate(Seconds(60));
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(75)}};
  iterate(Seconds(120));
  EXPECT_EQ(charged(), 150);
}

TEST_F(FairshareTest, ChargesBeyondTheEndAreRefunded) {
  run("a", 2);
  iterate(Seconds(60));
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(20)}};
  iterate(Seconds(120));
  EXPECT_EQ(charged(), 40);
}

TEST_F(FairshareTest, AJobIsChargedFromWhenItRunsAndNotFromItsStart) {
  rm().reports_starts = true;
  run("a", 2);
  iterate(Seconds(60));
  rm().next.statuses = {{"a", JobState::running}};
  rm().next.statuses.front().started = kNow + Seconds(50);
  iterate(Seconds(90));
  EXPECT_EQ(charged(), 80);
}

// A resource manager may tell rubbish; the scheduler is not to be kept busy by it.
TEST_F(FairshareTest, ARunThatBeganLongAgoIsChargedOnlyInTheWindowsThatCount) {
  settings.fairshare.interval = hours(24);
  JobReport old = test::job_report("a", 2);
  old.job.state = JobState::running;
  old.job.started = Time(1);
  old.task_list = {"n1", "n1"};
  begin({old});
  const int most = settings.fairshare.depth;
  EXPECT_LE(listener.windows_reported, most);
  EXPECT_GT(charged(), 2 * 24 * 3600);
  rm().next.ended = {{"a", JobState::completed, Time(5)}};
  iterate(Seconds(60));
  EXPECT_LE(listener.windows_reported, 2 * most);
  EXPECT_EQ(charged(), 0);
}

// It was charged meanwhile, in the windows that have been.
TEST_F(FairshareTest, ASuspensionThatIsToldLateIsRefundedInWindowsThatWereCharged) {
  run("a", 2);
  iterate(hours(5) - Seconds(1));
  rm().next.statuses = {{.name = "a", .suspended_time = hours(2)}};
  iterate(hours(5));
  EXPECT_EQ(charged(), 2 * 3 * 3600);
  for (const auto& window : engine().fairshare().windows) {
    EXPECT_LE(window.start, clock.time);
    EXPECT_GE(window.total, 0);
  }
}

TEST_F(FairshareTest, WindowsOfTheFutureAreWrittenOnceAfterTheClockWasSetBack) {
  run("a", 2);
  iterate(hours(5));
  clock.time = clock.time - hours(4);
  engine().clock_stepped(Seconds(0) - hours(4));
  listener.windows_reported = 0;
  engine().iterate([] {});
  EXPECT_EQ(listener.windows_reported, 5);
  for (int i = 0; i < 3; ++i) {
    clock.time = clock.time + Seconds(1);
    engine().iterate([] {});
  }
  EXPECT_EQ(listener.windows_reported, 5 + 3);
}

TEST_F(FairshareTest, AStartThatIsRefusedIsNotCharged) {
  rm().answers_later = true;
  begin({test::job_report("a", 2)});
  rm().answer_all();
  core_starts("a", "n1", 2);
  iterate();
  rm().refuses_starts = "no";
  rm().answer_all();
  rm().answer_all();
  EXPECT_EQ(charged(), 0);
}

TEST_F(FairshareTest, AWindowIsRolledAtItsBoundary) {
  const Time start(kNow.raw() - kNow.raw() % 3600);
  run("a", 1);
  const Seconds to_boundary = start + hours(1) - kNow;
  iterate(to_boundary + Seconds(100));
  const auto& windows = engine().fairshare().windows;
  ASSERT_EQ(windows.size(), 2U);
  EXPECT_EQ(windows[0].start, start + hours(1));
  EXPECT_EQ(windows[0].total, 100);
  EXPECT_EQ(windows[1].start, start);
  EXPECT_EQ(windows[1].total, static_cast<double>(to_boundary.raw()));
}

TEST_F(FairshareTest, EarlierUseIsNotChargedAgain) {
  FairshareHistory known;
  known.complete_until = kNow + Seconds(30);
  FairshareWindow window;
  window.start = Time(kNow.raw() - kNow.raw() % 3600);
  window.length = hours(1);
  window.total = 1000;
  window.used[kUser] = {1000};
  known.windows.push_back(window);
  engine().begin_fairshare(known);
  run("a", 2);
  iterate(Seconds(60));
  EXPECT_EQ(charged(), 1000 + 2 * 30);
}

TEST_F(FairshareTest, AnotherMetricCountsProcessorEquivalents) {
  settings.fairshare.metric = FairshareMetric::dedicated_pe_seconds;
  auto report = test::job_report("a", 1);
  report.request.requirements.front().per_task = Resources(1, 512);
  begin({});
  rm().next.nodes = {test::node_report("n1", Resources(2, 512)),
                     test::node_report("n2", Resources(2, 512))};
  rm().next.arrived = {report};
  iterate();
  core_starts("a", "n1", 1);
  iterate();
  iterate(Seconds(60));
  EXPECT_EQ(charged(), 2 * 60) << "half of the memory stands for two of four processors";
}

// USEMACHINESPEEDFORFS: two processors of a node that is three times as fast.
TEST_F(FairshareTest, UseCountsTimesTheSpeedOfItsNodesWhereThatIsAskedFor) {
  settings.fairshare.machine_speed = true;
  begin({});
  auto fast = test::node_report("n1", test::procs(2));
  fast.node.speed = 3;
  rm().next.nodes = {fast};
  rm().next.arrived = {test::job_report("a", 2)};
  iterate();
  core_starts("a", "n1", 2);
  iterate();
  iterate(Seconds(60));
  EXPECT_EQ(charged(), 3 * 2 * 60);
}

TEST_F(FairshareTest, UtilisedUseIsTheRecordedUse) {
  settings.fairshare.metric = FairshareMetric::utilised_proc_seconds;
  auto report = test::job_report("sleep", 2);
  report.job.recorded = RecordedRun{Seconds(1000), 500};
  begin({report});
  core_starts("sleep", "n1", 2);
  iterate();
  iterate(Seconds(60));
  EXPECT_EQ(charged(), 30);
}

TEST_F(FairshareTest, UtilisedUseIsTheReportedCpuTime) {
  settings.fairshare.metric = FairshareMetric::utilised_proc_seconds;
  run("a", 2);
  const auto report_use = [&](double cpu_seconds, std::int64_t at) {
    rm().next.statuses = {{.name = "a", .use = JobUse{0, 0, 0, 0, cpu_seconds}}};
    iterate(Seconds(at));
  };
  iterate(Seconds(30));
  EXPECT_DOUBLE_EQ(charged(), 60) << "nothing is told yet";
  iterate(Seconds(40));
  report_use(70, 60);
  EXPECT_DOUBLE_EQ(charged(), 80) << "what was charged too much counts for what follows";
  report_use(120, 80);
  EXPECT_DOUBLE_EQ(charged(), 120);
  report_use(130, 100);
  EXPECT_DOUBLE_EQ(charged(), 130);
  report_use(130, 200);
  EXPECT_DOUBLE_EQ(charged(), 130) << "it does nothing";
}

TEST_F(FairshareTest, CpuTimeThatIsReportedAfterTheRunWasChargedCounts) {
  settings.fairshare.metric = FairshareMetric::utilised_proc_seconds;
  run("a", 2);
  rm().next.statuses = {{.name = "a", .use = JobUse{.cpu_seconds = 70}}};
  iterate(Seconds(60));
  EXPECT_DOUBLE_EQ(charged(), 70);
  rm().next.statuses = {{.name = "a", .use = JobUse{.cpu_seconds = 80}}};
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(60)}};
  iterate(Seconds(90));
  EXPECT_DOUBLE_EQ(charged(), 80);
}

TEST_F(FairshareTest, WhatWasChargedTooMuchIsRefundedAtTheEnd) {
  settings.fairshare.metric = FairshareMetric::utilised_proc_seconds;
  run("a", 2);
  iterate(Seconds(30));
  EXPECT_DOUBLE_EQ(charged(), 60) << "nothing is told yet";
  rm().next.statuses = {{.name = "a", .use = JobUse{.cpu_seconds = 10}}};
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(30)}};
  iterate(Seconds(40));
  EXPECT_DOUBLE_EQ(charged(), 10);
}

TEST_F(FairshareTest, AJobThatHasMeasurablyUsedNothingIsChargedNothing) {
  settings.fairshare.metric = FairshareMetric::utilised_proc_seconds;
  run("a", 2);
  rm().next.statuses = {{.name = "a", .use = JobUse{.cpu_seconds = 0}}};
  iterate(Seconds(60));
  EXPECT_DOUBLE_EQ(charged(), 0);
}

TEST_F(FairshareTest, WithoutAPolicyUseIsKeptAndDecidesNothing) {
  settings.fairshare.metric = FairshareMetric::none;
  settings.fairshare.depth = 10;
  run("a", 2);
  iterate(Seconds(3599));
  EXPECT_EQ(charged(), 0) << "once an hour will do";
  iterate(hours(1));
  EXPECT_EQ(charged(), 2 * 3600);
  rm().next.ended = {{"a", JobState::completed, kNow + hours(1) + Seconds(40)}};
  iterate(hours(1) + Seconds(60));
  EXPECT_EQ(charged(), 2 * 3640) << "to its very end";
  EXPECT_TRUE(cluster().fairshare_use.of(kUser, 0) == 0);
  settings.fairshare.metric = FairshareMetric::dedicated_proc_seconds;
  engine().set_settings(settings);
  iterate(hours(1) + Seconds(120));
  EXPECT_EQ(cluster().fairshare_use.of(kUser, 0), 100) << "what was kept counts from now on";
}

// A window without a file is forgotten at a restart.
TEST_F(FairshareTest, WithoutAPolicyANewWindowIsWrittenAtOnceAndThenOnceAnHour) {
  settings.fairshare.metric = FairshareMetric::none;
  settings.fairshare.depth = 10;
  run("a", 2);
  rm().next.ended = {{"a", JobState::completed, kNow + Seconds(40)}};
  iterate(Seconds(60));
  EXPECT_EQ(listener.windows_reported, 1);
  EXPECT_EQ(charged(), 2 * 40);
  rm().next.arrived = {test::job_report("b", 2)};
  core_starts("b", "n1", 2);
  iterate(Seconds(120));
  rm().next.ended = {{"b", JobState::completed, kNow + Seconds(150)}};
  iterate(Seconds(180));
  EXPECT_EQ(charged(), 2 * 40 + 2 * 30);
  EXPECT_EQ(listener.windows_reported, 1);
}

TEST_F(FairshareTest, ChargesSumToTheRunTimeWhateverThePolls) {
  std::mt19937 random(3);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  settings.fairshare.interval = Seconds(300);
  settings.fairshare.depth = 100;
  int at = 0;
  double expected = 0;
  begin({});
  for (int job = 0; job < 40; ++job) {
    const auto name = "j" + std::to_string(job);
    rm().next.arrived = {test::job_report(name, 2)};
    iterate(Seconds(at += pick(0, 50)));
    core_starts(name, "n1", 2);
    iterate(Seconds(at));
    core = {};
    const int start = at;
    for (int polls = pick(0, 4); polls > 0; --polls) iterate(Seconds(at += pick(1, 200)));
    const int end = pick(start, at + 30);
    rm().next.ended = {{name, JobState::completed, kNow + Seconds(end)}};
    at = std::max(at, end) + pick(0, 20);
    iterate(Seconds(at));
    expected += 2.0 * (end - start);
    ASSERT_NEAR(charged(), expected, 1e-6) << "after " << name;
  }
}

// Guide 6.3.2.
constexpr std::string_view kSample =
    R"(# Fairshare Data File (Duration: 172800 Seconds) Starting: Fri Aug 18 18:00:00

User          USERA    150000.000
User          USERB    150000.000
User          USERC    200000.000
User          USERD    100000.000
Group         GROUPA   350000.000
Group         GROUPB   250000.000
Account       ACCTA    300000.000
Account       ACCTB    200000.000
Account       ACCTC    100000.000
QOS           0        50000.000
QOS           1        450000.000
QOS           2        100000.000
TOTAL                            600000.00
)";

double sum(const std::vector<double>& all) {
  double result = 0;
  for (const double value : all) result += value;
  return result;
}

TEST(FairshareText, TheSampleOfTheGuideIsRead) {
  Cluster names;
  const auto file = read_fairshare_text(kSample, Time(172800), hours(1), names);
  EXPECT_TRUE(file.problems.empty());
  EXPECT_EQ(file.window.length, Seconds(172800));
  EXPECT_EQ(file.window.total, 600000);
  for (const auto kind :
       {CredentialKind::user, CredentialKind::group, CredentialKind::account, CredentialKind::qos})
    EXPECT_EQ(sum(file.window.used[kind]), 600000);
  EXPECT_EQ(file.window.used[kUser][names.users.find("USERC").index()], 200000);
  EXPECT_EQ(file.window.used[CredentialKind::qos][names.qos.find("1").index()], 450000);
}

TEST(FairshareText, WrittenWindowsReadBack) {
  Cluster names;
  auto first = read_fairshare_text(kSample, Time(172800), hours(1), names);
  first.window.used[CredentialKind::job_class].resize(names.classes.intern("batch").index() + 1, 5);
  const auto text = fairshare_text(names, first.window, Time(200000));
  const auto again = read_fairshare_text(text, Time(172800), hours(1), names);
  EXPECT_EQ(again.window, first.window) << text;
  EXPECT_EQ(again.complete_until, Time(200000));
}

TEST(FairshareText, FilesOfRelease33AreRead) {
  Cluster names;
  const auto file = read_fairshare_text(
      "# FS Data File (Duration:   3600 seconds)  Starting: Sun Sep  9 03:00:40\n\n"
      "user                   eve    25680.000\nacct                 proj1    86220.000\n"
      "class                batch   144600.000\nsched                batch   176700.000\n",
      Time(1000000800), hours(12), names);
  EXPECT_TRUE(file.problems.empty());
  EXPECT_EQ(file.window.length, hours(1));
  EXPECT_EQ(file.window.total, 176700);
  EXPECT_EQ(file.window.used[CredentialKind::account][0], 86220);
  EXPECT_EQ(file.complete_until, Time(-1));
}

TEST(FairshareText, ALineThatSaysNothingIsNamedAndPassedOver) {
  Cluster names;
  const auto file =
      read_fairshare_text("User amy x\nUser amy 7\nnonsense\n", Time(0), hours(1), names);
  ASSERT_EQ(file.problems.size(), 2U);
  EXPECT_TRUE(file.problems[0].starts_with("line 1: expected User"));
  EXPECT_EQ(file.window.used[kUser][0], 7);
}

}  // namespace
}  // namespace maui
