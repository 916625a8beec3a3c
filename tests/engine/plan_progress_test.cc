#include "engine/actions/plan_progress.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

Plan plan_of(std::vector<Decision> decisions) {
  Plan plan;
  plan.decisions = std::move(decisions);
  return plan;
}

PreemptJob preempt(JobId victim) {
  PreemptJob decision;
  decision.job = victim;
  return decision;
}

StartJob start(JobId job) {
  StartJob decision;
  decision.job = job;
  return decision;
}

TEST(PlanProgress, DecisionsBehindPreemptionsWaitForAllTheirAnswers) {
  const Plan plan = plan_of({preempt(JobId(1U)), preempt(JobId(2U)), start(JobId(3U))});
  PlanProgress progress;
  progress.begin();
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(progress.take(plan), &plan.decisions[static_cast<std::size_t>(i)]);
    progress.preemption_asked();
  }
  EXPECT_EQ(progress.take(plan), nullptr);
  EXPECT_FALSE(progress.done(plan));
  EXPECT_FALSE(progress.preemption_answered());
  EXPECT_EQ(progress.take(plan), nullptr);
  EXPECT_TRUE(progress.preemption_answered());
  EXPECT_EQ(progress.take(plan), &plan.decisions[2]);
  EXPECT_TRUE(progress.done(plan));
}

TEST(PlanProgress, KeepsRefusedPreemptionsUntilTheNextPlan) {
  PlanProgress progress;
  progress.note_refused(JobId(7U));
  EXPECT_TRUE(progress.any_refused());
  EXPECT_TRUE(progress.refused(JobId(7U)));
  EXPECT_FALSE(progress.refused(JobId(8U)));
  progress.begin();
  EXPECT_FALSE(progress.any_refused());
}

TEST(PlanProgress, EndsWhenThePlanIsForgotten) {
  Plan plan = plan_of({start(JobId(1U)), start(JobId(2U))});
  PlanProgress progress;
  progress.begin();
  progress.take(plan);
  progress.take(plan);
  plan.decisions.clear();
  EXPECT_TRUE(progress.done(plan));
  EXPECT_EQ(progress.take(plan), nullptr);
}

}  // namespace
}  // namespace maui
