// Memory that runs out at any moment of planning: every allocation of it fails once.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <utility>

#include "engine/engine_fixture.h"

namespace {

long until_failure = -1;  // allocations; less than 0: none fails
bool failed = false;

void* allocate(std::size_t size) {
  if (until_failure >= 0 && until_failure-- == 0) {
    failed = true;
    throw std::bad_alloc();
  }
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace maui::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Plans with the scheduler's own planner, the n-th allocation of which fails.
class OutOfMemoryTest : public testing::Test {
 protected:
  OutOfMemoryTest() {
    settings.node_access = NodeAccess::shared;
    auto manager = std::make_unique<ScriptedRm>();
    rm = manager.get();
    engine = std::make_unique<Engine>(
        settings, std::move(manager), clock, listener,
        [this, own = cycle_planner()](const Cluster& cluster, const Settings& now_set, Time now) {
          struct Failing {
            explicit Failing(long at) { until_failure = at; }
            ~Failing() { until_failure = -1; }
          } const failing(fails_at);
          return own(cluster, now_set, now);
        });
  }
  void iterate() {
    failed = false;
    clock.time = clock.time + Seconds(1);
    engine->iterate([this] { ++done; });
  }

  Settings settings;
  HandClock clock;
  Listener listener;
  ScriptedRm* rm = nullptr;
  std::unique_ptr<Engine> engine;
  long fails_at = 0;
  int done = 0;
};

TEST_F(OutOfMemoryTest, APlanThatThereIsNoMemoryForIsGivenUpWholeAndTheNextIsMade) {
  rm->next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
  // One can start, one is reserved for, one is backfilled.
  rm->next.arrived = {job_report("a", 1), job_report("b", 4), job_report("c", 1, minutes(1))};
  for (;; fails_at += fails_at < 500 ? 1 : 17) {
    SCOPED_TRACE(fails_at);
    const int before = done;
    listener.lines.clear();
    iterate();
    ASSERT_EQ(done, before + 1) << "the iteration comes to its end";
    ASSERT_EQ(engine->cluster().check(), std::nullopt);
    if (!failed) break;
    ASSERT_EQ(engine->cluster().active().size(), 0U);
    ASSERT_EQ(engine->cluster().reservations().size(), 0U);
    ASSERT_EQ(engine->cluster().waiting().size(), 3U);
    ASSERT_TRUE(rm->asked.empty());
    ASSERT_THAT(listener.lines,
                Contains(HasSubstr("0 ALERT: memory is short: nothing is planned")));
  }
  EXPECT_GT(fails_at, 20) << "so many allocations have failed";
  EXPECT_FALSE(engine->cluster().active().empty());
}

}  // namespace
}  // namespace maui::test
