#include "daemon/slices.h"

#include <gmock/gmock.h>

#include <boost/asio/post.hpp>
#include <string>
#include <vector>

namespace maui {
namespace {

using testing::ElementsAre;

using std::chrono::milliseconds;

struct SlicesTest : testing::Test {
  boost::asio::io_context io;
  std::chrono::steady_clock::time_point time;  // stands still unless a test moves it
  Slices slices{io, [this] { return time; }};
  std::vector<std::string> done;

  void add(const std::string& name) {
    slices.add([this, name] { done.push_back(name); });
  }
  /// A client each of whose steps makes the next one possible.
  void serve(int steps) {
    boost::asio::post(io, [this, steps] {
      done.push_back("step");
      if (steps > 1) serve(steps - 1);
    });
  }
};

TEST(GatheringTimeTest, CommandsAreGatheredForACheckpointNoLongerThanTheLastOneTook) {
  EXPECT_EQ(gathering_time(milliseconds(20)), milliseconds(20));
  EXPECT_EQ(gathering_time(milliseconds(400)), milliseconds(25));
}
TEST(GatheringTimeTest, HoweverShortItWasACommandHasTime) {
  EXPECT_EQ(gathering_time(milliseconds(0)), milliseconds(5));
}

TEST_F(SlicesTest, AreDoneInTheOrderInWhichTheyCame) {
  add("a");
  add("b");
  while (slices.any()) slices.do_next();
  EXPECT_THAT(done, ElementsAre("a", "b"));
}

TEST_F(SlicesTest, AllReadyStepsComeBeforeTheNextSlice) {
  add("a");
  serve(3);
  slices.let_others();
  slices.do_next();
  EXPECT_THAT(done, ElementsAre("step", "step", "step", "a"));
}

TEST_F(SlicesTest, EndlessStepsHaveAsLongAsTheLastSliceTook) {
  slices.add([this] { time += milliseconds(3); });
  slices.do_next();
  std::function<void()> again = [&] {
    done.push_back("step");
    time += milliseconds(1);
    boost::asio::post(io, again);
  };
  boost::asio::post(io, again);
  slices.let_others();
  EXPECT_THAT(done, ElementsAre("step", "step", "step"));
}

TEST_F(SlicesTest, ASliceMayAddTheNext) {
  slices.add([this] { add("b"); });
  slices.do_next();
  ASSERT_TRUE(slices.any());
  slices.do_next();
  EXPECT_THAT(done, ElementsAre("b"));
}

}  // namespace
}  // namespace maui
