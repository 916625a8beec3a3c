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

TEST_F(SlicesTest, AllStepsOfAClientComeBeforeMoreOfTheWorkThatCanBePutOff) {
  const auto work = [this] {
    done.push_back("work");
    return true;
  };
  for (int client = 0; client < 2; ++client) {
    io.restart();
    serve(3);
    EXPECT_TRUE(slices.do_between(work));
  }
  EXPECT_THAT(done, ElementsAre("work", "step", "step", "step", "work", "step", "step", "step"));
}

TEST_F(SlicesTest, WorkThatCanBePutOffLeavesNothingInTheLoopThatAClientWouldWaitFor) {
  serve(1);
  EXPECT_TRUE(slices.do_between([] { return true; }));
  io.restart();
  EXPECT_EQ(io.poll(), 0u);
}

TEST_F(SlicesTest, EndlessStepsHaveAsLongAsTheWorkThatCanBePutOffTook) {
  std::function<void()> again = [&] {
    done.push_back("step");
    time += milliseconds(1);
    boost::asio::post(io, again);
  };
  boost::asio::post(io, again);
  slices.do_between([this] {
    time += milliseconds(4);
    return true;
  });
  EXPECT_THAT(done, ElementsAre("step", "step", "step", "step"));
}

TEST_F(SlicesTest, TheLastOfTheWorkThatCanBePutOffServesNobody) {
  serve(1);
  EXPECT_FALSE(slices.do_between([] { return false; }));
  EXPECT_THAT(done, testing::IsEmpty());
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
