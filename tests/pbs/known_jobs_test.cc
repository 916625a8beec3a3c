// Jobs of a server are read again when their reports have changed, or may mean something else.
#include "pbs/known_jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pbs/dumps.h"

namespace maui::pbs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Attributes = std::vector<std::pair<std::string_view, std::string_view>>;

class KnownJobsTest : public testing::Test {
 protected:
  /// A waiting job that these bytes report, whatever stands in them.
  static Object waiting(const std::string& bytes, const Attributes& more = {}) {
    auto job = test::object("1.srv", {{"job_state", "Q"},
                                      {"queue", "batch"},
                                      {"euser", "amy"},
                                      {"qtime", "1795165000"},
                                      {"Resource_List.nodes", "1:ppn=2"}});
    for (const auto& [name, value] : more) job.attributes.push_back(test::attribute(name, value));
    job.bytes = bytes;
    return job;
  }
  static Object running(const Attributes& more = {}) {
    auto job = test::object("1.srv", {{"job_state", "R"},
                                      {"queue", "batch"},
                                      {"euser", "amy"},
                                      {"qtime", "1795165000"},
                                      {"start_time", "1795165100"},
                                      {"exec_host", "n01/0+n01/1"},
                                      {"Resource_List.nodes", "1:ppn=2"}});
    for (const auto& [name, value] : more) job.attributes.push_back(test::attribute(name, value));
    job.bytes = "runs";
    return job;
  }

  static WikiRequest start_of(const std::string& job) {
    WikiRequest start;
    start.command = "STARTJOB";
    start.argument = job;
    start.options = {{"TASKLIST", "n01:n01"}};
    return start;
  }

  KnownJobs::Report take(std::vector<Object> reported, const JobNames& began = {}) {
    jobs_.asked();
    jobs_.begin(std::move(reported), began, all_);
    while (!jobs_.read(1)) {
    }
    return jobs_.take_report();
  }
  /// The attribute in the only record, "-" where it has none.
  static std::string only(const KnownJobs::Report& report, std::string_view attribute) {
    EXPECT_EQ(report.records.records.size(), 1u);
    const auto* value = report.records.records.at(0)->find(attribute);
    return value ? *value : "-";
  }

  Surroundings all_{{{"batch", {}}}, {"n01"}, Time(1795166000)};
  KnownJobs jobs_;
};

TEST_F(KnownJobsTest, TheSameBytesMeanTheSameJob) {
  const Attributes other{{"Account_Name", "physics"}};
  EXPECT_EQ(only(take({waiting("a")}), "ACCOUNT"), "-");
  EXPECT_EQ(only(take({waiting("a", other)}), "ACCOUNT"), "-");
  EXPECT_EQ(only(take({waiting("b", other)}), "ACCOUNT"), "physics");
  EXPECT_TRUE(jobs_.waits("1.srv"));
  ASSERT_NE(jobs_.wish_of("1.srv"), nullptr);
  EXPECT_EQ(jobs_.wish_of("1.srv")->portions.front().tasks, 2);
}

TEST_F(KnownJobsTest, AJobWithoutBytesIsReadEachTime) {
  EXPECT_EQ(only(take({waiting("")}), "ACCOUNT"), "-");
  EXPECT_EQ(only(take({waiting("", {{"Account_Name", "physics"}})}), "ACCOUNT"), "physics");
}

TEST_F(KnownJobsTest, ANameMayBeANodesAfterNodesHaveChanged) {
  const auto job = [] {
    auto changed = waiting("a");
    changed.attributes.back() = test::attribute("Resource_List.nodes", "n02");
    return changed;
  };
  EXPECT_EQ(only(take({job()}), "RFEATURES"), "n02");
  all_.nodes.insert("n02");
  const auto report = take({job()});
  EXPECT_EQ(only(report, "RFEATURES"), "-");
  EXPECT_EQ(only(report, "HOSTLIST"), "n02");
}

TEST_F(KnownJobsTest, ATaskMayStartOnceOthersOfItsArrayAreOver) {
  auto array = test::object("7[].srv", {{"job_state", "B"},
                                        {"queue", "batch"},
                                        {"euser", "amy"},
                                        {"qtime", "1795165000"},
                                        {"array", "True"},
                                        {"max_run_subjobs", "1"},
                                        {"array_indices_remaining", "2"}});
  array.bytes = "array";
  const auto task = test::object("7[1].srv", {{"job_state", "R"},
                                              {"queue", "batch"},
                                              {"euser", "amy"},
                                              {"array_id", "7[].srv"},
                                              {"exec_host", "n01/0"}});
  const auto is_kept_back = [](const KnownJobs::Report& report) {
    return report.records.records.back()->find("WAITREASON") != nullptr;
  };
  EXPECT_TRUE(is_kept_back(take({array, task})));
  EXPECT_FALSE(is_kept_back(take({array})));
  EXPECT_TRUE(is_kept_back(take({array, task})));
}

TEST_F(KnownJobsTest, AStartDateThatIsPastIsNoneAnyMore) {
  const Attributes date{{"Execution_Time", "1795166500"}};
  EXPECT_EQ(only(take({waiting("a", date)}), "STARTDATE"), "1795166500");
  all_.now = Time(1795166501);
  EXPECT_EQ(only(take({waiting("a", date)}), "STARTDATE"), "-");
}

TEST_F(KnownJobsTest, ARunningJobThatIsNoLongerReportedIsGone) {
  take({running()});
  take({running()});
  const auto gone = take({}).gone;
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_EQ(gone[0].report.name, "1.srv");
  EXPECT_EQ(gone[0].report.job.started, Time(1795165100));
  EXPECT_THAT(gone[0].task_list, ElementsAre("n01", "n01"));
  EXPECT_THAT(take({}).gone, IsEmpty());
}

TEST_F(KnownJobsTest, AnExitingJobReportsHowItEnds) {
  auto job = running({{"exit_status", "3"}, {"mtime", "1795165900"}});
  job.attributes.front() = test::attribute("job_state", "E");
  take({job});
  const auto gone = take({}).gone;
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_EQ(gone[0].exit_code, 3);
  EXPECT_EQ(gone[0].report.job.ended, Time(1795165900));
}

TEST_F(KnownJobsTest, AStartedJobThatIsNeverReportedAgainHasRun) {
  take({waiting("a")});
  jobs_.may_run(start_of("1.srv"), Time(1795166010));
  EXPECT_FALSE(jobs_.waits("1.srv"));
  const auto gone = take({}).gone;
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_EQ(gone[0].report.job.started, Time(1795166010));
  EXPECT_THAT(gone[0].task_list, ElementsAre("n01", "n01"));
}

// A job that a command starts may end before the next answer.
TEST_F(KnownJobsTest, AnAnswerThatIsOlderThanAStartDoesNotUndoIt) {
  for (const bool begun : {false, true}) {
    take({waiting("a")});
    jobs_.asked();
    if (begun) jobs_.begin({waiting("a")}, {}, all_);
    jobs_.may_run(start_of("1.srv"), Time(1795166010));
    if (!begun) jobs_.begin({waiting("a")}, {}, all_);
    while (!jobs_.read(1)) {
    }
    const auto report = jobs_.take_report();
    EXPECT_EQ(only(report, "STATE"), "Idle");
    EXPECT_FALSE(jobs_.waits("1.srv"));
    const auto gone = take({}).gone;
    ASSERT_EQ(gone.size(), 1u);
    EXPECT_EQ(gone[0].report.job.started, Time(1795166010));
    EXPECT_THAT(gone[0].task_list, ElementsAre("n01", "n01"));
  }
}

TEST_F(KnownJobsTest, TheNextAnswerShowsWhetherALateStartSucceeded) {
  take({waiting("a")});
  jobs_.begin({waiting("a")}, {}, all_);
  jobs_.may_run(start_of("1.srv"), Time(1795166010));
  while (!jobs_.read(1)) {
  }
  jobs_.take_report();
  EXPECT_EQ(only(take({waiting("a")}, {"1.srv"}), "REJCOUNT"), "1");
  EXPECT_TRUE(jobs_.waits("1.srv"));
}

TEST_F(KnownJobsTest, CountsFailedStartsOfAnUnchangedJob) {
  take({waiting("a")});
  EXPECT_EQ(only(take({waiting("a")}, {"1.srv"}), "REJCOUNT"), "1");
  EXPECT_EQ(only(take({waiting("a")}), "REJCOUNT"), "1");
  EXPECT_EQ(only(take({waiting("a")}, {"1.srv"}), "REJCOUNT"), "2");
  take({});
  EXPECT_EQ(only(take({waiting("a")}), "REJCOUNT"), "-");
}

// OpenPBS puts back jobs that it was starting when it was killed, those of `qsub -r n`, too.
TEST_F(KnownJobsTest, AJobThatMustNotRunTwiceIsHeldWhereItsServerPutItBackAfterItWasAway) {
  const Attributes once{{"Rerunable", "False"}}, again{{"Rerunable", "True"}};
  const auto reason = [&](const Attributes& how, bool lost) {
    take({});
    take({running(how)});
    if (lost) jobs_.server_was_lost();
    return only(take({waiting("a", how)}, {"1.srv"}), "HOLDREASON");
  };
  EXPECT_THAT(reason(once, true), HasSubstr("is not rerunnable"));
  EXPECT_THAT(only(take({waiting("b", once)}), "HOLDREASON"), HasSubstr("is not rerunnable"))
      << "for as long as it waits";
  EXPECT_EQ(only(take({waiting("b", once)}), "REJCOUNT"), "-") << "its start was not refused";
  EXPECT_EQ(only(take({running(once)}), "HOLDREASON"), "-");
  EXPECT_EQ(reason(once, false), "-") << "its mom did not take it";
  EXPECT_EQ(reason(again, true), "-");
  EXPECT_EQ(reason({}, true), "-");
}

TEST_F(KnownJobsTest, AJobThatIsStartedWhileAnAnswerIsReadCountsInItsQueue) {
  all_.queues["batch"].most_running_of_user = 1;
  auto second = waiting("b");
  second.name = "2.srv";
  take({waiting("a"), second});
  for (const std::size_t read_before : {0u, 1u, 2u}) {
    jobs_.begin({waiting("a"), second}, {}, all_);
    jobs_.read(read_before);
    EXPECT_EQ(jobs_.kept_back_by_queue("2.srv"), "");
    jobs_.may_run(start_of("1.srv"), all_.now);
    EXPECT_NE(jobs_.kept_back_by_queue("2.srv"), "");
    while (!jobs_.read(1)) {
    }
    const auto report = jobs_.take_report();
    EXPECT_EQ(report.records.records.size(), 2u);
    EXPECT_THAT(report.gone, IsEmpty());
    EXPECT_NE(jobs_.kept_back_by_queue("2.srv"), "");
    take({waiting("a"), second});
  }
}

TEST_F(KnownJobsTest, WhomItsQueueKeepsBackWaitsForThatAlone) {
  all_.queues["batch"].most_running_of_user = 1;
  auto other = running();
  other.name = "2.srv";
  const auto report = take({waiting("a"), other});
  ASSERT_EQ(report.records.records.size(), 2u);
  EXPECT_EQ(report.records.records[0]->id, "2.srv");
  ASSERT_NE(report.records.records[1]->find("WAITREASON"), nullptr);
  EXPECT_NE(jobs_.kept_back_by_queue("1.srv"), "");
  EXPECT_EQ(only(take({waiting("a")}), "WAITREASON"), "-");
  EXPECT_EQ(jobs_.kept_back_by_queue("1.srv"), "");
}

}  // namespace
}  // namespace maui::pbs
