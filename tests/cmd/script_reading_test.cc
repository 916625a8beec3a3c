#include "cmd/facts/script_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Requirement settled(ScriptReading& reading) {
  auto script = reading.settled();
  if (!script) ADD_FAILURE() << script.error().what;
  return script ? script->asked.request.requirements.front() : Requirement{};
}

TEST(ScriptReadingTest, WithoutTasksEachNodeHasOneTask) {
  ScriptReading reading(10);
  reading.amounts().nodes = 2;
  reading.amounts().most_nodes = 4;
  reading.amounts().procs_per_task = 3;
  const Requirement requirement = settled(reading);
  EXPECT_EQ(requirement.tasks, 2);
  EXPECT_EQ(requirement.least_nodes, 2);
  EXPECT_EQ(requirement.nodes, 4);
  EXPECT_EQ(requirement.per_task, Resources(3));
}

TEST(ScriptReadingTest, MemoryIsSharedAmongTheTasksThatItIsFor) {
  ScriptReading of_node(10), of_proc(10), of_job(10);
  for (auto* reading : {&of_node, &of_proc, &of_job}) {
    reading->amounts().tasks = 8;
    reading->amounts().nodes = 2;
    reading->amounts().procs_per_task = 3;
  }
  of_node.amounts().memory_per_node = 1001;
  of_proc.amounts().memory_per_proc = 100;
  of_job.amounts().memory = 1001;
  EXPECT_EQ(settled(of_node).per_task.memory(), 251);
  EXPECT_EQ(settled(of_proc).per_task.memory(), 300);
  EXPECT_EQ(settled(of_job).per_task.memory(), 126);
}

TEST(ScriptReadingTest, ChunksGoBeforeAmounts) {
  ScriptReading reading(10);
  reading.asked().request.requirements.front().tasks = 5;
  reading.amounts().tasks = 8;
  EXPECT_EQ(settled(reading).tasks, 5);
}

TEST(ScriptReadingTest, AllItsListsTogetherNameSoManyHosts) {
  ScriptReading reading(3);
  EXPECT_TRUE(reading.add_hosts(reading.asked().host_list, "n[1-2]"));
  EXPECT_FALSE(reading.add_hosts(reading.asked().excluded_hosts, "n[8-9]"));
  EXPECT_TRUE(reading.add_hosts(reading.asked().excluded_hosts, "n9"));
  EXPECT_THAT(reading.asked().host_list, ElementsAre("n1", "n2"));
  EXPECT_THAT(reading.asked().excluded_hosts, ElementsAre("n9"));
}

TEST(ScriptReadingTest, ValuesThatAreNoneAreErrors) {
  std::optional<int> number;
  EXPECT_THAT(set_count(number, "0").error().what, HasSubstr("from 1 to"));
  EXPECT_TRUE(set_count(number, "0", 0));
  EXPECT_THAT(set_megabytes(number, "much").error().what, HasSubstr("'much'"));
  EXPECT_EQ(*script_megabytes("4gb"), 4096);
  ScriptReading reading(10);
  EXPECT_FALSE(reading.set_limit(Seconds(0), "0"));
  EXPECT_FALSE(reading.add_features("a|b"));
  EXPECT_TRUE(reading.add_features("a&b,c"));
  EXPECT_THAT(reading.features(), ElementsAre("a", "b", "c"));
}

TEST(ScriptReadingTest, MoreThanThereCanBeIsRefused) {
  ScriptReading reading(10);
  reading.amounts().tasks = ScriptReading::kMostTasks;
  reading.amounts().procs_per_task = 2;
  EXPECT_FALSE(reading.settled());
}

}  // namespace
}  // namespace maui
