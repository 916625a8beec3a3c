#include "daemon/clients/remembered_reply.h"

#include <gtest/gtest.h>

#include "daemon/test_client.h"

namespace maui {
namespace {

CommandRequest showq_by(std::string user) {
  CommandRequest request;
  request.command = "showq";
  request.user = std::move(user);
  return request;
}

RememberedReply::Shared some_reply() { return std::make_shared<const Reply>(ShutdownReply{1}); }

TEST(RememberedReplyTest, IsForTheSameRequestOfTheSameUserFromTheSameHost) {
  boost::asio::io_context io;
  RememberedReply remembered(io);
  const auto reply = some_reply();
  remembered.keep(showq_by("amy"), reply);
  EXPECT_EQ(remembered.find(showq_by("amy")), reply);
  EXPECT_EQ(remembered.find(showq_by("bob")), nullptr);
  auto elsewhere = showq_by("amy");
  elsewhere.host = "desk7";
  EXPECT_EQ(remembered.find(elsewhere), nullptr);
  auto other = showq_by("amy");
  other.flags.emplace("r", "");
  EXPECT_EQ(remembered.find(other), nullptr);
}

TEST(RememberedReplyTest, IsGoneAfterAChange) {
  boost::asio::io_context io;
  RememberedReply remembered(io);
  remembered.keep(showq_by("amy"), some_reply());
  remembered.forget();
  EXPECT_EQ(remembered.find(showq_by("amy")), nullptr);
}

TEST(RememberedReplyTest, IsGoneAfterAWhile) {
  boost::asio::io_context io;
  RememberedReply remembered(io, std::chrono::milliseconds(5));
  remembered.keep(showq_by("amy"), some_reply());
  EXPECT_TRUE(run_until(io, [&] { return remembered.find(showq_by("amy")) == nullptr; }));
}

}  // namespace
}  // namespace maui
