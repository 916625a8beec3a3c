#include "daemon/http/cached_reply.h"

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

CachedReply::Shared some_reply() { return std::make_shared<const Reply>(ShutdownReply{1}); }

TEST(CachedReplyTest, IsForTheSameRequestOfTheSameUserFromTheSameHost) {
  boost::asio::io_context io;
  CachedReply cached(io);
  const auto reply = some_reply();
  cached.keep(showq_by("amy"), reply);
  EXPECT_EQ(cached.find(showq_by("amy")), reply);
  EXPECT_EQ(cached.find(showq_by("bob")), nullptr);
  auto elsewhere = showq_by("amy");
  elsewhere.host = "desk7";
  EXPECT_EQ(cached.find(elsewhere), nullptr);
  auto other = showq_by("amy");
  other.flags.emplace("r", "");
  EXPECT_EQ(cached.find(other), nullptr);
}

TEST(CachedReplyTest, IsGoneAfterAChange) {
  boost::asio::io_context io;
  CachedReply cached(io);
  cached.keep(showq_by("amy"), some_reply());
  cached.forget();
  EXPECT_EQ(cached.find(showq_by("amy")), nullptr);
}

TEST(CachedReplyTest, IsGoneAfterAWhile) {
  boost::asio::io_context io;
  CachedReply cached(io, std::chrono::milliseconds(5));
  cached.keep(showq_by("amy"), some_reply());
  EXPECT_TRUE(run_until(io, [&] { return cached.find(showq_by("amy")) == nullptr; }));
}

}  // namespace
}  // namespace maui
