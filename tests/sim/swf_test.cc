#include "sim/swf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include "maui/settings.h"
#include "sim/open_simulator.h"
#include "sim/trace_text.h"

namespace maui {
namespace {

using test::Folder;
using test::with;
using testing::ElementsAre;
using testing::HasSubstr;

// number submit wait run allocated cpu used requested time memory status user group exe queue ...
constexpr const char* kLine = "7 100 50 300 4 250 -1 8 600 2048 1 12 3 5 2 1 -1 -1";

SwfJob parsed(const std::string& line) {
  const auto job = parse_swf_record(line);
  EXPECT_TRUE(job) << line << "\n" << (job ? "" : job.error().what);
  return job ? *job : SwfJob{};
}

TEST(SwfTest, ProcessorsAreThoseRequestedOrElseThoseAllocated) {
  EXPECT_EQ(parsed(kLine).procs, 8);
  EXPECT_EQ(parsed(with(kLine, 8, "-1")).procs, 4);
}

TEST(SwfTest, WithoutATimeRequestedTheRunTimeIsTheLimit) {
  EXPECT_EQ(parsed(kLine).limit, 600);
  EXPECT_EQ(parsed(with(kLine, 9, "-1")).limit, 300);
}

TEST(SwfTest, ARunEndsAtTheTimeRequested) {
  EXPECT_EQ(parsed(with(kLine, 4, "900")).run_time, 600);
}

TEST(SwfTest, ARunThatIsCutUsesThatPartOfItsCpuTime) {
  EXPECT_DOUBLE_EQ(parsed(kLine).proc_seconds, 250 * 8);
  EXPECT_DOUBLE_EQ(parsed(with(with(kLine, 4, "900"), 6, "900")).proc_seconds, 600 * 8);
  EXPECT_DOUBLE_EQ(parsed(with(with(kLine, 4, "900"), 6, "-1")).proc_seconds, 600 * 8);
}

TEST(SwfTest, FractionsAreDropped) { EXPECT_EQ(parsed(with(kLine, 4, "300.75")).run_time, 300); }

TEST(SwfTest, MissingFieldsAtTheEndAreUnknown) {
  EXPECT_EQ(parsed("7 100 50 300 4 250 -1 8 600 2048 1").user, -1);
}

TEST(SwfTest, MemoryIsKilobytesAProcessorAndRoundedUp) {
  EXPECT_EQ(parsed(kLine).memory, 2);
  EXPECT_EQ(parsed(with(kLine, 10, "2049")).memory, 3);
  EXPECT_EQ(parsed(with(kLine, 10, "-1")).memory, 0);
}

TEST(SwfTest, EveryWrongFieldIsNamedWithWhatWasExpected) {
  struct Row {
    int field;
    const char *value, *message;
  };
  const Row rows[] = {
      {1, "x", "invalid field 1 (Job Number) 'x': expected a number, or -1"},
      {2, "-1", "invalid field 2 (Submit Time) '-1': expected seconds since the log began"},
      {4, "long", "invalid field 4 (Run Time) 'long': expected a number"},
      {9, "1e300", "invalid field 9 (Requested Time) '1e300': expected a number"},
      {12, "99999999999", "invalid field 12 (User) '99999999999': expected a number"},
  };
  for (const auto& row : rows) {
    const auto job = parse_swf_record(with(kLine, row.field, row.value));
    ASSERT_FALSE(job) << row.message;
    EXPECT_THAT(job.error().what, HasSubstr(row.message));
  }
  const auto no_procs = parse_swf_record(with(with(kLine, 5, "-1"), 8, "0"));
  ASSERT_FALSE(no_procs);
  EXPECT_EQ(no_procs.error().what,
            "invalid field 8 (Requested Processors) '0': expected a number of processors here or "
            "in field 5");
  EXPECT_EQ(parse_swf_record("1 2 3").error().what, "3 fields, expected 18");
}

SwfHeader header(std::initializer_list<const char*> lines) {
  SwfHeader made;
  for (const char* line : lines) parse_swf_header(line, made);
  return made;
}

TEST(SwfTest, TheMachineIsMaxNodesNodesThatShareMaxProcs) {
  const auto nodes = machine_of(header({"; MaxNodes: 1024", "; MaxProcs: 8192"}));
  ASSERT_TRUE(nodes);
  ASSERT_EQ(nodes->size(), 1024U);
  EXPECT_EQ(nodes->front().node.name, "n0001");
  EXPECT_EQ(nodes->back().node.name, "n1024");
  EXPECT_EQ(nodes->back().node.configured, Resources(8));
  EXPECT_TRUE(nodes->back().node.available());
}

TEST(SwfTest, NodesHaveOneProcessorIfEitherMaximumIsMissing) {
  for (const char* line : {"; MaxNodes: 100", ";MaxProcs:100 (of two kinds)"}) {
    const auto nodes = machine_of(header({line}));
    ASSERT_TRUE(nodes) << line;
    EXPECT_EQ(nodes->size(), 100U);
    EXPECT_EQ(nodes->front().node.configured, Resources(1));
  }
}

TEST(SwfTest, ProcessorsThatDoNotDivideGoToTheFirstNodes) {
  const auto nodes = machine_of(header({"; MaxNodes: 2", "; MaxProcs: 3"}));
  ASSERT_TRUE(nodes);
  EXPECT_EQ((*nodes)[0].node.configured.procs(), 2);
  EXPECT_EQ((*nodes)[1].node.configured.procs(), 1);
}

TEST(SwfTest, AMachineThatTheHeaderDoesNotDescribeIsRefused) {
  EXPECT_THAT(machine_of({}).error().what, HasSubstr("neither MaxNodes nor MaxProcs"));
  EXPECT_THAT(machine_of(header({"; MaxNodes: 5", "; MaxProcs: 3"})).error().what,
              HasSubstr("MaxNodes 5 and MaxProcs 3"));
}

TEST(SwfTest, JobsAreNamedByNumberAndTimesCountFromTheStartOfTheLog) {
  const auto report = report_of(parsed(kLine), header({"; UnixStartTime: 843480031"}), {});
  EXPECT_EQ(report.name, "7");
  EXPECT_EQ(report.user, "u12");
  EXPECT_EQ(report.group, "g3");
  EXPECT_EQ(report.job.executable, "app5");
  EXPECT_EQ(report.job.submitted, Time(843480131));
  EXPECT_EQ(report.request.requirements.front().tasks, 8);
  EXPECT_EQ(report.job.recorded->run_time, Seconds(300));
}

TEST(SwfTest, ClassAndMemoryCountOnlyWhereNodesHaveThem) {
  const auto plain = report_of(parsed(kLine), {}, {});
  EXPECT_EQ(plain.job_class, "");
  EXPECT_EQ(plain.request.requirements.front().memory, Bound{});
  const SwfMachine machine{.memory = true, .classes = {"q2"}, .access = NodeAccess::shared};
  const auto full = report_of(parsed(kLine), {}, machine);
  EXPECT_EQ(full.job_class, "q2");
  EXPECT_EQ(full.request.requirements.front().memory, (Bound{Comparison::at_least, 2}));
  EXPECT_EQ(full.request.access.usual, NodeAccess::shared);
}

TEST(SwfTest, UnknownUsersHaveAName) {
  EXPECT_EQ(report_of(parsed(with(kLine, 12, "-1")), {}, {}).user, "unknown");
}

TEST(SwfTest, UnsortedLogsAreSortedAndJobsOfOneTimeKeepTheirOrder) {
  const Folder folder;
  const auto path =
      folder.write("log.swf", {"; MaxProcs: 10", with(kLine, 1, "3"), with(kLine, 1, "1"),
                               with(with(kLine, 1, "2"), 2, "50"), with(kLine, 1, "4")});
  TraceSummary summary;
  const auto log = read_swf(path, summary);
  ASSERT_TRUE(log);
  std::vector<std::int64_t> order;
  for (const auto& job : log->jobs) order.push_back(job.number);
  EXPECT_THAT(order, ElementsAre(2, 3, 1, 4));
}

std::string waits_of(const SwfLog& log) {
  std::string text;
  for (const auto& job : log.jobs) {
    const auto report = report_of(job, log.header, {});
    text += report.name + ":";
    for (const auto& dependency : report.job.dependencies) {
      EXPECT_EQ(dependency.kind, DependencyKind::after_any);
      text += dependency.job;
    }
    text += " ";
  }
  return text;
}

TEST(SwfTest, AJobWaitsForTheEndOfThePrecedingJob) {
  const Folder folder;
  const auto follows = [](const char* number, const char* submit, const char* preceding) {
    return with(with(with(kLine, 1, number), 2, submit), 17, preceding);
  };
  const auto path =
      folder.write("log.swf", {"; MaxProcs: 10", follows("1", "10", "-1"), follows("2", "20", "1"),
                               follows("3", "30", "9"),  // which is not in the log
                               follows("4", "40", "5"),  // which comes later
                               follows("5", "50", "5"),  // itself
                               with(follows("6", "60", "-1"), 8, "99"), follows("7", "70", "6")});
  TraceSummary summary;
  auto log = read_swf(path, summary);
  ASSERT_TRUE(log);
  EXPECT_EQ(waits_of(*log), "1: 2:1 3: 4: 5: 6: 7:6 ");
  ASSERT_TRUE(drop_oversized(*log, 10, path, summary));
  EXPECT_EQ(waits_of(*log), "1: 2:1 3: 4: 5: 7: ") << "nobody waits for a job that is left out";
}

TEST(SwfTest, BadLinesAreReportedAndJobsThatNeverRanAreCounted) {
  const Folder folder;
  const auto path = folder.write(
      "log.swf", {"; MaxProcs: 10", kLine, kLine, "1 2 x", with(with(kLine, 1, "8"), 4, "0")});
  TraceSummary summary;
  ASSERT_TRUE(read_swf(path, summary));
  EXPECT_EQ(summary.bad_lines, 2);
  EXPECT_EQ(summary.skipped_jobs, 1);
  EXPECT_EQ(summary.skipped_because["never ran"].names(), "8");
  EXPECT_THAT(summary.problems,
              ElementsAre(HasSubstr(path + ":3: field 1 (Job Number): '7' occurs twice"),
                          HasSubstr(path + ":4: 3 fields, expected 18")));
}

TEST(SwfTest, NamesTheFirstOfManySkippedJobs) {
  TraceSummary summary;
  for (int job = 1; job <= 5; ++job) summary.skip("never ran", std::to_string(job));
  EXPECT_EQ(summary.skipped_because["never ran"].names(), "1, 2, 3, 4, 5");
  summary.skip("never ran", "6");
  summary.skip("had not ended", "7");
  EXPECT_EQ(summary.skipped_because["never ran"].names(), "1, 2, 3, 4, 5 and 1 more");
  EXPECT_EQ(summary.skipped_jobs, 7);
}

TEST(SwfTest, ALineThatDoesNotEndIsNotReadOn) {
  const Folder folder;
  const auto path = folder.write("log.swf", {"; MaxProcs: 10", kLine});
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);  // a hole
  TraceSummary summary;
  ASSERT_TRUE(read_swf(path, summary));
  EXPECT_TRUE(summary.damaged);
  EXPECT_THAT(summary.problems, ElementsAre(HasSubstr(path + ":3: this line is longer than")));
}

TEST(SwfTest, APipeIsRefusedSinceItCanBeReadOnceOnly) {
  const Folder folder;
  const auto path = folder.path() + "/pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  TraceSummary summary;
  const auto log = read_swf(path, summary);
  ASSERT_FALSE(log);
  EXPECT_THAT(log.error().what, HasSubstr("expected a file"));
}

struct OpenSwfTest : testing::Test {
  Result<std::unique_ptr<Simulator>> open(const std::string& file) {
    settings.simulation.resource_trace = "[NONE]";
    settings.simulation.workload_trace = file;
    return open_simulator(settings, folder.path(), summary);
  }
  Folder folder;
  Settings settings;
  TraceSummary summary;
};

TEST_F(OpenSwfTest, JobsLargerThanTheMachineAreReportedAndSkipped) {
  const auto path = folder.write(
      "log.swf", {"; MaxProcs: 10", kLine, "", "; more", with(with(kLine, 1, "8"), 8, "11")});
  ASSERT_TRUE(open("log.swf"));
  EXPECT_EQ(summary.jobs, 1);
  EXPECT_EQ(summary.skipped_jobs, 1);
  EXPECT_EQ(summary.bad_lines, 0);
  EXPECT_THAT(summary.problems,
              ElementsAre(path + ":5: field 8 (Requested Processors): job 8 requests 11, expected "
                                 "at most the 10 processors of the machine; skipped"));
}

TEST_F(OpenSwfTest, TheNodesLeftBySimNodeCountAreTheMachine) {
  folder.write("log.swf", {"; MaxProcs: 10", kLine, with(with(kLine, 1, "8"), 8, "2")});
  settings.simulation.node_count = 4;
  ASSERT_TRUE(open("log.swf"));
  EXPECT_EQ(summary.nodes, 4);
  EXPECT_EQ(summary.jobs, 2) << "the job of 8 waits: the machine of the log could run it";
  EXPECT_EQ(summary.skipped_jobs, 0);
}

TEST_F(OpenSwfTest, AJobIsLeftOutIfNeitherTheHeaderNorTheListedMachineHasRoom) {
  const auto of = [](const char* number, const char* procs) {
    return with(with(kLine, 1, number), 8, procs);
  };
  const std::vector<std::string> nodes{test::node_line("n1"), test::node_line("n2")};
  const ReplayFiles files{
      {folder.write("log.swf", {"; MaxProcs: 3", of("1", "3"), of("2", "4"), of("3", "5")})},
      folder.write("nodes", nodes)};
  Settings one;
  one.simulation.node_count = 1;
  for (const Settings& chosen : {Settings{}, one}) {
    summary = {};
    const auto opened = open_simulator(chosen, files, summary);
    ASSERT_TRUE(opened) << opened.error().what;
    EXPECT_EQ(summary.jobs, 2) << "both nodes together have 4 processors";
    EXPECT_EQ(summary.skipped_because["requested more processors than the machine has"].names(),
              "3");
  }
  folder.write("log.swf", {of("1", "3"), of("2", "99")});
  summary = {};
  ASSERT_TRUE(open_simulator(Settings{}, files, summary));
  EXPECT_EQ(summary.jobs, 2) << "without a header, the log has no machine of its own";
}

struct ThinkTimeTest : OpenSwfTest {
  // Job 1 is submitted at 10, job 2 a think time of 50 s after its end, job 3 at 100.
  void SetUp() override {
    const auto line = [](const char* number, const char* submit) {
      return with(with(kLine, 1, number), 2, submit);
    };
    folder.write("log.swf", {"; MaxProcs: 10", line("1", "10"),
                             with(with(line("2", "20"), 17, "1"), 18, "50"), line("3", "100")});
    settings.simulation.submission = SubmissionPolicy::normal;
  }
  std::unique_ptr<Simulator> opened() {
    auto simulator = open("log.swf");
    EXPECT_TRUE(simulator);
    return *std::move(simulator);
  }
  // Returns who comes, and who ends, as "2@430 1 ended".
  static std::string reported(Simulator& simulator, std::int64_t now) {
    std::string text;
    simulator.poll(Cluster(), Time(now), [&](Result<Update> update) {
      for (const auto& job : update->arrived)
        text += job.name + "@" + std::to_string(job.job.submitted.raw()) + " ";
      for (const auto& end : update->ended) text += end.name + " ended ";
      if (update->exhausted) text += "no more";
    });
    return text;
  }
  static void start(Simulator& simulator, const char* name, std::int64_t now) {
    Job job;
    job.name = name;
    simulator.start(job, Cluster(), Time(now), [](Status) {});
  }
};

TEST_F(ThinkTimeTest, AJobArrivesItsThinkTimeAfterThePrecedingJobEnds) {
  const auto simulator = opened();
  EXPECT_EQ(reported(*simulator, 10), "1@10 ");
  start(*simulator, "1", 80);
  EXPECT_EQ(reported(*simulator, 100), "3@100 no more") << "no other comes, unless somebody thinks";
  EXPECT_EQ(reported(*simulator, 380), "1 ended ");
  EXPECT_EQ(simulator->next_event(), Time(430));
  EXPECT_EQ(reported(*simulator, 440), "2@430 no more");
}

TEST_F(ThinkTimeTest, AJobWhosePrecedingJobNeverEndsIsNeverSubmitted) {
  const auto simulator = opened();
  reported(*simulator, 10);
  EXPECT_THAT(simulator->never_submitted(), ElementsAre("2"));
  start(*simulator, "1", 80);
  reported(*simulator, 380);
  EXPECT_THAT(simulator->never_submitted(), testing::IsEmpty()) << "it will be";
}

TEST_F(ThinkTimeTest, AJobArrivesEarlierIfThePrecedingJobEndsEarlier) {
  folder.write("log.swf", {"; MaxProcs: 10", with(with(kLine, 1, "1"), 2, "10"),
                           with(with(with(with(kLine, 1, "2"), 2, "9000"), 17, "1"), 18, "0")});
  const auto simulator = opened();
  reported(*simulator, 10);
  start(*simulator, "1", 10);
  EXPECT_EQ(reported(*simulator, 310), "2@310 1 ended no more");
}

TEST_F(ThinkTimeTest, AConstantDepthIsKeptByTheOthers) {
  settings.simulation.submission = SubmissionPolicy::constant_job_depth;
  settings.simulation.initial_queue_depth = 2;
  const auto simulator = opened();
  EXPECT_EQ(simulator->start_time(), Time(100));
  EXPECT_EQ(reported(*simulator, 100), "1@100 3@100 no more");
}

TEST_F(ThinkTimeTest, AJobThatIsCancelledInTheQueueIsThoughtAbout) {
  const auto simulator = opened();
  reported(*simulator, 10);
  Job job;
  job.name = "1";
  simulator->cancel(job, CancelCause::asked, Time(60), [](Status) {});
  EXPECT_EQ(reported(*simulator, 100), "3@100 ");
  EXPECT_EQ(reported(*simulator, 110), "2@110 no more");
}

TEST_F(OpenSwfTest, FailsWhenNoJobRemains) {
  folder.write("log.swf", {"; MaxProcs: 4", kLine});
  const auto simulator = open("log.swf");
  ASSERT_FALSE(simulator);
  EXPECT_THAT(simulator.error().what, HasSubstr("no usable job record"));
}

TEST_F(OpenSwfTest, DamagedCompressionIsReported) {
  std::filesystem::copy_file(MAUI_TEST_DATA "/kth_excerpt.swf.gz", folder.path() + "/cut.swf.gz");
  std::filesystem::resize_file(folder.path() + "/cut.swf.gz", 20000);
  ASSERT_TRUE(open("cut.swf.gz"));
  EXPECT_GE(summary.bad_lines, 1);
  EXPECT_THAT(summary.problems.back(), HasSubstr("unexpected end of file"));
}

TEST_F(OpenSwfTest, ALastLineShorterThanThePreviousLineIsTruncated) {
  const std::string whole = "1 0 -1 10 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1\n";
  const auto damaged = [&](const std::string& text) {
    std::ofstream(folder.path() + "/log.swf") << "; MaxProcs: 4\n" << text;
    summary = {};
    EXPECT_TRUE(open("log.swf")) << text;
    EXPECT_EQ(summary.jobs, summary.damaged || text == whole ? 1 : 2) << text;
    return summary.damaged;
  };
  EXPECT_TRUE(damaged(whole + "2 0 -1 10 1 -1 -1 1 60 -1 1"));
  EXPECT_THAT(summary.problems.front(),
              HasSubstr("log.swf:3: 11 fields, expected 18; the file ends within this line"));
  EXPECT_TRUE(damaged(whole + "2 0 -1 10 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1"));
  EXPECT_FALSE(damaged(whole + "2 0 -1 10 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1"));
  EXPECT_FALSE(damaged(whole + "2 0 -1 10 1 -1 -1 1 60 -1 1\n"));
  EXPECT_FALSE(damaged("1 0 -1 10 1 -1 -1 1 60 -1 1\n2 0 -1 10 1 -1 -1 1 60 -1 1"));
  EXPECT_FALSE(damaged(whole));
}

TEST_F(OpenSwfTest, ReportsClassesThatNoNodeOffersIfClassesAreKept) {
  folder.write("log.swf", {"; MaxProcs: 4", "1 0 -1 10 1 -1 -1 1 60 -1 1 1 1 -1 2 -1 -1 -1",
                           "2 0 -1 10 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1"});
  ReplayFiles files{{folder.path() + "/log.swf"}, {}, 0, false};
  ASSERT_TRUE(open_simulator(Settings{}, files, summary));
  EXPECT_THAT(summary.unoffered_classes, testing::IsEmpty());
  files.keep_classes = true;
  ASSERT_TRUE(open_simulator(Settings{}, files, summary));
  EXPECT_THAT(summary.unoffered_classes, testing::ElementsAre(testing::Pair("1", "q2")));
  files.machine = folder.write("nodes", {test::with(test::node_line(), 16, "[q2:2]")});
  summary = {};
  ASSERT_TRUE(open_simulator(Settings{}, files, summary));
  EXPECT_THAT(summary.unoffered_classes, testing::IsEmpty());
}

TEST_F(OpenSwfTest, ReadsACompressedLog) {
  ASSERT_TRUE(open(MAUI_TEST_DATA "/kth_excerpt.swf.gz"));
  EXPECT_EQ(summary.jobs, 3000);
  EXPECT_EQ(summary.nodes, 100);
  EXPECT_THAT(summary.problems, testing::IsEmpty());
}

}  // namespace
}  // namespace maui
