#include "maui/resources.h"

#include <gtest/gtest.h>

#include "maui/request.h"
#include "maui/reservation.h"

namespace maui {
namespace {

constexpr ConsumableId kTape{7U};

TEST(ResourcesTest, TheScarcestResourceBoundsTheTasks) {
  Resources node(8, 1024);
  node.set(kTape, 3);
  Resources task(1, 200);
  EXPECT_EQ(node.tasks_of(task), 5);
  task.set(kTape, 1);
  EXPECT_EQ(node.tasks_of(task), 3);
}

TEST(ResourcesTest, MissingOrOverdrawnResourcesHoldNoTask) {
  Resources task(1);
  task.set(kTape, 1);
  EXPECT_EQ(Resources(4).tasks_of(task), 0);
  EXPECT_EQ(Resources(-2).tasks_of(Resources(1)), 0);
}

TEST(ResourcesTest, ATaskThatAsksForNothingFitsWithoutLimit) {
  EXPECT_EQ(Resources().tasks_of(Resources(0)), Resources::kMost);
}

TEST(ResourcesTest, TakingWhatWasAddedLeavesTheSame) {
  Resources amount(2, 64);
  amount.set(kTape, 1);
  Resources sum = amount;
  sum.add(amount, 3);
  EXPECT_EQ(sum.get(kTape), 4);
  sum.add(amount, -4);
  EXPECT_TRUE(sum.zero());
}

TEST(BoundTest, ComparesWhatIsConfiguredWithWhatWasAsked) {
  const auto admitted = [](Comparison compare) {
    const Bound bound{compare, 64};
    return std::string(bound.admits(63) ? "<" : "") + (bound.admits(64) ? "=" : "") +
           (bound.admits(65) ? ">" : "");
  };
  EXPECT_EQ(admitted(Comparison::any), "<=>");
  EXPECT_EQ(admitted(Comparison::less), "<");
  EXPECT_EQ(admitted(Comparison::at_most), "<=");
  EXPECT_EQ(admitted(Comparison::equal), "=");
  EXPECT_EQ(admitted(Comparison::at_least), "=>");
  EXPECT_EQ(admitted(Comparison::more), ">");
}

TEST(ResourcesTest, SumsThatAreTooLargeAreTheMostOfTheirSign) {
  Resources task(1, 2'147'483'647, 1'000'000'000);
  task.set(kTape, 2'000'000'000);
  Resources free(4, 1000);
  free.add(task, -3);
  EXPECT_EQ(free.procs(), 1);
  EXPECT_EQ(free.memory(), -2'147'483'647);
  EXPECT_EQ(free.swap(), -2'147'483'647);
  EXPECT_EQ(free.get(kTape), -2'147'483'647);
  EXPECT_EQ(free.tasks_of(Resources(0, 1)), 0);
  free.add(task, -2'000'000'000);
  EXPECT_EQ(free.memory(), -2'147'483'647);
  Resources held;
  held.add(task, 1'000'000);
  EXPECT_EQ(held.memory(), 2'147'483'647);
}

}  // namespace
}  // namespace maui
