#include "sim/workload_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/trace_text.h"

namespace maui {
namespace {

using test::Folder;
using test::job_line;
using test::with;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// The sample line of guide 16.3.1.
constexpr const char* kGuideJob =
    "SP02.2343.0 20 20 570 519 86400 Removed [batch:1] 887343658 889585185 889585185 889585411 "
    "ethernet R6000 AIX43 >= 256 >= 0 [NONE] 889584538 20 0 0 2 0 test.cmd 1001 6 678.08 0 1 0 0 0 "
    "0 0 [NONE] 0 [NONE] [NONE] [NONE] [NONE] [NONE]";

WorkloadRecord parsed_record(const std::string& line) {
  auto record = parse_workload_record(line, NodeAccess::shared);
  EXPECT_TRUE(record) << line << "\n" << (record ? "" : record.error().what);
  return record ? *record : WorkloadRecord{};
}

const Requirement& first(const WorkloadRecord& record) {
  return record.report.request.requirements.front();
}

TEST(WorkloadTraceTest, ReadsTheGuidesSample) {
  const auto record = parsed_record(kGuideJob);
  const JobReport& report = record.report;
  EXPECT_EQ(report.name, "SP02.2343.0");
  EXPECT_EQ(report.user, "570");
  EXPECT_EQ(report.group, "519");
  EXPECT_EQ(report.job_class, "batch");
  EXPECT_EQ(record.final_state, JobState::removed);
  EXPECT_EQ(report.request.limit, Seconds(86400));
  EXPECT_EQ(report.job.submitted, Time(887343658));
  EXPECT_EQ(report.job.recorded->run_time, Seconds(226));
  EXPECT_DOUBLE_EQ(report.job.recorded->proc_seconds, 678.08);
  EXPECT_EQ(first(record).tasks, 20);
  EXPECT_EQ(first(record).nodes, 20);
  EXPECT_EQ(first(record).network, "ethernet");
  EXPECT_EQ(first(record).architecture, "R6000");
  EXPECT_EQ(first(record).operating_system, "AIX43");
  EXPECT_EQ(first(record).memory, (Bound{Comparison::at_least, 256}));
  EXPECT_EQ(first(record).disk, Bound{});
  EXPECT_EQ(report.account, "");
  EXPECT_EQ(report.qos, "");
  EXPECT_EQ(report.job.deadline, kForever);
  EXPECT_EQ(report.job.comment, "1001");
}

TEST(WorkloadTraceTest, AcceptsRecordsWithoutAllocatedHosts) {
  std::string line = with(with(job_line(), 38, ""), 39, "n1:n2");
  const auto record = parsed_record(line);  // 43 fields: the host mask is now field 39
  EXPECT_THAT(record.report.host_list, ElementsAre("n1", "n2"));
}

TEST(WorkloadTraceTest, ComparisonsAreThoseOfTheGuideAndOfRelease33) {
  const std::pair<const char*, Comparison> rows[] = {
      {">", Comparison::more},   {">=", Comparison::at_least},    {"=", Comparison::equal},
      {"==", Comparison::equal}, {"<=", Comparison::at_most},     {"<", Comparison::less},
      {"NC", Comparison::any},   {"[NONE]", Comparison::at_least}};
  for (const auto& [word, comparison] : rows) {
    const auto record = parsed_record(with(with(job_line(), 16, word), 17, "512M"));
    EXPECT_EQ(first(record).memory, (Bound{comparison, 512})) << word;
  }
}

TEST(WorkloadTraceTest, CommaListsAreAlternativeShapes) {
  const auto record = parsed_record(with(with(job_line(), 3, "8,4"), 6, "100,200"));
  EXPECT_THAT(record.report.job.alternatives,
              ElementsAre(Pair(8, Seconds(100)), Pair(4, Seconds(200))));
  EXPECT_EQ(first(record).tasks, 8);
  EXPECT_EQ(record.report.request.limit, Seconds(100));
  EXPECT_THAT(parsed_record(with(job_line(), 3, "8,4")).report.job.alternatives,
              ElementsAre(Pair(8, Seconds(600)), Pair(4, Seconds(600))));
}

TEST(WorkloadTraceTest, AJobMayNameNoLimit) {
  for (const char* none : {"[NONE]", "0", "-1"})
    EXPECT_EQ(parsed_record(with(job_line(), 6, none)).report.request.limit, Seconds(0)) << none;
}

TEST(WorkloadTraceTest, TheFirstPartOfTheQosIsTheRequestedQos) {
  EXPECT_EQ(parsed_record(with(job_line(), 24, "high:low")).report.qos, "high");
  EXPECT_EQ(parsed_record(with(job_line(), 24, "[NONE]:DEFAULT")).report.qos, "");
  EXPECT_EQ(parsed_record(with(job_line(), 24, "high:low")).report.job.qos_requested, "high");
}

TEST(WorkloadTraceTest, FlagsStandInBracketsOrBetweenColons) {
  for (const char* text : {"[PREEMPTEE][RESTARTABLE][BACKFILL]", "PREEMPTEE:RESTARTABLE"}) {
    const auto flags = parsed_record(with(job_line(), 25, text)).report.job.flags;
    EXPECT_TRUE(has(flags, JobFlag::preemptee)) << text;
    EXPECT_TRUE(has(flags, JobFlag::restartable)) << text;
    EXPECT_FALSE(has(flags, JobFlag::backfill)) << "mere history: " << text;
  }
}

TEST(WorkloadTraceTest, AHostListBindsByItsLengthAndMayHoldRanges) {
  const auto some = parsed_record(with(job_line(), 40, "n[01-03]")).report;
  EXPECT_EQ(some.host_list_use, HostListUse::some_of);
  EXPECT_THAT(some.host_list, ElementsAre("n01", "n02", "n03"));
  EXPECT_TRUE(has(some.job.flags, JobFlag::host_list));
  const auto all = parsed_record(with(job_line(), 40, "n1:m[2,4]")).report;
  EXPECT_EQ(all.host_list_use, HostListUse::some_of);
  EXPECT_EQ(parsed_record(with(job_line(), 40, "n1:n2")).report.host_list_use, HostListUse::all_of);
}

TEST(WorkloadTraceTest, AReservationMakesAdvRes) {
  const auto job = parsed_record(with(job_line(), 41, "john.1")).report.job;
  EXPECT_TRUE(has(job.flags, JobFlag::adv_res));
  EXPECT_EQ(job.required_reservation, "john.1");
}

TEST(WorkloadTraceTest, AJobOfUnknownSubmissionHasNotWaited) {
  for (const char* unknown : {"0", "-1", "[NONE]"}) {
    const std::string ran = with(job_line(), 9, unknown);
    EXPECT_EQ(parsed_record(ran).report.job.submitted, Time(1100)) << unknown;
    const std::string removed = with(with(ran, 7, "Removed"), 11, "0");
    EXPECT_EQ(parsed_record(removed).report.job.submitted, Time(1400)) << unknown;
  }
}

TEST(WorkloadTraceTest, ARunLastsAtLeastASecond) {
  EXPECT_EQ(parsed_record(with(job_line(), 12, "1100")).report.job.recorded->run_time, Seconds(1));
}

TEST(WorkloadTraceTest, StartDateZeroIsNone) {
  EXPECT_EQ(parsed_record(job_line()).report.job.earliest_start, Time(0));
  EXPECT_EQ(parsed_record(with(job_line(), 36, "5000")).report.job.earliest_start, Time(5000));
  EXPECT_EQ(parsed_record(with(job_line(), 37, "9000")).report.job.deadline, Time(9000));
}

TEST(WorkloadTraceTest, ResourcesOfATaskAreRoundedUp) {
  std::string line = job_line();
  for (const auto& [field, value] :
       {std::pair{32, "2"}, std::pair{33, "1025K"}, std::pair{34, "1G"}, std::pair{35, "3"}})
    line = with(line, field, value);
  EXPECT_EQ(first(parsed_record(line)).per_task, Resources(2, 2, 3, 1024));
}

TEST(WorkloadTraceTest, EveryWrongFieldIsNamedWithWhatWasExpected) {
  struct Row {
    int field;
    const char *value, *message;
  };
  const Row rows[] = {
      {1, "[NONE]", "invalid field 1 (JobID) '[NONE]': expected a name"},
      {2, "few", "invalid field 2 (Nodes Requested) 'few': expected a number of nodes"},
      {3, "0", "invalid field 3 (Tasks Requested) '0': expected a number of tasks greater than 0"},
      {3, "1,x", "invalid field 3 (Tasks Requested) '1,x': expected a number of tasks"},
      {4, "[NONE]", "invalid field 4 (User Name) '[NONE]': expected a name"},
      {6, "1:00", "invalid field 6 (Wallclock Limit) '1:00': expected seconds, 0 for no limit"},
      {6, "1,2", "invalid field 6 (Wallclock Limit) '1,2': expected one limit or 1"},
      {7, "Done",
       "invalid field 7 (Job Completion State) 'Done': expected Completed, Removed or NotRun"},
      {8, "batch",
       "invalid field 8 (Required Class) 'batch': expected one class, such as [batch:1]"},
      {8, "[a][b]", "invalid field 8 (Required Class) '[a][b]': expected one class"},
      {9, "soon", "invalid field 9 (Submission Time) 'soon': expected a time"},
      {10, "x", "invalid field 10 (Dispatch Time) 'x': expected a time"},
      {11, "x", "invalid field 11 (Start Time) 'x': expected a time"},
      {11, "0", "invalid field 11 (Start Time) '0': expected the time at which the job started"},
      {12, "900",
       "invalid field 12 (Completion Time) '900': expected a time not before that of field 11"},
      {16, "~",
       "invalid field 16 (Required Node Memory Comparison) '~': expected one of > >= = <= <"},
      {17, "big", "invalid field 17 (Required Node Memory) 'big': expected a size"},
      {18, "=>", "invalid field 18 (Required Node Disk Comparison) '=>': expected one of"},
      {19, "1P", "invalid field 19 (Required Node Disk) '1P': expected a size"},
      {20, "fast", "invalid field 20 (Required Node Attributes) 'fast': expected a list such as"},
      {21, "x", "invalid field 21 (System Queue Time) 'x': expected a time"},
      {22, "x", "invalid field 22 (Tasks Allocated) 'x': expected a number of tasks"},
      {23, "-2", "invalid field 23 (Required Tasks Per Node) '-2': expected a number of tasks"},
      {25, "[FAST]", "invalid field 25 (JobFlags) '[FAST]': expected a list of ADVRES, HOSTLIST"},
      {28, "TPN:x",
       "invalid field 28 (Comment) 'TPN:x': expected valid resource manager extensions: TPN:x"},
      {29, "x", "invalid field 29 (Bypass Count) 'x': expected a count"},
      {30, "-1", "invalid field 30 (ProcSeconds Utilized) '-1': expected processor seconds"},
      {32, "x",
       "invalid field 32 (Dedicated Processors per Task) 'x': expected a number of processors"},
      {33, "x", "invalid field 33 (Dedicated Memory per Task) 'x': expected a size"},
      {34, "x", "invalid field 34 (Dedicated Disk per Task) 'x': expected a size"},
      {35, "x", "invalid field 35 (Dedicated Swap per Task) 'x': expected a size"},
      {36, "x", "invalid field 36 (Start Date) 'x': expected a time"},
      {37, "x", "invalid field 37 (End Date) 'x': expected a time"},
      {40, "n[3-1]",
       "invalid field 40 (Required Host Mask) 'n[3-1]': expected host names or ranges"},
  };
  for (const auto& row : rows) {
    const auto record =
        parse_workload_record(with(job_line(), row.field, row.value), NodeAccess::shared);
    ASSERT_FALSE(record) << row.message;
    EXPECT_THAT(record.error().what, HasSubstr(row.message));
  }
}

TEST(WorkloadTraceTest, AWrongNumberOfFieldsIsSaid) {
  EXPECT_EQ(parse_workload_record("a b c", NodeAccess::shared).error().what,
            "3 fields, expected 44, or 43 without field 38 (Allocated Host List)");
}

TEST(WorkloadTraceTest, BadLinesAndRepeatedNamesAreReportedAndTheRestIsUsed) {
  const Folder folder;
  const auto path =
      folder.write("jobs", {"VERSION 230", "# comment", job_line("a"), job_line("a"),
                            with(job_line("b"), 3, "none"), with(job_line("c"), 9, "500")});
  TraceSummary summary;
  const auto workload = read_workload_trace(path, NodeAccess::shared, summary);
  ASSERT_TRUE(workload);
  EXPECT_EQ(summary.bad_lines, 2);
  EXPECT_THAT(summary.problems,
              ElementsAre(HasSubstr(path + ":4: field 1 (JobID): 'a' occurs twice"),
                          HasSubstr(path + ":5: invalid field 3 (Tasks Requested) 'none'")));
  ASSERT_EQ((*workload)->size(), 2U);
  EXPECT_EQ((*workload)->job(0).name, "c") << "by time of submission";
  EXPECT_EQ((*workload)->submitted(1), Time(1000));
}

TEST(WorkloadTraceTest, JobsThatNeverRanAreSkippedAndCounted) {
  const Folder folder;
  const auto path = folder.write("jobs", {job_line("a"), with(job_line("b"), 7, "NotRun"),
                                          with(with(job_line("c"), 7, "Removed"), 11, "0")});
  TraceSummary summary;
  const auto workload = read_workload_trace(path, NodeAccess::shared, summary);
  ASSERT_TRUE(workload);
  EXPECT_EQ((*workload)->size(), 1U);
  EXPECT_EQ(summary.skipped_jobs, 2);
  EXPECT_EQ(summary.bad_lines, 0);
}

TEST(WorkloadTraceTest, FailsWhenNothingRemains) {
  const Folder folder;
  TraceSummary summary;
  const auto path = folder.write("jobs", {"# nothing", "rubbish"});
  const auto workload = read_workload_trace(path, NodeAccess::shared, summary);
  ASSERT_FALSE(workload);
  EXPECT_THAT(workload.error().what,
              HasSubstr(path + ": no usable job record; the first problem: "));
}

struct ExtensionTest : testing::Test {
  JobReport with_comment(const std::string& text) {
    return parsed_record(with(job_line(), 28, text)).report;
  }
};

TEST_F(ExtensionTest, SeveralAreSeparatedBySemicolons) {
  const auto job = with_comment("HOSTLIST:node1,node2;QOS:special;SID:silverA");
  EXPECT_THAT(job.host_list, ElementsAre("node1", "node2"));
  EXPECT_EQ(job.qos, "special");
  EXPECT_EQ(job.job.comment, "HOSTLIST:node1,node2;QOS:special;SID:silverA");
}

TEST_F(ExtensionTest, EachSetsWhatItStandsFor) {
  EXPECT_EQ(with_comment("DMEM:64").request.requirements.front().per_task.memory(), 64);
  EXPECT_EQ(with_comment("TPN:4").request.requirements.front().tasks_per_node, 4);
  EXPECT_EQ(with_comment("PARTITION:math:geology").partition, "math:geology");
  EXPECT_EQ(with_comment("ACCESSMODE:DEDICATED").request.access.usual, NodeAccess::dedicated);
  EXPECT_EQ(with_comment("ACCESSMODE:SHARED").job.access_asked, NodeAccess::shared);
  EXPECT_EQ(with_comment("NODESET=ONEOF:NETWORK").job.node_set, "ONEOF:NETWORK");
  EXPECT_TRUE(has(with_comment("QUEUEJOB:FALSE").job.flags, JobFlag::no_queue));
  EXPECT_THAT(with_comment("TRL:2,4").job.alternatives,
              ElementsAre(Pair(2, Seconds(600)), Pair(4, Seconds(600))));
}

TEST_F(ExtensionTest, FlagsMayNameAReservation) {
  const auto job = with_comment("FLAGS:PREEMPTEE,ADVRES:john.1").job;
  EXPECT_TRUE(has(job.flags, JobFlag::preemptee));
  EXPECT_TRUE(has(job.flags, JobFlag::adv_res));
  EXPECT_EQ(job.required_reservation, "john.1");
}

TEST_F(ExtensionTest, AHostListIsJudgedByTheTaskCountOfTheTaskList) {
  EXPECT_EQ(with_comment("HOSTLIST:a,b,c;TRL:4").host_list_use, HostListUse::all_of);
}

TEST_F(ExtensionTest, WrongValuesAreNamed) {
  for (const char* text : {"ACCESSMODE:MINE", "DMEM:x", "FLAGS:FAST", "HOSTLIST:n[2", "TRL:0",
                           "QUEUEJOB:MAYBE", "QOS:"}) {
    const auto record = parse_workload_record(with(job_line(), 28, text), NodeAccess::shared);
    ASSERT_FALSE(record) << text;
    EXPECT_THAT(record.error().what, HasSubstr(std::string("extensions: ") + text)) << text;
    EXPECT_TRUE(
        parse_workload_record(with(job_line(), 28, text), NodeAccess::shared, Extensions::ignore))
        << "the job has run all the same";
  }
}

}  // namespace
}  // namespace maui
