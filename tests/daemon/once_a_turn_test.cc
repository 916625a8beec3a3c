#include "daemon/once_a_turn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <string>
#include <vector>

namespace maui {
namespace {

using testing::ElementsAre;

TEST(OnceATurnTest, AllWhoAreReadyShareOneAction) {
  boost::asio::io_context io{1};
  std::vector<std::string> done;
  OnceATurn saving{io, [&] { done.emplace_back("save"); }};
  for (const char* name : {"one", "two", "three"})
    boost::asio::post(io, [&, name] {
      done.emplace_back(name);
      saving.ask();
      EXPECT_TRUE(saving.asked());
    });
  io.run();
  EXPECT_THAT(done, ElementsAre("one", "two", "three", "save"));
  EXPECT_FALSE(saving.asked());
}

TEST(OnceATurnTest, WhoAsksInTheActionIsServedInTheNextTurn) {
  boost::asio::io_context io{1};
  int count = 0;
  OnceATurn saving{io, [&] {
                     if (++count < 3) saving.ask();
                   }};
  saving.ask();
  io.run();
  EXPECT_EQ(count, 3);
}

}  // namespace
}  // namespace maui
