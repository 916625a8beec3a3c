// A node selector that has to find its answers out: the plan waits for them, and nobody else does.
#include "maui/node_selector.h"

#include "engine/engine_fixture.h"

namespace maui::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Knows nothing until it is told to; then: take the last candidate.
class SlowSelector : public NodeSelector {
 public:
  std::optional<std::vector<NodeTasks>> select(const Cluster&,
                                               const NodeQuestion& question) override {
    owes_ = !knows_;
    if (!knows_) return std::nullopt;
    return std::vector<NodeTasks>{{question.candidates.back().node, 0, 0}};
  }
  bool owes() const override { return owes_; }
  void find_out(std::function<void()> done) override { wait_ = std::move(done); }
  bool waits() const { return wait_ != nullptr; }
  void answer() {
    knows_ = true;
    owes_ = false;
    std::exchange(wait_, nullptr)();
  }

 private:
  bool knows_ = false, owes_ = false;
  std::function<void()> wait_;
};

class NodeSelectorTest : public testing::Test {
 protected:
  NodeSelectorTest() {
    settings.node_access = NodeAccess::shared;
    settings.node_allocation = NodeAllocation::local;
    auto manager = std::make_unique<ScriptedRm>();
    rm = manager.get();
    rm->next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
    rm->next.arrived = {job_report("a", 1)};
    engine =
        std::make_unique<Engine>(settings, std::move(manager), clock, listener, Planner{}, &slow);
    engine->iterate([this] { done = true; });
  }
  Settings settings;
  HandClock clock;
  Listener listener;
  SlowSelector slow;
  ScriptedRm* rm = nullptr;
  std::unique_ptr<Engine> engine;
  bool done = false;
};

TEST_F(NodeSelectorTest, NothingStartsBeforeItsAnswerIsThere) {
  ASSERT_TRUE(slow.waits());
  EXPECT_FALSE(done);
  EXPECT_THAT(rm->asked, IsEmpty());
  clock.time = kNow + Seconds(1);
  slow.answer();
  EXPECT_TRUE(done);
  EXPECT_THAT(rm->asked, ElementsAre("start a on n2:1"));
}

TEST_F(NodeSelectorTest, CommandsGivenMeanwhileCount) {
  ASSERT_TRUE(slow.waits());
  ASSERT_TRUE(engine->cancel_job(engine->cluster().find_job("a")));
  slow.answer();
  EXPECT_TRUE(done);
  EXPECT_THAT(rm->asked, testing::Not(testing::Contains(testing::StartsWith("start"))));
}

}  // namespace
}  // namespace maui::test
