#include "rm/resource_managers.h"

#include <gtest/gtest.h>

#include <map>

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
    auto first_rm = std::make_unique<NamedRm>("one"), second_rm = std::make_unique<NamedRm>("two");
    first = first_rm.get();
    second = second_rm.get();
    std::vector<std::unique_ptr<ResourceManager>> parts;
    parts.push_back(std::move(first_rm));
    parts.push_back(std::move(second_rm));
    all = std::make_unique<ResourceManagers>(
        std::move(parts), [this] { ++woken; },
        [this](const std::string& name, std::function<void()> over) {
          patience[name] = std::move(over);
        });
  }
  /// The patience with both is over.
  void lose_patience() {
    for (const auto& [name, over] : std::exchange(patience, {})) over();
  }
  std::vector<std::string> late() const {
    std::vector<std::string> names;
    for (const UnreachableManager& manager : (*answer)->silent)
      if (manager.late) names.push_back(manager.manager);
    return names;
  }

  /// Asks all of them; `answer` is set when it has come.
  void poll() {
    answer.reset();
    all->poll(cluster, kNow, [this](Result<Update> update) { answer = std::move(update); });
  }

  Cluster cluster;
  NamedRm *first = nullptr, *second = nullptr;
  std::unique_ptr<ResourceManagers> all;
  std::optional<Result<Update>> answer;
  int woken = 0;
  std::map<std::string, std::function<void()>> patience;
};

TEST_F(ResourceManagersTest, MergesTheAnswersOfAllManagers) {
  first->next.nodes = {node_report("n1", Resources(2))};
  second->next.nodes = {node_report("n2", Resources(2))};
  second->next.arrived = {job_report("a", 1)};
  poll();
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ((*answer)->nodes.size(), 2u);
  EXPECT_EQ((*answer)->arrived.size(), 1u);
  EXPECT_TRUE((*answer)->silent.empty());
}

TEST_F(ResourceManagersTest, TheLastAnswerIsTheTimeOfAll) {
  first->next.answered = kNow + Seconds(5);
  second->next.answered = kNow + Seconds(2);
  poll();
  EXPECT_EQ((*answer)->answered, kNow + Seconds(5));
}

TEST_F(ResourceManagersTest, ManagersWithAnIncompleteListOfJobsAreNamed) {
  second->next.incomplete = {"two"};
  poll();
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ((*answer)->incomplete, (std::vector<std::string>{"two"}));
}

TEST_F(ResourceManagersTest, JobsAreBoundToTheNodesOfTheirOwn) {
  first->next.nodes = {node_report("n1", Resources(2))};
  second->next.arrived = {job_report("a", 1)};
  poll();
  EXPECT_EQ((*answer)->nodes[0].features, (std::vector<std::string>{"rm:one"}));
  EXPECT_EQ((*answer)->arrived[0].features.at(0), (std::vector<std::string>{"rm:two"}));
}

TEST_F(ResourceManagersTest, AFailedManagerIsNamedAndTheOthersCount) {
  first->down = "connection refused";
  second->next.arrived = {job_report("a", 1)};
  poll();
  ASSERT_TRUE(answer && *answer);
  ASSERT_EQ((*answer)->silent.size(), 1u);
  EXPECT_EQ((*answer)->silent[0].manager, "one");
  EXPECT_EQ((*answer)->silent[0].why, "connection refused");
  EXPECT_EQ((*answer)->arrived.size(), 1u);
}

TEST_F(ResourceManagersTest, DoesNotWaitAgainForASilentManager) {
  first->down = "no answer within 15 seconds";
  poll();
  first->answers_later = true;
  first->down.reset();
  first->next.arrived = {job_report("late", 1)};
  poll();
  ASSERT_TRUE(answer && *answer) << "the other one is enough";
  EXPECT_EQ((*answer)->silent.size(), 1u);
  first->answer_all();
  EXPECT_EQ(woken, 1);
  first->answers_later = false;
  poll();
  ASSERT_TRUE(answer && *answer);
  EXPECT_TRUE((*answer)->silent.empty());
  ASSERT_EQ((*answer)->arrived.size(), 1u);
  EXPECT_EQ((*answer)->arrived[0].name, "late");
}

TEST_F(ResourceManagersTest, DeliversALateAnswerBeforeAskingAgain) {
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
  ASSERT_EQ((*answer)->nodes.size(), 1u);
  EXPECT_EQ((*answer)->nodes[0].node.configured.procs(), 2);
  poll();
  ASSERT_EQ((*answer)->nodes.size(), 1u) << "the newer answer comes later";
  EXPECT_EQ((*answer)->nodes[0].node.configured.procs(), 8);
}

TEST_F(ResourceManagersTest, NodesThatAreLostAreHandedOn) {
  second->next.lost_nodes = {"n7"};
  poll();
  EXPECT_EQ((*answer)->lost_nodes, (std::vector<std::string>{"n7"}));
}

TEST_F(ResourceManagersTest, WaitsForAManagerThatAnsweredLastTime) {
  poll();
  first->answers_later = true;
  poll();
  EXPECT_FALSE(answer);
  first->answer_all();
  EXPECT_TRUE(answer && *answer);
}

class SlowManagersTest : public ResourceManagersTest {
 protected:
  /// The first one has not answered while there was patience, and the second one has.
  void SetUp() override {
    first->answers_later = true;
    first->next.arrived = {job_report("late", 1)};
    first->next.certain = {"one"};
    poll();
    EXPECT_FALSE(answer);
    lose_patience();
  }
};

TEST_F(SlowManagersTest, OthersWaitForOneThatIsSlowAsLongAsThereIsPatience) {
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ(late(), (std::vector<std::string>{"one"}));
  EXPECT_TRUE((*answer)->arrived.empty());
}

TEST_F(SlowManagersTest, ThenTheyDoNotWaitForItAtAll) {
  poll();
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ(late(), (std::vector<std::string>{"one"}));
  EXPECT_EQ(woken, 0);
  first->answer_all();
  EXPECT_EQ(woken, 1);
  poll();
  ASSERT_TRUE(answer && *answer);
  EXPECT_TRUE((*answer)->silent.empty());
  ASSERT_EQ((*answer)->arrived.size(), 1u);
  EXPECT_EQ((*answer)->certain, (std::vector<std::string>{"one"}));
  poll();
  ASSERT_TRUE(answer && *answer) << "it was late the last time";
  EXPECT_EQ(late(), (std::vector<std::string>{"one"}));
}

TEST_F(SlowManagersTest, UntilItAnswersInTime) {
  first->answer_all();
  poll();
  poll();
  first->answer_all();  // the patience still lasts
  poll();
  poll();
  EXPECT_FALSE(answer);
  first->answer_all();
  ASSERT_TRUE(answer && *answer);
  EXPECT_TRUE((*answer)->silent.empty());
}

// Nothing would be known.
TEST_F(SlowManagersTest, TheFirstAnswerIsWaitedForIfAllAreSlow) {
  first->answer_all();
  poll();
  second->answers_later = true;
  poll();
  lose_patience();
  EXPECT_FALSE(answer);
  second->answer_all();
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ(late(), (std::vector<std::string>{"one"}));
  poll();
  EXPECT_FALSE(answer) << "both were late";
  first->answer_all();
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ(late(), (std::vector<std::string>{"two"}));
}

TEST_F(SlowManagersTest, OneThatFailsIsNoAnswerForThem) {
  second->down = "connection refused";
  poll();
  EXPECT_FALSE(answer);
  first->answer_all();
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ((*answer)->arrived.size(), 1u);
  ASSERT_EQ((*answer)->silent.size(), 1u);
  EXPECT_EQ((*answer)->silent[0].manager, "two");
}

// The answer was computed before the command.
TEST_F(SlowManagersTest, ALateAnswerIsNotCertainIfACommandFollowedIt) {
  first->answer_all();
  Job job;
  job.resource_manager = "one";
  all->cancel(job, CancelCause::asked, kNow, [](const Status&) {});
  poll();
  EXPECT_EQ((*answer)->arrived.size(), 1u);
  EXPECT_TRUE((*answer)->certain.empty());
}

TEST_F(ResourceManagersTest, ThePollFailsIfNoManagerAnswers) {
  first->down = second->down = "connection refused";
  poll();
  ASSERT_TRUE(answer);
  EXPECT_FALSE(*answer);
}

TEST_F(ResourceManagersTest, TheFirstOfTwoNodesWithTheSameNameCounts) {
  first->next.nodes = {node_report("n1", Resources(2))};
  second->next.nodes = {node_report("n1", Resources(8))};
  poll();
  ASSERT_EQ((*answer)->nodes.size(), 1u);
  EXPECT_EQ((*answer)->nodes[0].node.configured.procs(), 2);
}

TEST_F(ResourceManagersTest, CommandsGoToTheJobsOwn) {
  Job job;
  job.name = "a";
  job.resource_manager = "two";
  all->cancel(job, CancelCause::asked, kNow, [](const Status& status) { EXPECT_TRUE(status); });
  EXPECT_EQ(second->asked, (std::vector<std::string>{"cancel a"}));
  EXPECT_TRUE(first->asked.empty());
}

}  // namespace
}  // namespace maui
