#include "compare/outcome_text.h"

#include <gtest/gtest.h>

#include "compare/outcomes.h"

namespace maui::compare {
namespace {

Outcome sample() {
  std::mt19937 random(1);
  auto outcome = test::random_outcome(random, 20);
  outcome.variant = "BACKFILLPOLICY=NONE of \"x\"";
  outcome.jobs[0].name = "a job\nof two lines";
  outcome.jobs[1].name = "-";
  outcome.jobs[2].name = "";
  outcome.names[CredentialKind::job_class] = {"", "-", "größe %41"};
  outcome.jobs[3].reasons = {{Reason::idle_procs, Seconds(300)},
                             {Reason::hold, Seconds(20)},
                             {Reason::nodes_down, Seconds(30)}};
  outcome.left = {{"x", "has hold in place: User"}, {"y", ""}};
  outcome.targets = {{CredentialKind::group, "physics", 33.3}};
  outcome.skipped = 3;
  outcome.skipped_because = {{"never ran", {2, {"a", "b c"}}}, {"had not ended", {1, {"d"}}}};
  outcome.bad_lines = 2;
  outcome.damaged = true;
  outcome.problems = {"log:5: field 1"};
  return outcome;
}

TEST(OutcomeTextTest, ReadsBackTheSame) {
  for (const bool unfinished : {false, true}) {
    auto outcome = sample();
    outcome.unfinished = unfinished;
    const auto text = outcome_text(outcome);
    const auto read = read_outcome_text(text);
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(outcome_text(*read), text);
    EXPECT_EQ(read->jobs[0].name, outcome.jobs[0].name);
    EXPECT_EQ(read->jobs[1].name, "-");
    EXPECT_EQ(read->jobs[2].name, "");
    EXPECT_EQ(read->names[CredentialKind::job_class], outcome.names[CredentialKind::job_class]);
    EXPECT_EQ(read->jobs[3].reasons, outcome.jobs[3].reasons);
    EXPECT_EQ(read->left, outcome.left);
    EXPECT_EQ(read->unfinished, unfinished);
  }
}

TEST(OutcomeTextTest, ATextThatWasCutOffIsNoOutcome) {
  const auto text = outcome_text(sample());
  for (std::size_t size = 0; size < text.size(); ++size)
    ASSERT_FALSE(read_outcome_text(std::string_view(text).substr(0, size))) << size;
}

TEST(OutcomeTextTest, NoChangedTextCrashesTheReader) {
  std::mt19937 random(2);
  const auto text = outcome_text(sample());
  for (int round = 0; round < 5000; ++round) {
    auto changed = text;
    for (int i = 0; i < 3; ++i)
      changed[random() % changed.size()] = static_cast<char>(random() % 256);
    if (const auto read = read_outcome_text(changed)) {
      for (const auto& job : read->jobs)
        for (const auto kind : kCredentialKinds)
          EXPECT_LE(read->name_of(job, kind).size(), changed.size());
    }
  }
}

}  // namespace
}  // namespace maui::compare
