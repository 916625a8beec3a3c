#include "compare/run_variant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compare/outcome_text.h"
#include "sched/query/reason_words.h"
#include "sim/trace_text.h"

namespace maui::compare {
namespace {

using maui::test::Folder;
using maui::test::with;
using testing::ElementsAre;

// number submit wait run allocated cpu used requested time memory status user group exe queue ...
constexpr const char* kLine = "1 10 50 300 4 250 -1 8 600 2048 1 12 3 5 2 1 -1 -1";

/// User u12 has a negative priority, for which jobs are rejected.
struct RunVariantTest : testing::Test {
  RunVariantTest() {
    settings.priority.reject_negative = true;
    settings.priority.queue_time.weight = 0;
    settings.priority.user.weight = 1;
    settings.users["u12"].priority = -1;
  }
  Outcome outcome_of(const std::vector<std::string>& log,
                     const std::function<bool(const Progress&)>& report_progress) {
    const ReplayFiles files{{folder.write("log.swf", log)}, {}, 0};
    auto outcome = run_variant("base", settings, files, report_progress);
    EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().what);
    return outcome ? *std::move(outcome) : Outcome{};
  }
  Folder folder;
  Settings settings;
};

TEST_F(RunVariantTest, ListsJobsThatNeverStartedAndThoseThatFollowThem) {
  const std::string of_other = with(kLine, 12, "13");
  const auto outcome =
      outcome_of({"; MaxProcs: 10", kLine, with(with(with(of_other, 1, "2"), 17, "1"), 18, "60"),
                  with(of_other, 1, "3")},
                 [](const Progress&) { return true; });
  EXPECT_EQ(outcome.jobs.size(), 1U);
  EXPECT_THAT(outcome.left,
              ElementsAre(LeftJob{"1", std::string(reason_words(Reason::negative_priority))},
                          LeftJob{"2", "its preceding job never ended"}));
}

TEST_F(RunVariantTest, NamesTheLimitThatKeptAJobFromStarting) {
  settings.priority.reject_negative = false;
  settings.users["DEFAULT"].limits.active[static_cast<std::size_t>(LimitKind::proc)] = {4, 4};
  const auto outcome = outcome_of({"; MaxProcs: 10", kLine}, [](const Progress&) { return true; });
  ASSERT_EQ(outcome.left.size(), 1U);
  EXPECT_THAT(outcome.left[0].reason,
              testing::StartsWith("violates active HARD MAXPROC limit of 4 for user u12"));
}

TEST_F(RunVariantTest, JobsThatDoNotFitOnASmallerMachineNeverStart) {
  settings.priority.reject_negative = false;
  settings.simulation.node_count = 4;
  const auto outcome = outcome_of({"; MaxProcs: 10", kLine, with(with(kLine, 1, "2"), 8, "4"),
                                   with(with(kLine, 1, "3"), 8, "11")},
                                  [](const Progress&) { return true; });
  ASSERT_EQ(outcome.jobs.size(), 1U);
  EXPECT_EQ(outcome.jobs[0].name, "2");
  ASSERT_EQ(outcome.left.size(), 1U);
  EXPECT_EQ(outcome.left[0].name, "1");
  EXPECT_NE(outcome.left[0].reason, "");
  EXPECT_EQ(outcome.skipped, 1) << "the log's own machine cannot run the job of 11";
}

TEST_F(RunVariantTest, AJobOfUnknownSubmissionHasAnOutcomeThatCanBeRead) {
  const ReplayFiles files{{folder.write("jobs", {with(maui::test::job_line(), 9, "-1")})},
                          folder.write("nodes", {maui::test::node_line()}),
                          0};
  const auto outcome = run_variant("base", settings, files, [](const Progress&) { return true; });
  ASSERT_TRUE(outcome) << outcome.error().what;
  ASSERT_EQ(outcome->jobs.size(), 1U);
  EXPECT_EQ(outcome->jobs.front().submitted, Time(1100));
  EXPECT_TRUE(read_outcome_text(outcome_text(*outcome)));
}

TEST_F(RunVariantTest, MayBeInterruptedWhileItListsJobsThatNeverStarted) {
  std::vector<std::string> log{"; MaxProcs: 10"};
  for (int i = 1; i <= 600; ++i) log.push_back(with(kLine, 1, std::to_string(i)));
  int reports = 0;
  const auto outcome = outcome_of(log, [&](const Progress&) { return ++reports < 2; });
  EXPECT_EQ(reports, 2) << "after the first iteration, and in the list";
  EXPECT_TRUE(outcome.unfinished);
  EXPECT_GT(outcome.left.size(), 0U);
  EXPECT_LT(outcome.left.size(), 600U);
}

}  // namespace
}  // namespace maui::compare
