#include "local_rm/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/write.hpp>

#include "daemon/temporary_directory.h"
#include "maui/clock.h"
#include "rm/wiki_link.h"
#include "support/asking_loop.h"

namespace maui {
namespace {

using testing::HasSubstr;

class StoppedClock : public Clock {
 public:
  Time now() const override { return Time(1'000'000); }
};

class LocalServerTest : public testing::Test, public test::AskingLoop {
 protected:
  void SetUp() override { ASSERT_TRUE(server.listen()); }

  WikiReply ask(const std::string& command, std::int64_t generation) {
    WikiRequest request{command, command.starts_with("GET") ? "0:ALL" : "local.1", {}};
    request.generation = generation;
    if (!link) link = make_wiki_dialer(io, {{}, server.port(), Seconds(5), std::nullopt}, clock);
    const auto reply = answer_to<Result<WikiReply>>([&](auto done) {
      link->ask(request, [done](WikiAnswer answer) { done(std::move(answer.reply)); });
    });
    EXPECT_TRUE(reply);
    return reply ? *reply : WikiReply{};
  }

  TemporaryDirectory directory;
  LocalServer server{io, {{}, 0, 0, directory / "socket", std::nullopt, Seconds(300), 0}};
  StoppedClock clock;
  std::unique_ptr<WikiLink> link;
};

constexpr const char* kChanges[] = {"INITIALIZE", "STARTJOB",   "CANCELJOB", "SUSPENDJOB",
                                    "RESUMEJOB",  "REQUEUEJOB", "MODIFYJOB", "SIGNALJOB"};

TEST_F(LocalServerTest, ASchedulerThatLostTheLeaseChangesNothing) {
  for (const char* change : kChanges)
    EXPECT_THAT(ask(change, 6).text, testing::Not(HasSubstr("lease"))) << change;
  ask("GETNODES", 7);
  for (const char* change : kChanges) {
    const auto reply = ask(change, 6);
    EXPECT_EQ(reply.code, kWikiRefused) << change;
    EXPECT_EQ(reply.text, "generation 6 of the lease is over: generation 7 has asked since")
        << change;
    EXPECT_THAT(ask(change, 7).text, testing::Not(HasSubstr("lease"))) << change;
  }
}

TEST_F(LocalServerTest, ASchedulerThatLostTheLeaseMayQueryAndBlocksNobody) {
  ask("GETNODES", 7);
  EXPECT_FALSE(ask("GETJOBS", 6).failed());
  EXPECT_THAT(ask("CANCELJOB", 6).text, HasSubstr("lease"));
}

TEST_F(LocalServerTest, AStartOfVeryManyTasksIsRead) {
  WikiRequest request{"STARTJOB", "local.1", {{"TASKLIST", "n1"}}};
  for (int i = 1; i < 400'000; ++i) request.options.front().second += ":n1";
  link = make_wiki_dialer(io, {{}, server.port(), Seconds(15), std::nullopt}, clock);
  const auto reply = answer_to<Result<WikiReply>>([&](auto done) {
    link->ask(request, [done](WikiAnswer answer) { done(std::move(answer.reply)); });
  });
  ASSERT_TRUE(reply) << reply.error().what;
  EXPECT_TRUE(reply->failed()) << "there is no such job";
}

TEST_F(LocalServerTest, AVisitorWhoAsksNothingIsSentAwayAtTheDeadline) {
  LocalServerOptions options;
  options.socket = directory / "impatient";
  options.deadline = std::chrono::seconds(0);
  LocalServer impatient(io, options);
  ASSERT_TRUE(impatient.listen());
  using Local = boost::asio::local::stream_protocol;
  Local::socket idle(io);
  idle.connect(Local::endpoint(options.socket));
  std::array<char, 1> byte{};
  const auto ended = answer_to<Status>([&](auto done) {
    idle.async_read_some(boost::asio::buffer(byte), [done](boost::system::error_code why, auto) {
      done(why == boost::asio::error::eof ? Status(Done{}) : Status(Error{why.message()}));
    });
  });
  EXPECT_TRUE(ended) << ended.error().what;
}

TEST_F(LocalServerTest, RequestsUnderWayShareABoundedMemory) {
  using Tcp = boost::asio::ip::tcp;
  LocalServerOptions options;
  options.socket = directory / "small";
  options.most_bytes = 100'000;
  LocalServer small(io, options);
  ASSERT_TRUE(small.listen());
  const Tcp::endpoint at(boost::asio::ip::address_v4::loopback(),
                         static_cast<unsigned short>(small.port()));
  Tcp::socket first(io), second(io);
  std::array<char, 1> byte{};
  const auto sends = [&](Tcp::socket& visitor) {
    visitor.connect(at);
    const std::string part = "01000000 " + std::string(60'000, 'x');
    boost::asio::write(visitor, boost::asio::buffer(part));
  };
  int ended = 0;
  const auto awaits_end = [&](Tcp::socket& visitor) {
    visitor.async_read_some(boost::asio::buffer(byte),
                            [&](boost::system::error_code, std::size_t) { ++ended; });
  };
  sends(first);
  sends(second);
  awaits_end(first);
  awaits_end(second);
  run_until([&] { return ended == 1; });
  io.restart();
  io.run_for(std::chrono::milliseconds(50));
  EXPECT_EQ(ended, 1) << "the other has room";
}

TEST(LocalServer, APathTooLongForASocketIsRefused) {
  boost::asio::io_context io;
  LocalServerOptions options;
  options.socket = "/tmp/" + std::string(103, 's');
  const auto status = LocalServer(io, options).listen();
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().what, HasSubstr("108 bytes: expected at most 107"));
  EXPECT_TRUE(socket_place(options.socket.substr(1)));
}

TEST_F(LocalServerTest, APairThatComesAfterASchedulerWithoutALeaseCountsFromOne) {
  ask("GETNODES", 7);
  ask("GETNODES", 0);
  EXPECT_THAT(ask("CANCELJOB", 1).text, testing::Not(HasSubstr("lease")));
}

}  // namespace
}  // namespace maui
