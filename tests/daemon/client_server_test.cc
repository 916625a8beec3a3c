#include "daemon/clients/client_server.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <list>

#include "daemon/dead_socket.h"
#include "daemon/files/lock_file.h"
#include "daemon/files/lock_holders.h"
#include "daemon/temporary_directory.h"
#include "daemon/test_client.h"
#include "proto/message.h"

namespace maui {
namespace {

using std::chrono::milliseconds;
using testing::Contains;
using testing::HasSubstr;

const std::string kSecret(64, 'c');

std::string me() { return ::getpwuid(::getuid())->pw_name; }

class ClientServerTest : public testing::Test {
 protected:
  void start(ClientServerOptions options) {
    if (hosts_by_address_)
      options.party = [](const Peer& peer) {
        return peer.local_socket ? peer.party : peer.address.substr(0, peer.address.rfind(':'));
      };
    server_.emplace(
        io_, options,
        [this](const Caller& caller, std::string_view data) -> ClientServer::Work {
          if (handler_) return handler_(caller, data);
          callers_.push_back(caller);
          return [this, said = std::string(data)] {
            ClientServer::Slice slice(reply_prefix_ + said);
            slice.changed = said == changes_;
            if (slice.changed) server_->keep_replies();
            return slice;
          };
        },
        [this](int, const std::string& party, std::string_view text) {
          log_.emplace_back(text);
          blamed_.push_back(party);
        });
    ASSERT_TRUE(server_->listen_at(home_ / "maui.sock"));
    ASSERT_TRUE(server_->listen_at("localhost", 0));
  }
  void start() {
    ClientServerOptions options;
    options.secret = kSecret;
    start(options);
  }

  NetworkClient network() {
    return {
        io_,
        {boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(server_->port())}};
  }
  NetworkClient other_host(const std::string& address = "127.0.0.2") {
    return {io_,
            {boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(server_->port())},
            {boost::asio::ip::make_address_v4(address), 0}};
  }
  LocalClient local() { return {io_, {home_ / "maui.sock"}}; }
  std::string request(std::string_view data, std::int64_t late = 0,
                      std::string_view challenge = {}) {
    return sign(kSecret,
                {.timestamp = std::time(nullptr) - late, .user = "amy", .challenge = challenge},
                data)
        .text;
  }
  static std::string challenge_in(const std::optional<std::string>& answer) {
    const auto message = parse_message(answer.value_or(""));
    return message ? message->challenge : "";
  }

  bool hosts_by_address_ = true;  // where all addresses are this host's
  TemporaryDirectory home_;
  boost::asio::io_context io_{1};
  std::vector<std::string> log_, blamed_;  // lines, and who caused each
  std::vector<Caller> callers_;
  std::string reply_prefix_ = "you said ";
  std::string changes_ = "-";      // a request that changes something
  ClientServer::Handler handler_;  // none: says what was said
  std::optional<ClientServer> server_;
};

TEST_F(ClientServerTest, AnswersAnAuthenticRequestWithAnAuthenticReplyToIt) {
  start();
  auto client = network();
  const auto sent = sign(kSecret, {std::time(nullptr), "amy"}, "showq");
  client.send_message(sent.text);
  const auto answer = client.answer();
  ASSERT_TRUE(answer);
  const auto message = parse_message(*answer);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->data, "you said showq");
  EXPECT_EQ(message->in_reply_to, sent.checksum);
  EXPECT_TRUE(authentic(*message, kSecret));
  ASSERT_EQ(callers_.size(), 1u);
  EXPECT_EQ(callers_[0].user, "amy");
  EXPECT_EQ(callers_[0].host, "") << "the loopback interface is this machine";
}

TEST_F(ClientServerTest, TakesSeveralRequestsOnOneConnectionEvenAtOnce) {
  start();
  auto client = network();
  client.send(*encode_frame(request("a")) + *encode_frame(request("b")));
  ASSERT_TRUE(client.answer());
  ASSERT_TRUE(client.answer());
  client.send_message(request("c"));
  const auto last = client.answer();
  ASSERT_TRUE(last);
  EXPECT_THAT(*last, HasSubstr("DT=you said c"));
}

/// A request that waits for an answer about `job`.
struct WaitingWork {
  std::shared_ptr<AwaitedAnswers> answers = std::make_shared<AwaitedAnswers>();
  std::shared_ptr<AwaitedAnswer> answer = std::make_shared<AwaitedAnswer>();
  int calls = 0;

  WaitingWork() { answers->add("job", CommandResult(Done{}, answer)); }
  ClientServer::Slice go_on() {
    ++calls;
    if (!answers->any()) return {"done"};
    ClientServer::Slice slice;
    slice.awaited = answers;
    return slice;
  }
};

TEST_F(ClientServerTest, ARequestThatWaitsForAnAnswerTakesNoTurnsUntilItComes) {
  WaitingWork work;
  handler_ = [&](const Caller&, std::string_view data) -> ClientServer::Work {
    if (data == "other") return [] { return ClientServer::Slice("other done"); };
    return [&] { return work.go_on(); };
  };
  start();
  auto client = local();
  client.send_message(sign("", {std::time(nullptr), me()}, "cancel").text);
  auto other = local();
  other.send_message(sign("", {std::time(nullptr), me()}, "other").text);
  ASSERT_TRUE(other.answer()) << "others are served meanwhile";
  while (work.calls == 0) io_.run_one();
  EXPECT_EQ(work.calls, 1);
  work.answer->then(Status(Done{}));
  const auto answer = client.answer();
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, HasSubstr("DT=done"));
  EXPECT_EQ(work.calls, 2);
}

TEST_F(ClientServerTest, ARequestThatWaitsForAnAnswerIsAnsweredBeforeTheSchedulerEnds) {
  WaitingWork work;
  handler_ = [&](const Caller&, std::string_view) -> ClientServer::Work {
    return [&] { return work.go_on(); };
  };
  start();
  auto client = local();
  client.send_message(sign("", {std::time(nullptr), me()}, "cancel").text);
  while (work.calls == 0) io_.run_one();
  server_->wait_no_longer();
  const auto answer = client.answer();
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, HasSubstr("DT=done"));
}

TEST_F(ClientServerTest, ARequestThatWaitsForAnAnswerIsAnsweredBeforeItsClientGoes) {
  WaitingWork work;
  handler_ = [&](const Caller&, std::string_view) -> ClientServer::Work {
    return [&] { return work.go_on(); };
  };
  ClientServerOptions options;
  options.secret = kSecret;
  options.timeout = milliseconds(300);
  start(options);
  auto client = local();
  client.send_message(sign("", {std::time(nullptr), me()}, "cancel").text);
  const auto answer = client.answer();
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, HasSubstr("DT=done"));
}

TEST_F(ClientServerTest, RefusesAWrongKeyWithoutAnAnswerAndLogsWho) {
  start();
  auto client = network();
  client.send_message(sign(std::string(64, 'd'), {std::time(nullptr), "root"}, "x").text);
  EXPECT_FALSE(client.answer());
  EXPECT_TRUE(callers_.empty());
  EXPECT_THAT(log_, Contains(testing::AllOf(HasSubstr("127.0.0.1:"), HasSubstr("wrong checksum"))));
}

TEST_F(ClientServerTest, RefusesAMissingChecksumOnTheNetwork) {
  start();
  auto client = network();
  client.send_message(sign("", {std::time(nullptr), "root"}, "x").text);
  EXPECT_FALSE(client.answer());
  EXPECT_TRUE(callers_.empty());
}

TEST_F(ClientServerTest, RefusesARepeatedMessage) {
  start();
  const auto text = request("showq");
  auto first = network();
  first.send_message(text);
  ASSERT_TRUE(first.answer());
  auto second = network();
  second.send_message(text);
  EXPECT_FALSE(second.answer());
  EXPECT_EQ(callers_.size(), 1u);
  EXPECT_THAT(log_, Contains(HasSubstr("repeats an earlier message")));
}

TEST_F(ClientServerTest, RefusesATimeOutsideTheWindow) {
  start();
  for (const int late : {400, -400}) {
    auto client = network();
    client.send_message(request("x", late));
    EXPECT_FALSE(client.answer()) << late;
  }
  EXPECT_TRUE(callers_.empty());
  EXPECT_THAT(log_, Contains(HasSubstr("CLIENTMAXSKEW")));
}

TEST_F(ClientServerTest, RefusesAReplyThatIsSentBack) {
  start();
  auto client = network();
  client.send_message(
      sign(kSecret, {.timestamp = std::time(nullptr), .user = "amy", .in_reply_to = "cafe"}, "x")
          .text);
  EXPECT_FALSE(client.answer());
}

TEST_F(ClientServerTest, TheKernelNamesTheUserOfTheSocket) {
  start();
  auto client = local();
  client.send_message(sign("", {std::time(nullptr), me()}, "x").text);
  ASSERT_TRUE(client.answer());
  ASSERT_EQ(callers_.size(), 1u);
  EXPECT_EQ(callers_[0].user, me());
}

TEST_F(ClientServerTest, RefusesAnotherNameThanTheKernels) {
  start();
  auto client = local();
  client.send_message(sign("", {std::time(nullptr), "somebody-else"}, "x").text);
  EXPECT_FALSE(client.answer());
  EXPECT_TRUE(callers_.empty());
  EXPECT_THAT(log_, Contains(HasSubstr("sent AUTH=somebody-else")));
}

TEST_F(ClientServerTest, EveryUserMayWriteToTheSocketAndItGoesWithTheServer) {
  start();
  struct stat about {};
  ASSERT_EQ(::stat((home_ / "maui.sock").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0666u);
  server_.reset();
  EXPECT_NE(::stat((home_ / "maui.sock").c_str(), &about), 0);
}

// As where the home directory has been given to somebody else: those who can reach it are served.
TEST_F(ClientServerTest, ASocketAtWhichItMayNotLookIsNotGivenUp) {
  start();
  ASSERT_EQ(::chmod(home_.path().c_str(), 0), 0);
  const bool root = ::geteuid() == 0;  // who may look everywhere
  if (root) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  server_->look_after_socket();
  if (root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  ASSERT_EQ(::chmod(home_.path().c_str(), 0700), 0);
  EXPECT_TRUE(log_.empty());
  auto client = local();
  client.send_message(sign("", {std::time(nullptr), me()}, "x").text);
  EXPECT_TRUE(client.answer());
}

TEST_F(ClientServerTest, ASocketThatWasLostIsMadeAgain) {
  start();
  auto before = local();
  ASSERT_TRUE(run_until(io_, [&] { return server_->connections() == 1; }));
  ASSERT_EQ(::unlink((home_ / "maui.sock").c_str()), 0);
  server_->look_after_socket();
  auto after = local();
  for (auto* client : {&before, &after}) {
    client->send_message(sign("", {std::time(nullptr), me()}, "x").text);
    EXPECT_TRUE(client->answer());
  }
  EXPECT_THAT(log_, Contains(HasSubstr("has been created again")));
  log_.clear();
  server_->look_after_socket();
  EXPECT_TRUE(log_.empty()) << "it is there";
}

TEST_F(ClientServerTest, ASocketOfAnotherServerIsLeftInItsPlace) {
  start();
  ASSERT_EQ(::unlink((home_ / "maui.sock").c_str()), 0);
  ClientServer other(
      io_, {}, [](const Caller&, std::string_view) { return ClientServer::Work(); },
      [](int, const std::string&, std::string_view) {});
  ASSERT_TRUE(other.listen_at(home_ / "maui.sock"));
  server_.reset();
  EXPECT_EQ(::access((home_ / "maui.sock").c_str(), F_OK), 0);
}

TEST_F(ClientServerTest, OnlyASocketWhereNobodyListensIsReplaced) {
  const std::string path = home_ / "maui.sock";
  start();
  const auto what_another_is_told = [&] {
    ClientServer other(
        io_, {}, [](const Caller&, std::string_view) { return ClientServer::Work(); },
        [](int, const std::string&, std::string_view) {});
    const auto status = other.listen_at(path);
    return status ? "" : status.error().what;
  };
  EXPECT_THAT(what_another_is_told(), HasSubstr("another program uses that socket"));
  EXPECT_TRUE(std::filesystem::is_socket(path));
  server_.reset();
  std::ofstream(path) << "notes\n";
  EXPECT_THAT(what_another_is_told(), HasSubstr("a file that is not a socket"));
  EXPECT_EQ(std::filesystem::file_size(path), 6U);
  std::filesystem::remove(path);
  leave_dead_socket(io_, path);
  EXPECT_EQ(what_another_is_told(), "");
}

TEST_F(ClientServerTest, ASocketAtWhichNobodyIsAcceptedIsReplaced) {
  const std::string path = home_ / "maui.sock";
  boost::asio::local::stream_protocol::acceptor hung(io_);
  hung.open();
  hung.bind(boost::asio::local::stream_protocol::endpoint(path));
  hung.listen(0);
  boost::asio::local::stream_protocol::socket waits(io_);
  waits.connect(boost::asio::local::stream_protocol::endpoint(path));
  ClientServer next(
      io_, {}, [](const Caller&, std::string_view) { return ClientServer::Work(); },
      [](int, const std::string&, std::string_view) {});
  EXPECT_TRUE(next.listen_at(path));
}

TEST_F(ClientServerTest, AProcessThatHasEndedIsKnownToBeEnding) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(is_ending(child));
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(is_ending(child));
  EXPECT_FALSE(is_ending(::getpid()));
}

TEST_F(ClientServerTest, ASchedulerThatHasLostItsLeaseGivesUpItsSocket) {
  start();
  const auto lock =
      LockFile::take(home_ / "maui.pid", LockFile::With::holders_of_leases);  // of our process
  ASSERT_TRUE(lock);
  ClientServer next(
      io_, {}, [](const Caller&, std::string_view) { return ClientServer::Work(); },
      [](int, const std::string&, std::string_view) {});
  EXPECT_TRUE(next.listen_at(home_ / "maui.sock"));
}

TEST_F(ClientServerTest, AFileInThePlaceOfALostSocketIsLeftAloneAndReportedOnce) {
  const std::string path = home_ / "maui.sock";
  start();
  ASSERT_EQ(::unlink(path.c_str()), 0);
  std::ofstream(path) << "notes\n";
  for (int i = 0; i < 3; ++i) server_->look_after_socket();
  EXPECT_THAT(log_, testing::ElementsAre(HasSubstr("a file that is not a socket")));
  EXPECT_EQ(std::filesystem::file_size(path), 6U);
  std::filesystem::remove(path);
  server_->look_after_socket();
  EXPECT_THAT(log_, Contains(HasSubstr("has been created again")));
  EXPECT_TRUE(std::filesystem::is_socket(path));
}

TEST_F(ClientServerTest, ARequestThatThereIsNoMemoryForCostsItsConnectionAlone) {
  start();
  handler_ = [](const Caller&, std::string_view data) -> ClientServer::Work {
    if (data == "much") return []() -> std::optional<std::string> { throw std::bad_alloc(); };
    return [reply = std::string(data)] { return std::optional(reply); };
  };
  auto greedy = network(), modest = network();
  greedy.send_message(request("much"));
  modest.send_message(request("little"));
  EXPECT_TRUE(modest.answer());
  EXPECT_TRUE(greedy.closed_by_server());
  EXPECT_THAT(log_, Contains(HasSubstr("not enough memory")));
}

TEST_F(ClientServerTest, AMalformedClientLosesItsConnectionAndNoOtherDoes) {
  start();
  auto good = network();
  for (const std::string& bytes :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(64, '\0'), std::string("00000005 hello"),
        std::string("99999999 "), std::string("\xff\xff\xff")}) {
    auto bad = network();
    bad.send(bytes);
    EXPECT_TRUE(bad.closed_by_server()) << bytes;
  }
  good.send_message(request("still here"));
  EXPECT_TRUE(good.answer());
}

TEST_F(ClientServerTest, AHugeRequestIsRefusedByItsSizeAlone) {
  start();
  auto client = network();
  client.send("01048641");
  EXPECT_TRUE(client.closed_by_server());
  EXPECT_THAT(log_, Contains(HasSubstr("above the limit of 1048640")));
}

TEST_F(ClientServerTest, ASilentOrSlowClientIsClosedInTimeWhileOthersAreServed) {
  ClientServerOptions options;
  options.secret = kSecret;
  options.timeout = milliseconds(100);
  start(options);
  auto silent = network();
  auto slow = network();
  slow.send("000001");
  auto good = network();
  good.send_message(request("quick"));
  EXPECT_TRUE(good.answer());
  EXPECT_TRUE(silent.closed_by_server());
  EXPECT_TRUE(slow.closed_by_server());
  EXPECT_THAT(log_, Contains(HasSubstr("WARNING: client")));
}

TEST_F(ClientServerTest, AClientThatDoesNotTakeItsReplyIsClosedInTime) {
  ClientServerOptions options;
  options.secret = kSecret;
  options.timeout = milliseconds(100);
  start(options);
  reply_prefix_.assign(30'000'000, 'x');
  // Reads nothing: a bare socket instead of a TestClient.
  boost::asio::ip::tcp::socket lazy(io_);
  lazy.connect(
      {boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(server_->port())});
  boost::asio::write(lazy, boost::asio::buffer(*encode_frame(request("much"))));
  ASSERT_TRUE(run_until(io_, [&] { return server_->connections() == 1; }));
  EXPECT_TRUE(run_until(io_, [&] { return server_->connections() == 0; }));
  EXPECT_THAT(log_, Contains(HasSubstr("did not take its reply")));
}

TEST_F(ClientServerTest, NoPendingConnectionIsDropped) {
  start();
  std::list<LocalClient> clients;
  for (int i = 0; i < 129; ++i)
    clients.emplace_back(io_, boost::asio::local::stream_protocol::endpoint(home_ / "maui.sock"));
  EXPECT_TRUE(run_until(io_, [&] { return server_->taken() == 129; }));
  for (auto& client : clients) EXPECT_FALSE(client.closed());
}

TEST_F(ClientServerTest, WhenConnectionsRunShortTheHostWithMostLosesItsOldest) {
  ClientServerOptions options;
  options.secret = kSecret;
  options.max_connections = 3;
  start(options);
  auto honest = other_host();
  ASSERT_TRUE(run_until(io_, [&] { return server_->connections() == 1; }));
  auto first = network(), second = network();
  ASSERT_TRUE(run_until(io_, [&] { return server_->connections() == 3; }));
  auto another = other_host();
  another.send_message(request("x"));
  EXPECT_TRUE(another.answer());
  EXPECT_TRUE(first.closed());
  EXPECT_FALSE(second.closed());
  honest.send_message(request("y"));
  EXPECT_TRUE(honest.answer());
  EXPECT_THAT(log_, Contains(HasSubstr("127.0.0.1 has the largest share of 3 connections")));
}

// The clock stands, so nobody may begin more than a thousand.
TEST_F(ClientServerTest, AHostThatConnectsWithoutEndIsRefusedAtOnce) {
  ClientServerOptions options;
  options.secret = kSecret;
  Parties::Moment time;
  options.clock = [&time] { return time; };
  start(options);
  for (int i = 0; i < 1000; ++i) {
    auto client = network();
    ASSERT_TRUE(run_until(io_, [&] { return server_->taken() == i + 1; }));
  }
  auto refused = network();
  EXPECT_TRUE(refused.closed_by_server());
  EXPECT_EQ(server_->taken(), 1000);
  EXPECT_THAT(log_, Contains(HasSubstr("127.0.0.1 begins too many connections")));
  auto honest = other_host();
  honest.send_message(request("x"));
  EXPECT_TRUE(honest.answer());
  time += milliseconds(1);
  auto again = network();
  again.send_message(request("y"));
  EXPECT_TRUE(again.answer());
}

TEST_F(ClientServerTest, AClientThatDoesNotReadItsReplyIsDroppedFirst) {
  ClientServerOptions options;
  options.secret = kSecret;
  options.max_connections = 3;
  start(options);
  reply_prefix_.assign(30'000'000, 'x');
  auto idle = network();
  ASSERT_TRUE(run_until(io_, [&] { return server_->connections() == 1; }));
  std::vector<boost::asio::ip::tcp::socket> lazy;
  for (std::size_t i = 0; i < 2; ++i) {
    lazy.emplace_back(io_).connect(
        {boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(server_->port())});
    boost::asio::write(lazy[i], boost::asio::buffer(*encode_frame(request(std::to_string(i)))));
    ASSERT_TRUE(run_until(io_, [&] { return callers_.size() == i + 1; }));
  }
  reply_prefix_ = "you said ";
  auto another = other_host();
  another.send_message(request("x"));
  EXPECT_TRUE(another.answer()) << "all others may be busy, and yet he finds room";
  EXPECT_FALSE(idle.closed());
  EXPECT_EQ(server_->connections(), 3U);
}

TEST_F(ClientServerTest, AdministratorsFindConnectionsThatNobodyElseMayTake) {
  ClientServerOptions options;
  options.secret = kSecret;
  options.max_connections = 8;
  options.privileged = [](const Peer& peer) { return peer.party == "127.0.0.2"; };
  start(options);
  std::vector<std::unique_ptr<NetworkClient>> many;
  for (int i = 0; i < 8; ++i)
    many.push_back(std::make_unique<NetworkClient>(
        io_, boost::asio::ip::tcp::endpoint(boost::asio::ip::address_v4::loopback(),
                                            static_cast<unsigned short>(server_->port()))));
  EXPECT_TRUE(many.front()->closed_by_server()) << "one of eight is kept";
  EXPECT_EQ(server_->connections(), 7U);
  auto administrator = other_host();
  administrator.send_message(request("x"));
  EXPECT_TRUE(administrator.answer());
  EXPECT_EQ(server_->connections(), 8U);
}

TEST_F(ClientServerTest, ThePartyThatUsedLeastServerTimeIsServedNext) {
  ClientServerOptions options;
  options.secret = kSecret;
  Parties::Moment time;
  options.clock = [&time] { return time; };
  start(options);
  handler_ = [&](const Caller& caller, std::string_view data) {
    return [&, caller, slice = 0, reply = std::string(data)]() mutable {
      time += milliseconds(1);
      if (++slice < 5) return std::optional<std::string>();
      callers_.push_back(caller);
      return std::optional(reply);
    };
  };
  server_->hold_back(true);
  std::string ten;
  for (int i = 0; i < 10; ++i) ten += *encode_frame(request(std::to_string(i)));
  auto first = network(), second = network(), third = other_host();
  first.send(ten);
  second.send(ten);
  third.send_message(request("one"));
  auto refused = network();
  refused.send("garbage!");
  ASSERT_TRUE(refused.closed_by_server()) << "by now all have been read";
  server_->hold_back(false);
  ASSERT_TRUE(third.answer());
  EXPECT_LE(callers_.size(), 4U) << "his slices come between those of the others";
  EXPECT_TRUE(first.answer());
}

// Each look at the clock takes a millisecond.
TEST_F(ClientServerTest, ConnectingTakesItsPartysTime) {
  ClientServerOptions options;
  options.secret = kSecret;
  Parties::Moment time;
  options.clock = [&time] { return time += milliseconds(1); };
  start(options);
  handler_ = [&](const Caller& caller, std::string_view data) {
    return [&, caller, slice = 0, reply = std::string(data)]() mutable {
      if (++slice < 5) return std::optional<std::string>();
      callers_.push_back(caller);
      return std::optional(reply);
    };
  };
  server_->hold_back(true);
  std::list<NetworkClient> flood;
  const boost::asio::ip::tcp::endpoint here(boost::asio::ip::address_v4::loopback(),
                                            static_cast<unsigned short>(server_->port()));
  for (int i = 0; i < 20; ++i) flood.emplace_back(io_, here);
  flood.front().send_message(request("zero"));
  auto other = other_host();
  other.send(*encode_frame(request("one")) + *encode_frame(request("two")));
  auto refused = network();
  refused.send("garbage!");
  ASSERT_TRUE(refused.closed_by_server()) << "by now all have been read";
  server_->hold_back(false);
  ASSERT_TRUE(other.answer());
  ASSERT_TRUE(other.answer());
  EXPECT_EQ(callers_.size(), 2U) << "the others have had more time by connecting";
  EXPECT_TRUE(flood.front().answer());
}

// Each look at the clock takes a millisecond: two for the connection, two for a turn.
TEST_F(ClientServerTest, ReadingTheRestOfALongRequestTakesTurns) {
  ClientServerOptions options;
  options.secret = kSecret;
  Parties::Moment time;
  options.clock = [&time] { return time += milliseconds(1); };
  start(options);
  constexpr std::size_t kLong = 900'000;
  auto first = network();
  first.send(fmt::format("{:08} ", kLong) + std::string(100'000, 'x'));
  EXPECT_TRUE(run_until(io_, [&] { return time > Parties::Moment() + milliseconds(3); }))
      << "it has had a turn";
  auto second = network();
  second.send_message(request(std::string(500'000, 'y')));
  EXPECT_TRUE(second.answer()) << "a long request is read in several turns";
}

// Else as many replies would be held as he has connections.
TEST_F(ClientServerTest, LargeRepliesOfAPartyAreMadeOneAfterTheOther) {
  start();
  int under_way = 0, most = 0;
  handler_ = [&](const Caller&, std::string_view data) {
    return [&, slice = 0, reply = std::string(data)]() mutable {
      if (slice++ == 0) most = std::max(most, ++under_way);
      ClientServer::Slice done;
      done.first = slice < 5;
      if (done.first) return done;
      --under_way;
      done.data = reply;
      return done;
    };
  };
  auto first = network(), second = network();
  first.send_message(request("a"));
  second.send_message(request("b"));
  ASSERT_TRUE(first.answer());
  ASSERT_TRUE(second.answer());
  EXPECT_EQ(most, 1);
}

// Else whoever asks for much, and does not wait for it, asks for all that at once.
TEST_F(ClientServerTest, AQueryEndsWithItsClientButAChangeDoesNot) {
  start();
  std::map<std::string, int> slices;
  handler_ = [&](const Caller&, std::string_view data) {
    return [&, what = std::string(data)] {
      ClientServer::Slice slice;
      slice.looks = what == "look";
      if (++slices[what] == 1000) slice.data = "done";
      return slice;
    };
  };
  for (const std::string what : {"look", "change"}) {
    auto client = local();
    client.send_message(sign("", {std::time(nullptr), me()}, what).text);
    ASSERT_TRUE(run_until(io_, [&] { return slices[what] >= 3; }));
    client.close();
    ASSERT_TRUE(run_until(io_, [&] { return server_->connections() == 0; }));
  }
  EXPECT_LT(slices["look"], 1000);
  EXPECT_EQ(slices["change"], 1000);
}

TEST_F(ClientServerTest, AnAdministratorIsNextHoweverManyOthersWait) {
  ClientServerOptions options;
  options.secret = kSecret;
  options.privileged = [](const Peer& peer) { return peer.local_socket; };
  start(options);
  std::vector<std::unique_ptr<NetworkClient>> many;
  for (int i = 0; i < 50; ++i) {
    many.emplace_back(new NetworkClient(other_host("127.0.1." + std::to_string(i + 1))));
    many.back()->send_message(request(std::to_string(i)));
  }
  ASSERT_TRUE(run_until(io_, [&] { return callers_.size() == 50; }));
  server_->hold_back(true);
  for (int i = 0; i < 50; ++i) many[static_cast<std::size_t>(i)]->send_message(request("again", i));
  auto administrator = local();
  administrator.send_message(sign("", {std::time(nullptr), me()}, "x").text);
  auto refused = network();
  refused.send("garbage!");
  ASSERT_TRUE(refused.closed_by_server()) << "by now all have been read";
  server_->hold_back(false);
  ASSERT_TRUE(administrator.answer());
  EXPECT_LE(callers_.size(), 52U);
}

// A program may connect from any address of the loopback network.
TEST_F(ClientServerTest, AllConnectionsOfAUserOfThisHostShareTheirLimits) {
  hosts_by_address_ = false;
  ClientServerOptions options;
  options.secret = kSecret;
  options.max_connections = 2;
  start(options);
  auto first = network(), second = other_host("127.0.0.2"), third = other_host("127.0.0.3");
  EXPECT_TRUE(first.closed_by_server());
  EXPECT_THAT(log_, Contains(HasSubstr("user " + me() + " over TCP has the largest share of 2")));
}

// In a user namespace somebody has as many numbers as /etc/subuid gives him.
TEST(UserNamesTest, UsersWithoutANameShareTheirLimits) {
  UserNames names;
  EXPECT_EQ(names.of(4'000'000'001).party, names.of(4'000'000'002).party);
  EXPECT_NE(names.of(4'000'000'001).party, names.of(::getuid()).party);
  EXPECT_EQ(names.of(4'000'000'001).name, "4000000001");
}

TEST_F(ClientServerTest, OnlyAPartyWhoseChangesAreSlowToStoreRests) {
  ClientServerOptions options;
  options.secret = kSecret;
  options.privileged = [](const Peer& peer) { return peer.local_socket; };
  start(options);
  changes_ = "change";
  auto toggler = network(), other = other_host();
  auto administrator = local();
  const auto local_request = [](int late) {
    return sign("", {std::time(nullptr) - late, me()}, "change").text;
  };
  toggler.send(*encode_frame(request("change")) + *encode_frame(request("change", -1)));
  administrator.send(*encode_frame(local_request(0)) + *encode_frame(local_request(1)));
  ASSERT_TRUE(run_until(io_, [&] { return callers_.size() == 2; }));
  server_->send_replies({}, std::chrono::hours(1));
  ASSERT_TRUE(toggler.answer());
  ASSERT_TRUE(administrator.answer());
  ASSERT_TRUE(run_until(io_, [&] { return callers_.size() == 3; }));
  EXPECT_EQ(callers_.back().user, me()) << "administrators do not rest";
  server_->send_replies({}, milliseconds(1));
  ASSERT_TRUE(administrator.answer());
  other.send_message(request("question"));
  ASSERT_TRUE(other.answer());
  EXPECT_EQ(callers_.size(), 4U) << "the second change waits";
}

TEST_F(ClientServerTest, ARestedPartyIsServedAgain) {
  start();
  changes_ = "change";
  auto toggler = network();
  toggler.send(*encode_frame(request("change")) + *encode_frame(request("change", -1)));
  ASSERT_TRUE(run_until(io_, [&] { return callers_.size() == 1; }));
  server_->send_replies({}, milliseconds(1));
  ASSERT_TRUE(run_until(io_, [&] { return callers_.size() == 2; }));
  server_->send_replies();
  EXPECT_TRUE(toggler.answer());
  EXPECT_TRUE(toggler.answer());
}

TEST_F(ClientServerTest, ConnectionsOfTheSocketAndOfTheNetworkAreCountedApart) {
  ClientServerOptions options;
  options.secret = kSecret;
  options.max_connections = 1;
  start(options);
  auto there = network();
  ASSERT_TRUE(run_until(io_, [&] { return server_->connections() == 1; }));
  auto here = local();
  here.send_message(sign("", {std::time(nullptr), me()}, "x").text);
  EXPECT_TRUE(here.answer());
  EXPECT_FALSE(there.closed());
}

TEST_F(ClientServerTest, WhenMemoryRunsShortTheHostWithMostLosesItsLargest) {
  ClientServerOptions options;
  options.secret = kSecret;
  options.max_memory = 300'000;
  start(options);
  auto honest = other_host();
  honest.send("00000500 " + std::string(100, 'x'));
  auto small = network(), large = network();
  small.send("00100000 " + std::string(20'000, 'x'));
  large.send("00900000 " + std::string(500'000, 'x'));
  EXPECT_TRUE(large.closed_by_server());
  EXPECT_FALSE(small.closed());
  EXPECT_FALSE(honest.closed());
  EXPECT_THAT(log_, Contains(testing::AllOf(HasSubstr("127.0.0.1 has the largest share of"),
                                            HasSubstr("bytes of messages"))));
}

TEST_F(ClientServerTest, WhatARequestAnnouncesCountsBeforeItHasCome) {
  ClientServerOptions options;
  options.secret = kSecret;
  options.max_memory = 3'000'000;
  start(options);
  std::vector<std::unique_ptr<NetworkClient>> many;
  for (int i = 0; i < 3; ++i) {
    many.push_back(std::make_unique<NetworkClient>(
        io_, boost::asio::ip::tcp::endpoint(boost::asio::ip::address_v4::loopback(),
                                            static_cast<unsigned short>(server_->port()))));
    many.back()->send("00990000 x");
  }
  EXPECT_TRUE(run_until(io_, [&] { return server_->taken() == 3 && server_->connections() == 2; }));
  EXPECT_THAT(log_, Contains(HasSubstr("bytes of messages")));
}

TEST_F(ClientServerTest, RepliesThatNobodyTakesAreCountedToo) {
  ClientServerOptions options;
  options.secret = kSecret;
  options.max_memory = 50'000'000;
  start(options);
  reply_prefix_.assign(30'000'000, 'x');
  std::vector<boost::asio::ip::tcp::socket> lazy;
  for (int i = 0; i < 3; ++i) {
    lazy.emplace_back(io_).connect(
        {boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(server_->port())});
    boost::asio::write(lazy.back(), boost::asio::buffer(*encode_frame(request(std::to_string(i)))));
  }
  ASSERT_TRUE(run_until(io_, [&] { return callers_.size() == 3; }));
  EXPECT_EQ(server_->connections(), 1U);
}

TEST_F(ClientServerTest, LinesAboutRefusedClientsNameWhoCausedThemAndAreShort) {
  start();
  auto client = network();
  client.send("garbage!");
  ASSERT_TRUE(client.closed_by_server());
  auto talker = local();
  talker.send_message(sign("", {std::time(nullptr), std::string(900'000, 'x')}, "x").text);
  ASSERT_TRUE(talker.closed_by_server());
  EXPECT_THAT(blamed_, Contains("127.0.0.1"));
  EXPECT_THAT(blamed_, Contains("user " + me()));
  for (const auto& line : log_) EXPECT_LT(line.size(), 1200U);
}

TEST_F(ClientServerTest, RequestsHeldBackAreAnsweredAfterwards) {
  start();
  server_->hold_back(true);
  auto client = network();
  client.send_message(request("later"));
  auto other = network();
  other.send("garbage!");
  EXPECT_TRUE(other.closed_by_server()) << "by now the first request has been read";
  EXPECT_TRUE(callers_.empty());
  server_->hold_back(false);
  EXPECT_TRUE(client.answer());
}

TEST_F(ClientServerTest, RepliesThatAreKeptGoOutTogetherAndAreWaitedForAtTheEnd) {
  start();
  server_->keep_replies();
  auto first = network(), second = network();
  first.send_message(request("one"));
  second.send_message(request("two"));
  ASSERT_TRUE(run_until(io_, [&] { return callers_.size() == 2; }));
  // By the time that another is done with, neither has been answered.
  auto other = network();
  other.send("garbage!");
  EXPECT_TRUE(other.closed_by_server());
  EXPECT_FALSE(first.has_answer() || second.has_answer());
  boost::asio::post(io_, [&] { server_->send_replies(); });
  server_->finish(milliseconds(5000));
  EXPECT_TRUE(first.answer());
  EXPECT_TRUE(second.answer());
}

TEST_F(ClientServerTest, OnlyAClientThatChangedSomethingLearnsThatItWasNotStored) {
  start();
  changes_ = "change";
  auto changer = network(), looker = network();
  changer.send_message(request("change"));
  ASSERT_TRUE(run_until(io_, [&] { return callers_.size() == 1; }));
  looker.send_message(request("look"));
  ASSERT_TRUE(run_until(io_, [&] { return callers_.size() == 2; }));
  server_->send_replies([](const std::string& data) { return data + ", and it is not kept"; });
  const auto changed = changer.answer(), looked = looker.answer();
  ASSERT_TRUE(changed && looked);
  const auto message = parse_message(*changed);
  ASSERT_TRUE(message && authentic(*message, kSecret));
  EXPECT_EQ(message->data, "you said change, and it is not kept");
  EXPECT_EQ(parse_message(*looked)->data, "you said look");
}

TEST_F(ClientServerTest, FinishLetsTheReplyUnderWayOut) {
  start();
  reply_prefix_.assign(5'000'000, 'x');
  auto client = network();
  client.send_message(request("last"));
  ASSERT_TRUE(run_until(io_, [&] { return !callers_.empty(); }));
  server_->finish(milliseconds(5000));
  EXPECT_TRUE(client.answer());
  EXPECT_EQ(server_->connections(), 0u);
}

TEST_F(ClientServerTest, SaysWhyItCannotListen) {
  start();
  ClientServer other(
      io_, {}, [](const Caller&, std::string_view) { return ClientServer::Work(); },
      [](int, const std::string&, std::string_view) {});
  const auto taken = other.listen_at("localhost", server_->port());
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().what,
              HasSubstr("cannot listen at port " + std::to_string(server_->port())));
  const auto long_path = other.listen_at(home_ / std::string(200, 'x'));
  ASSERT_FALSE(long_path);
  EXPECT_THAT(long_path.error().what, HasSubstr("cannot listen at the socket"));
  std::filesystem::create_directory(home_ / "directory");
  const auto in_the_way = other.listen_at(home_ / "directory");
  ASSERT_FALSE(in_the_way);
  EXPECT_THAT(in_the_way.error().what, HasSubstr("a file that is not a socket"));
}

TEST_F(ClientServerTest, AFreedPortIsOpenedAndWhatWasSignedBeforeDoesNotCount) {
  using tcp = boost::asio::ip::tcp;
  ClientServerOptions options;
  options.secret = kSecret;
  start(options);
  tcp::acceptor stranger(io_, {boost::asio::ip::address_v4::loopback(), 0});
  const int port = stranger.local_endpoint().port();
  ClientServer waiting(
      io_, options,
      [](const Caller&, std::string_view said) -> ClientServer::Work {
        return [said = std::string(said)] { return std::optional(said); };
      },
      [this](int, const std::string&, std::string_view text) { log_.emplace_back(text); });
  EXPECT_FALSE(waiting.listen_at("localhost", port));
  EXPECT_TRUE(waiting.port_is_taken());
  const auto kept = request("signed while the port was a stranger's");
  stranger.close();
  ASSERT_TRUE(waiting.listen_at("localhost", port));
  EXPECT_FALSE(waiting.port_is_taken());
  NetworkClient client(
      io_, {boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(port)});
  client.send_message(kept);
  EXPECT_FALSE(challenge_in(client.answer()).empty());
  client.send_message(kept);
  EXPECT_FALSE(challenge_in(client.answer()).empty()) << "it is no answer to the challenge";
  EXPECT_THAT(log_, Contains(HasSubstr("before the time from which messages count")));
}

TEST_F(ClientServerTest, ARequestThatMayBeRepeatedCountsIfItsSenderAnswersAChallenge) {
  start();
  auto client = network();
  const auto late = request("showq", 60);  // signed before the server began to listen
  client.send_message(late);
  const auto challenge = challenge_in(client.answer());
  ASSERT_FALSE(challenge.empty());
  EXPECT_TRUE(callers_.empty());
  const auto answering = request("showq", 60, challenge);
  client.send_message(answering);
  const auto answer = client.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(parse_message(*answer)->data, "you said showq");
  ASSERT_EQ(callers_.size(), 1U);
  EXPECT_EQ(callers_[0].user, "amy");
  client.send_message(answering);
  EXPECT_FALSE(client.answer()) << "a challenge counts once";
  auto other = network();
  other.send_message(answering);
  EXPECT_FALSE(other.answer()) << "a challenge counts on its connection";
  auto third = network();
  third.send_message(late);
  EXPECT_NE(challenge_in(third.answer()), challenge);
  third.send_message(answering);
  EXPECT_FALSE(third.answer()) << "each connection has another challenge";
  EXPECT_EQ(callers_.size(), 1U);
  EXPECT_THAT(log_, Contains(HasSubstr("a challenge that was not sent on its connection")));
}

TEST_F(ClientServerTest, AChallengeIsAuthentic) {
  start();
  auto client = network();
  const auto late = sign(kSecret, {std::time(nullptr) - 60, "amy"}, "showq");
  client.send_message(late.text);
  const auto answer = client.answer();
  ASSERT_TRUE(answer);
  const auto message = parse_message(*answer);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->challenge.size(), 32U);
  EXPECT_EQ(message->in_reply_to, late.checksum);
  EXPECT_TRUE(authentic(*message, kSecret));
  auto stranger = network();
  stranger.send_message(sign(std::string(64, 'd'), {std::time(nullptr) - 60, "amy"}, "x").text);
  EXPECT_FALSE(stranger.answer()) << "nobody without the secret is sent one";
}

TEST_F(ClientServerTest, TheAnswerToAChallengeNeedsTheSecret) {
  start();
  auto client = network();
  client.send_message(request("showq", 60));
  const auto challenge = challenge_in(client.answer());
  client.send_message(sign(std::string(64, 'd'),
                           {.timestamp = std::time(nullptr), .user = "amy", .challenge = challenge},
                           "showq")
                          .text);
  EXPECT_FALSE(client.answer()) << "the challenge is no secret";
  EXPECT_TRUE(callers_.empty());
}

// A munged that believes everything: the credential MUNGE:N: was made when the helper was started,
// by user N, and holds the key that is N in hexadecimal digits.
class MungeClientTest : public ClientServerTest {
 protected:
  void start(config::ClientWays ways, const std::string& before = "") {
    const auto helper = home_ / "helper";
    std::ofstream(helper) << "#!/bin/bash\nmade=$(date +%s)\nwhile IFS=: read -r _ user _; do\n"
                          << before << "\nprintf 'OK %d %d %064x\\n' $user $made $user; done\n";
    ASSERT_EQ(::chmod(helper.c_str(), 0700), 0);
    munge_.emplace(io_, MungeReaderOptions{helper, "", patience_, milliseconds(0)},
                   [](int, std::string_view) {});
    ClientServerOptions options;
    options.secret = kSecret;
    options.ways = [ways](const Peer&) { return ways; };
    options.munge = &*munge_;
    ClientServerTest::start(options);
  }
  void TearDown() override { server_.reset(); }

  static std::string key_of(uid_t user) { return fmt::format("{:064x}", user); }
  static std::string credential_of(uid_t user) { return fmt::format("MUNGE:{}:", user); }
  static Signed signed_by(uid_t user, std::string_view name, std::string_view data) {
    return sign(key_of(user),
                {.timestamp = std::time(nullptr), .user = name, .credential = credential_of(user)},
                data);
  }
  bool is_refused(const std::string& message) {
    auto client = network();
    client.send_message(message);
    return !client.answer();
  }

  milliseconds patience_{20000};
  std::optional<MungeReader> munge_;
};

TEST_F(MungeClientTest, AUserIsWhomMungeVouchesForAndHisReplyIsSignedWithHisKey) {
  start({.munge = true});
  auto client = network();
  const auto sent = signed_by(::getuid(), me(), "showq");
  client.send_message(sent.text);
  const auto answer = client.answer();
  ASSERT_TRUE(answer) << (log_.empty() ? "" : log_.back());
  const auto message = parse_message(*answer);
  ASSERT_TRUE(message);
  EXPECT_TRUE(authentic(*message, key_of(::getuid())));
  EXPECT_FALSE(authentic(*message, kSecret));
  EXPECT_EQ(message->in_reply_to, sent.checksum);
  ASSERT_EQ(callers_.size(), 1U);
  EXPECT_EQ(callers_[0].user, me());
}

TEST_F(MungeClientTest, AUserOfACredentialThatMayBeRepeatedAnswersAChallenge) {
  start({.munge = true}, "made=$((made - 20))");
  auto client = network();
  client.send_message(signed_by(::getuid(), me(), "showq").text);
  const auto challenge = challenge_in(client.answer());
  ASSERT_FALSE(challenge.empty());
  EXPECT_TRUE(callers_.empty());
  client.send_message(sign(key_of(::getuid()),
                           {.timestamp = std::time(nullptr),
                            .user = me(),
                            .challenge = challenge,
                            .credential = credential_of(::getuid())},
                           "showq")
                          .text);
  const auto answer = client.answer();
  ASSERT_TRUE(answer);
  EXPECT_TRUE(authentic(*parse_message(*answer), key_of(::getuid())));
  EXPECT_EQ(callers_.size(), 1U);
}

TEST_F(MungeClientTest, ACredentialOfAnotherUserOrAnotherRequestIsRefused) {
  start({.munge = true});
  EXPECT_TRUE(is_refused(signed_by(123456789, me(), "showq").text));
  EXPECT_THAT(log_, Contains(HasSubstr("munge reports user '123456789'")));
  const auto moved =
      sign(key_of(17),
           {.timestamp = std::time(nullptr), .user = me(), .credential = credential_of(::getuid())},
           "schedctl -k");
  EXPECT_TRUE(is_refused(moved.text));
  EXPECT_THAT(log_, Contains(HasSubstr("belongs to another request")));
  EXPECT_TRUE(is_refused(
      sign(kSecret,
           {.timestamp = std::time(nullptr), .user = me(), .credential = credential_of(::getuid())},
           "showq")
          .text));
  EXPECT_TRUE(callers_.empty());
}

TEST_F(MungeClientTest, ACredentialCountsOnceWhateverMungeSays) {
  start({.munge = true});
  auto first = network();
  first.send_message(signed_by(::getuid(), me(), "showq").text);
  ASSERT_TRUE(first.answer());
  EXPECT_TRUE(is_refused(signed_by(::getuid(), me(), "something else").text));
  EXPECT_THAT(log_, Contains(HasSubstr("repeats an earlier message")));
  EXPECT_EQ(callers_.size(), 1U);
}

TEST_F(MungeClientTest, ACredentialThatIsTooOldIsRefused) {
  start({.munge = true}, "printf 'OK %d %d %064x\\n' $user $(($(date +%s) - 301)) $user; continue");
  EXPECT_TRUE(is_refused(signed_by(::getuid(), me(), "showq").text));
  EXPECT_THAT(log_, Contains(HasSubstr("CLIENTMAXSKEW")));
}

TEST_F(MungeClientTest, GarbageNeverReachesMunge) {
  start({.munge = true}, "exit");
  for (const auto& credential :
       {std::string("x"), std::string("MUNGE:!:"), "MUNGE:" + std::string(900'000, 'A') + ":"}) {
    EXPECT_TRUE(is_refused(
        sign(key_of(0), {.timestamp = std::time(nullptr), .user = me(), .credential = credential},
             "x")
            .text));
    EXPECT_THAT(log_.back(), HasSubstr("no credential of munge"));
  }
}

TEST_F(MungeClientTest, OnlyWaysThatAHostHasAreBelieved) {
  start({.checksum = true});
  EXPECT_TRUE(is_refused(signed_by(::getuid(), me(), "showq").text));
  EXPECT_THAT(log_.back(), HasSubstr("CLIENTCFG AUTHTYPE"));
  server_.reset();
  start({.munge = true});
  EXPECT_TRUE(is_refused(request("showq")));
  EXPECT_THAT(log_.back(), HasSubstr("CLIENTCFG AUTHTYPE"));
  EXPECT_TRUE(is_refused(sign("", {std::time(nullptr), "root"}, "x").text));
  EXPECT_TRUE(callers_.empty());
}

TEST_F(MungeClientTest, OthersAreServedWhileMungeSaysNothing) {
  start({.checksum = true, .munge = true}, "exec sleep 1000");
  auto waiting = network();
  waiting.send_message(signed_by(::getuid(), me(), "showq").text);
  auto gone = network();
  gone.send_message(signed_by(::getuid(), me(), "gone").text);
  ASSERT_TRUE(run_until(io_, [&] { return munge_->waiting() == 1; })) << "one is asked, one waits";
  gone.close();
  auto other = network();
  other.send_message(request("showq"));
  EXPECT_TRUE(other.answer());
  EXPECT_FALSE(waiting.closed());
}

TEST_F(MungeClientTest, AClientIsRefusedIfMungeDoesNotAnswerInTime) {
  patience_ = milliseconds(200);
  start({.munge = true}, "exec sleep 1000");
  EXPECT_TRUE(is_refused(signed_by(::getuid(), me(), "showq").text));
  EXPECT_THAT(log_, Contains(HasSubstr("munged did not answer in time")));
}

TEST_F(MungeClientTest, ASecurePortIsAPortThatOnlyRootMayBind) {
  start({.secure_port = true});
  EXPECT_TRUE(is_refused(sign("", {std::time(nullptr), "amy"}, "showq").text));
  EXPECT_THAT(log_.back(), HasSubstr("not below 1024"));
  boost::asio::ip::tcp::socket probe(io_, boost::asio::ip::tcp::v4());
  boost::system::error_code error;
  probe.bind({boost::asio::ip::address_v4::loopback(), 1017}, error);
  if (error) GTEST_SKIP() << "this user may have no port below 1024: " << error.message();
  probe.close();
  const auto port = static_cast<unsigned short>(server_->port());
  const auto here = boost::asio::ip::address_v4::loopback();
  NetworkClient client(io_, {here, port}, {here, 1017});
  client.send_message(sign("", {std::time(nullptr), "amy"}, "showq").text);
  ASSERT_TRUE(client.answer());
  EXPECT_EQ(callers_.at(0).user, "amy");
}

}  // namespace
}  // namespace maui
