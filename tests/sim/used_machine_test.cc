#include "sim/used_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "maui/settings.h"
#include "sim/input_format.h"
#include "sim/job_log_text.h"
#include "sim/open_simulator.h"
#include "sim/trace_text.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

TEST(UsedMachineTest, AHostHasTheMostThatWasInUseAtOneTime) {
  std::mt19937 random(4);
  for (int round = 0; round < 50; ++round) {
    UsedMachine machine;
    std::vector<std::int64_t> procs(200), memory(200);
    for (int job = 0; job < 20; ++job) {
      const auto start = random() % 150, end = start + 1 + random() % 49;
      const HostUse use{1 + static_cast<std::int64_t>(random() % 5),
                        static_cast<std::int64_t>(random() % 500), 0};
      machine.add({"n1"}, use, "", Time(static_cast<std::int64_t>(start)),
                  Time(static_cast<std::int64_t>(end)));
      for (auto second = start; second < end; ++second) {
        procs[second] += use.procs;
        memory[second] += use.memory;
      }
    }
    const auto nodes = machine.nodes();
    ASSERT_EQ(nodes.size(), 1U);
    ASSERT_EQ(nodes[0].node.configured.procs(), *std::max_element(procs.begin(), procs.end()));
    ASSERT_EQ(nodes[0].node.configured.memory(),
              std::max<std::int64_t>(1, *std::max_element(memory.begin(), memory.end())));
  }
}

TEST(UsedMachineTest, AJobThatStartsWhenAnotherEndsDoesNotOverlapIt) {
  UsedMachine machine;
  machine.add({"n2", "n1"}, {4, 0, 1}, "long", Time(0), Time(10), {{"fast"}, "ib", "x86", "linux"});
  machine.add({"n1"}, {4, 0, 0}, "short", Time(10), Time(20));
  const auto nodes = machine.nodes();
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].node.name, "n1");
  EXPECT_EQ(nodes[0].node.configured.procs(), 4);
  EXPECT_EQ(nodes[0].classes.size(), 2U);
  EXPECT_EQ(nodes[1].features, std::vector<std::string>{"fast"});
  EXPECT_EQ(nodes[1].generic.front().second, 1);
}

TEST(UsedMachineTest, AJobThatEndsWhenItStartsOverlapsNothing) {
  UsedMachine machine;
  machine.add({"n1"}, {4, 0, 0}, "", Time(0), Time(10));
  for (int job = 0; job < 3; ++job) machine.add({"n1"}, {2, 0, 0}, "", Time(5), Time(5));
  machine.add({"n2"}, {3, 0, 0}, "", Time(5), Time(5));
  const auto nodes = machine.nodes();
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].node.configured.procs(), 4);
  EXPECT_EQ(nodes[1].node.configured.procs(), 3);
}

TEST(UsedMachineTest, RecordsOfJobsThatWereCancelledAtOnceMakeNoLargerMachine) {
  const test::Folder folder;
  const auto record = [](const char* name, const char* started, const char* ended) {
    return test::with(test::with(test::with(test::job_line(name), 11, started), 12, ended), 38,
                      "n1");
  };
  const auto path = folder.write("stats", {record("a", "1000", "1400"), record("b", "1300", "1300"),
                                           record("c", "1300", "1300")});
  UsedMachine machine;
  TraceSummary summary;
  ASSERT_TRUE(read_workload_traces({&path, 1}, NodeAccess::shared, &machine, summary));
  ASSERT_EQ(machine.nodes().size(), 1U);
  EXPECT_EQ(machine.nodes().front().node.configured.procs(), 2);
}

TEST(InputFormatTest, TheContentDecidesTheFormat) {
  const TemporaryDirectory folder;
  const auto format = [&](const std::string& text, const std::string& name = "log") {
    return *workload_format(test::write_text(folder, name, text));
  };
  EXPECT_EQ(format("; Version: 2\n1 2 3\n"), WorkloadFormat::swf);
  EXPECT_EQ(format("\n1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n"), WorkloadFormat::swf);
  EXPECT_EQ(format("JobID|User|Submit|Start|End\n"), WorkloadFormat::sacct);
  EXPECT_EQ(format("05/01/2024 12:00:00;Q;17.head;queue=batch\n"), WorkloadFormat::pbs);
  EXPECT_EQ(format("VERSION 230\n# JobID ...\n"), WorkloadFormat::trace);
  EXPECT_EQ(format("", "empty.swf"), WorkloadFormat::swf);
  EXPECT_EQ(format(""), WorkloadFormat::trace);
  EXPECT_EQ(format(test::with(test::job_line(), 44, "x y") + "\n"), WorkloadFormat::trace);
  EXPECT_EQ(format("\xEF\xBB\xBFJobID|User|Submit|Start|End\r\n"), WorkloadFormat::sacct);
  EXPECT_FALSE(workload_format(folder.path() + "/missing"));
}

TEST(InputFormatTest, RefusesAnUnknownFormatAndListsTheKnownFormats) {
  const TemporaryDirectory folder;
  for (const auto& text : {std::string("#!/bin/sh\necho hello\n"), std::string("17|ann|1000\n"),
                           std::string(40, '\0') + "a b\n", test::node_line() + "\n"}) {
    const auto path = test::write_text(folder, "log", text);
    const auto format = workload_format(path);
    ASSERT_FALSE(format) << text;
    EXPECT_TRUE(format.error().what.starts_with(path + ": unknown format: expected "))
        << format.error().what;
  }
}

// A record of a live site: nobody told the job's group.
TEST(OwnRecordsTest, ReplayAsTheyStandOnTheHostsThatTheyName) {
  const TemporaryDirectory folder;
  const auto record = [](const std::string& name, int start, const std::string& hosts) {
    return name + " 0 4 ann [NONE] 3600 Completed [batch:1] 1000 " + std::to_string(start) + " " +
           std::to_string(start) + " " + std::to_string(start + 600) +
           " [NONE] [NONE] [NONE] >= 0M >= 0M [fast] 1000 4 0 [NONE]:[NONE] [NONE] [NONE] [NONE] "
           "[NONE] 0 2400.00 DEFAULT 1 0M 0M 0M 0 0 " +
           hosts + " base [NONE] [NONE] [NONE] [NONE] [NONE]\n";
  };
  ReplayFiles files;
  files.workload = {test::write_text(folder, "stats.2026_11_01", record("1", 1000, "n1:n2")),
                    test::write_text(folder, "stats.2026_11_02", record("2", 1700, "n[1-2]"))};
  TraceSummary summary;
  const auto opened = open_simulator(Settings{}, files, summary);
  ASSERT_TRUE(opened) << opened.error().what;
  EXPECT_EQ(summary.jobs, 2);
  EXPECT_EQ(summary.nodes, 2);
  EXPECT_EQ(summary.bad_lines, 0) << summary.problems.front();
}

TEST(OwnRecordsTest, TheirHostsAreWhatTheJobsAskedFor) {
  const TemporaryDirectory folder;
  auto line = test::job_line();
  for (const auto& [field, text] : {std::pair{13, "ib"},
                                    {14, "x86"},
                                    {15, "linux"},
                                    {16, ">="},
                                    {17, "500M"},
                                    {18, ">="},
                                    {19, "70M"},
                                    {38, "n1:n2"}})
    line = test::with(line, field, text);
  UsedMachine machine;
  TraceSummary summary;
  const std::vector paths{test::write_text(folder, "stats", line + "\n")};
  ASSERT_TRUE(read_workload_traces(paths, NodeAccess::shared, &machine, summary));
  const auto nodes = machine.nodes();
  ASSERT_EQ(nodes.size(), 2U);
  for (const NodeReport& report : nodes) {
    EXPECT_EQ(report.node.networks, std::vector<std::string>{"ib"});
    EXPECT_EQ(report.node.architecture, "x86");
    EXPECT_EQ(report.node.operating_system, "linux");
    EXPECT_GE(report.node.configured.memory(), 500);
    EXPECT_GE(report.node.configured.disk(), 70);
  }
}

TEST(OwnRecordsTest, FilesOfSeveralFormatsAreNoWorkload) {
  const TemporaryDirectory folder;
  ReplayFiles files;
  files.workload = {test::write_text(folder, "a", "VERSION 230\n"),
                    test::write_text(folder, "b.swf", "; x: y\n")};
  TraceSummary summary;
  const auto opened = open_simulator(Settings{}, files, summary);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().what.find("not parts of one workload"), std::string::npos);
}

TEST(OwnRecordsTest, TheSecondOfTwoLogsInStandardWorkloadFormatIsNamed) {
  const TemporaryDirectory folder;
  ReplayFiles files;
  files.workload = {test::write_text(folder, "a.swf", "; x: y\n"),
                    test::write_text(folder, "b.swf", "; x: y\n")};
  TraceSummary summary;
  const auto opened = open_simulator(Settings{}, files, summary);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().what.find("b.swf' are not parts"), std::string::npos);
}

}  // namespace
}  // namespace maui
