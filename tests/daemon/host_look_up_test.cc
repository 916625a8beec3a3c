// Names are looked up beside the loop, and nobody waits for a name server.
#include "daemon/clients/host_look_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "daemon/test_client.h"

namespace maui {
namespace {

using testing::ElementsAre;

TEST(HostLookUpTest, EachNameIsFoundOnceAndInOrder) {
  boost::asio::io_context io;
  std::vector<std::string> found;
  HostLookUp hosts(
      io,
      [&](const std::string& name, const std::vector<std::string>& addresses) {
        found.push_back(name + " " + std::to_string(addresses.size()));
      },
      [](const std::string& name) {
        return std::vector<std::string>(name.size() - 1, "10.0.0.1");
      });
  hosts.begin({"bb", "a", "bb"});
  hosts.begin({"ccc"});
  EXPECT_TRUE(run_until(io, [&] { return found.size() == 3; }));
  EXPECT_THAT(found, ElementsAre("a 0", "bb 1", "ccc 2"));
}

TEST(HostLookUpTest, ItsEndWaitsForNoLookUp) {
  std::promise<void> asked, answered, over;
  {
    boost::asio::io_context io;
    HostLookUp hosts(
        io, [](const auto&, const auto&) { ADD_FAILURE() << "nobody listens any more"; },
        [&](const std::string&) {
          asked.set_value();
          answered.get_future().wait();
          over.set_value_at_thread_exit();
          return std::vector<std::string>{"10.0.0.1"};
        });
    hosts.begin({"slow"});
    asked.get_future().wait();
  }
  answered.set_value();
  over.get_future().wait();
}

}  // namespace
}  // namespace maui
