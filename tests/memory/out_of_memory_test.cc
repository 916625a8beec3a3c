// Memory that runs out at any moment of planning, or of a command: every allocation of it fails
// once.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <utility>

#include "cmd/command_fixture.h"
#include "cmd/execution.h"
#include "engine/checkpoint/checkpoint.h"
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

// RE2 keeps what it has allocated for an expression when it cannot allocate the rest.
extern "C" const char* __lsan_default_suppressions() { return "leak:libre2.so\n"; }

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

/// While it lives, that allocation fails.
struct Failing {
  explicit Failing(long at) { until_failure = at; }
  ~Failing() { until_failure = -1; }
  Failing(const Failing&) = delete;
  Failing& operator=(const Failing&) = delete;
};

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
          const Failing failing(fails_at);
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

// A scheduler that learns that a command is half done begins anew from the checkpoint before it.
class OutOfMemoryCommandTest : public CommandTest {
 protected:
  enum class End { done, refused, half_done };
  /// As root asks, the n-th allocation failing.
  End execute(CommandRequest request, long fails_at) {
    request.user = "root";
    Execution execution(engine(), server, std::move(request));
    const Failing failing(fails_at);
    try {
      const auto reply = execution.go_on([] { return false; });
      until_failure = -1;
      const auto* refusal = std::get_if<Refusal>(&*reply);
      EXPECT_EQ(refusal, nullptr) << refusal->reason;
      return End::done;
    } catch (const std::bad_alloc&) {
      return End::refused;
    } catch (const HalfDone&) {
      return End::half_done;
    }
  }
  std::string state() { return checkpoint_text(engine().cluster(), engine().checkpoint()); }
};

TEST_F(OutOfMemoryCommandTest, ACommandThatThereIsNoMemoryForChangesNothingOrIsKnownToBeHalfDone) {
  CommandRequest priority, hold, reserve, look;
  priority.command = "setspri";
  priority.operands = {"5", "b"};
  hold.command = "sethold";
  hold.operands = {"x:.*"};
  reserve.command = "setres";
  reserve.operands = {"ALL"};
  look.command = "showq";
  for (const CommandRequest& request : {priority, hold, reserve, look}) {
    SCOPED_TRACE(request.command);
    int refused = 0, half_done = 0;
    for (long fails_at = 0;; ++fails_at) {
      engine();
      const auto before = state();
      const End end = execute(request, fails_at);
      if (end == End::done) break;
      ++(end == End::refused ? refused : half_done);
      if (end == End::half_done)
        begin_anew();
      else
        ASSERT_EQ(state(), before) << fails_at;
    }
    EXPECT_GT(refused + half_done, 0);
    EXPECT_EQ(half_done > 0, request.command != "showq");
    begin_anew();
  }
}

}  // namespace
}  // namespace maui::test
