#include "rm/resource_managers.h"

#include <gtest/gtest.h>

#include "support/scripted_rm.h"

namespace maui {
namespace {

using test::job_report;
using test::kNow;
using test::node_report;

class NamedRm : public test::ScriptedRm {
 public:
  explicit NamedRm(std::string name) : name_(std::move(name)) {}
  std::string_view name() const override { return name_; }

 private:
  std::string name_;
};

class ResourceManagersTest : public testing::Test {
 protected:
  ResourceManagersTest() {
    auto one = std::make_unique<NamedRm>("one"), two = std::make_unique<NamedRm>("two");
    first = one.get();
    second = two.get();
    std::vector<std::unique_ptr<ResourceManager>> parts;
    parts.push_back(std::move(one));
    parts.push_back(std::move(two));
    all = std::make_unique<ResourceManagers>(std::move(parts), [this] { ++woken; });
  }

  /// Asks all of them; `told` has the answer when it has come.
  void poll() {
    told.reset();
    all->poll(cluster, kNow, [this](Result<Update> update) { told = std::move(update); });
  }

  Cluster cluster;
  NamedRm *first = nullptr, *second = nullptr;
  std::unique_ptr<ResourceManagers> all;
  std::optional<Result<Update>> told;
  int woken = 0;
};

TEST_F(ResourceManagersTest, WhatAllOfThemTellComesAsOne) {
  first->next.nodes = {node_report("n1", Resources(2))};
  second->next.nodes = {node_report("n2", Resources(2))};
  second->next.arrived = {job_report("a", 1)};
  poll();
  ASSERT_TRUE(told && *told);
  EXPECT_EQ((*told)->nodes.size(), 2u);
  EXPECT_EQ((*told)->arrived.size(), 1u);
  EXPECT_TRUE((*told)->silent.empty());
}

TEST_F(ResourceManagersTest, JobsAreBoundToTheNodesOfTheirOwn) {
  first->next.nodes = {node_report("n1", Resources(2))};
  second->next.arrived = {job_report("a", 1)};
  poll();
  EXPECT_EQ((*told)->nodes[0].features, (std::vector<std::string>{"rm:one"}));
  EXPECT_EQ((*told)->arrived[0].features.at(0), (std::vector<std::string>{"rm:two"}));
}

TEST_F(ResourceManagersTest, OneThatFailsIsNamedAndTheOthersCount) {
  first->down = "connection refused";
  second->next.arrived = {job_report("a", 1)};
  poll();
  ASSERT_TRUE(told && *told);
  ASSERT_EQ((*told)->silent.size(), 1u);
  EXPECT_EQ((*told)->silent[0].manager, "one");
  EXPECT_EQ((*told)->silent[0].why, "connection refused");
  EXPECT_EQ((*told)->arrived.size(), 1u);
}

TEST_F(ResourceManagersTest, OneThatDidNotAnswerIsNotWaitedForAgain) {
  first->down = "no answer within 15 seconds";
  poll();
  first->answers_later = true;
  first->down.reset();
  first->next.arrived = {job_report("late", 1)};
  poll();
  ASSERT_TRUE(told && *told) << "the other one is enough";
  EXPECT_EQ((*told)->silent.size(), 1u);
  first->answer_all();
  EXPECT_EQ(woken, 1);
  first->answers_later = false;
  poll();
  ASSERT_TRUE(told && *told);
  EXPECT_TRUE((*told)->silent.empty());
  ASSERT_EQ((*told)->arrived.size(), 1u);
  EXPECT_EQ((*told)->arrived[0].name, "late");
}

TEST_F(ResourceManagersTest, WhatALateAnswerSaysIsHandedOnBeforeMoreIsAsked) {
  first->down = "no answer within 15 seconds";
  poll();
  first->answers_later = true;
  first->down.reset();
  first->next.nodes = {node_report("n1", Resources(2))};
  poll();
  first->answer_all();
  first->answers_later = false;
  first->next.nodes = {node_report("n1", Resources(8))};
  poll();
  ASSERT_EQ((*told)->nodes.size(), 1u);
  EXPECT_EQ((*told)->nodes[0].node.configured.procs(), 2);
  poll();
  ASSERT_EQ((*told)->nodes.size(), 1u) << "the newer answer comes later";
  EXPECT_EQ((*told)->nodes[0].node.configured.procs(), 8);
}

TEST_F(ResourceManagersTest, NodesThatAreLostAreHandedOn) {
  second->next.lost_nodes = {"n7"};
  poll();
  EXPECT_EQ((*told)->lost_nodes, (std::vector<std::string>{"n7"}));
}

TEST_F(ResourceManagersTest, OneThatAnsweredTheLastTimeIsWaitedFor) {
  poll();
  first->answers_later = true;
  poll();
  EXPECT_FALSE(told);
  first->answer_all();
  EXPECT_TRUE(told && *told);
}

TEST_F(ResourceManagersTest, WhereNoneAnswersThePollFails) {
  first->down = second->down = "connection refused";
  poll();
  ASSERT_TRUE(told);
  EXPECT_FALSE(*told);
}

TEST_F(ResourceManagersTest, OfTwoNodesOfOneNameTheFirstIsTaken) {
  first->next.nodes = {node_report("n1", Resources(2))};
  second->next.nodes = {node_report("n1", Resources(8))};
  poll();
  ASSERT_EQ((*told)->nodes.size(), 1u);
  EXPECT_EQ((*told)->nodes[0].node.configured.procs(), 2);
}

TEST_F(ResourceManagersTest, CommandsGoToTheJobsOwn) {
  Job job;
  job.name = "a";
  job.resource_manager = "two";
  all->cancel(job, kNow, [](const Status& status) { EXPECT_TRUE(status); });
  EXPECT_EQ(second->asked, (std::vector<std::string>{"cancel a"}));
  EXPECT_TRUE(first->asked.empty());
}

}  // namespace
}  // namespace maui
