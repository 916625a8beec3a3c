#include "daemon/http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <list>

#include "daemon/clients/client_server.h"
#include "daemon/dead_socket.h"
#include "daemon/http/event_stream.h"
#include "daemon/http_client.h"
#include "daemon/temporary_directory.h"
#include "daemon/test_client.h"

namespace maui {
namespace {

using std::chrono::milliseconds;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class HttpServerTest : public testing::Test {
 protected:
  void start(HttpServerOptions options = {}, ClientServerOptions commands = {}) {
    commands_.emplace(
        io_, commands,
        [](const Caller&, std::string_view) -> ClientServer::Work {
          return [] { return std::optional(std::string()); };
        },
        [this](int, const std::string&, std::string_view text) { log_.emplace_back(text); });
    ASSERT_TRUE(commands_->listen_at(home_ / "maui.sock"));
    server_.emplace(
        io_, commands_->turns(), options,
        [this](const Caller& caller, const HttpRequest& request) -> HttpServer::Work {
          users_.push_back(caller.user);
          asked_.push_back(request.path.empty() ? "" : request.path.front());
          if (handler_) return handler_();
          return [what = asked_.back()] {
            return std::optional(HttpResponse{200, "text/plain", "this is " + what});
          };
        },
        [this](int, const std::string&, std::string_view text) { log_.emplace_back(text); });
    HttpSettings settings;
    settings.socket = "http.sock";
    ASSERT_TRUE(server_->listen_at(settings, home_ / ""));
    settings.socket.clear();
    settings.port = free_port_;
    for (; !server_->listen_at(settings, home_ / ""); ++settings.port)
      ASSERT_LT(settings.port, free_port_ + 100);
  }
  WebClient client() {
    return {
        io_,
        {boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(server_->port())}};
  }
  bool runs_until(const std::function<bool()>& done) { return run_until(io_, done); }

  const int free_port_ = 23400;
  TemporaryDirectory home_;
  boost::asio::io_context io_{1};
  std::vector<std::string> log_, users_, asked_;
  std::function<HttpServer::Work()> handler_;  // none: says what was asked
  std::optional<ClientServer> commands_;
  std::optional<HttpServer> server_;
};

TEST_F(HttpServerTest, AnswersOnOneConnectionAsLongAsItIsKept) {
  start();
  auto browser = client();
  browser.listen();
  browser.send(get("/a"));
  ASSERT_TRUE(browser.hears("this is a"));
  EXPECT_FALSE(browser.closed());
  browser.send(get("/b", "Connection: close\r\n"));
  ASSERT_TRUE(browser.hears("this is b"));
  EXPECT_TRUE(browser.closed_by_server());
  EXPECT_EQ(server_->requests(), 2);
}

TEST_F(HttpServerTest, OnlyASocketWhereNobodyListensIsReplaced) {
  const std::string path = home_ / "http.sock";
  HttpSettings settings;
  settings.socket = "http.sock";
  start();
  const auto what_another_is_told = [&] {
    HttpServer other(
        io_, commands_->turns(), {},
        [](const Caller&, const HttpRequest&) { return HttpServer::Work(); },
        [](int, const std::string&, std::string_view) {});
    const auto status = other.listen_at(settings, home_ / "");
    return status ? "" : status.error().what;
  };
  EXPECT_THAT(what_another_is_told(), HasSubstr("another program uses that socket"));
  EXPECT_TRUE(std::filesystem::is_socket(path));
  server_.reset();
  std::ofstream(path) << "starts\n";
  EXPECT_THAT(what_another_is_told(), HasSubstr("a file that is not a socket"));
  EXPECT_EQ(std::filesystem::file_size(path), 7U);
  std::filesystem::remove(path);
  std::filesystem::create_symlink("elsewhere", path);
  EXPECT_THAT(what_another_is_told(), HasSubstr("a file that is not a socket"));
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0666), 0);
  EXPECT_THAT(what_another_is_told(), HasSubstr("a file that is not a socket"));
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  std::filesystem::remove(path);
  leave_dead_socket(io_, path);
  EXPECT_EQ(what_another_is_told(), "");
}

TEST_F(HttpServerTest, AHeadIsAnsweredWithoutABody) {
  start();
  auto browser = client();
  browser.listen();
  browser.send("HEAD /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  ASSERT_TRUE(browser.closed_by_server());
  EXPECT_THAT(browser.heard(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(browser.heard(), HasSubstr("Content-Length: 9\r\n"));
  EXPECT_THAT(browser.heard(), EndsWith("\r\n\r\n"));
}

TEST_F(HttpServerTest, RequestsThatComeTogetherAreAnsweredInTheirOrder) {
  start();
  auto browser = client();
  browser.listen();
  std::string all;
  for (int i = 0; i < 100; ++i) all += get("/n" + std::to_string(i));
  browser.send(all + get("/last", "Connection: close\r\n"));
  ASSERT_TRUE(browser.closed_by_server());
  EXPECT_EQ(asked_.size(), 101U);
  EXPECT_EQ(asked_.front(), "n0");
  EXPECT_THAT(browser.heard(), EndsWith("this is last"));
}

// As the replies of commands: what they show is on the disk.
TEST_F(HttpServerTest, AnswersThatAreKeptAreSentTogether) {
  start();
  server_->keep_answers();
  auto first = client(), second = client(), gone = client();
  for (auto* browser : {&first, &second, &gone}) {
    browser->listen();
    browser->send(get("/a"));
  }
  ASSERT_TRUE(runs_until([&] { return asked_.size() == 3; }));
  gone.leave();
  for (int i = 0; i < 1000; ++i) io_.poll_one();
  EXPECT_EQ(first.heard() + second.heard(), "");
  server_->send_answers();
  EXPECT_TRUE(first.hears("this is a"));
  EXPECT_TRUE(second.hears("this is a"));
  first.send(get("/b"));
  EXPECT_TRUE(first.hears("this is b"));
}

TEST_F(HttpServerTest, NothingIsReadBehindAnUnansweredRequest) {
  start();
  bool ready = false;
  handler_ = [&ready] {
    return [&ready] {
      return ready ? std::optional(HttpResponse{200, "text/plain", "done"}) : std::nullopt;
    };
  };
  auto browser = client();
  browser.listen();
  browser.send(get("/first") + std::string(1 << 20, 'x'));
  ASSERT_TRUE(runs_until([&] { return !asked_.empty(); }));
  for (int i = 0; i < 1000; ++i) io_.poll_one();
  EXPECT_LT(server_->held(), std::size_t{32} << 10);
  ready = true;
  EXPECT_TRUE(browser.hears("done"));
  EXPECT_TRUE(browser.hears("HTTP/1.1 431"));
  EXPECT_TRUE(browser.closed_by_server());
}

TEST_F(HttpServerTest, ARequestThatComesDropByDropIsClosedInTime) {
  HttpServerOptions options;
  options.timeout = milliseconds(200);
  start(options);
  auto browser = client();
  browser.listen();
  boost::asio::steady_timer timer(io_);
  std::function<void()> drip = [&] {
    browser.send("G");
    timer.expires_after(milliseconds(5));
    timer.async_wait([&](boost::system::error_code error) {
      if (!error && !browser.closed()) drip();
    });
  };
  drip();
  EXPECT_TRUE(browser.closed_by_server());
  EXPECT_EQ(browser.heard(), "");
  EXPECT_THAT(log_, Contains(HasSubstr("was too slow; closed")));
}

TEST_F(HttpServerTest, AConnectionThatSaysNothingIsClosed) {
  HttpServerOptions options;
  options.timeout = milliseconds(50);
  start(options);
  auto silent = client();
  auto idle = client();
  silent.listen();
  idle.listen();
  idle.send(get("/a"));
  ASSERT_TRUE(idle.hears("this is a"));
  EXPECT_TRUE(silent.closed_by_server());
  EXPECT_TRUE(idle.closed_by_server());
}

TEST_F(HttpServerTest, AClientThatDoesNotTakeItsAnswerIsClosed) {
  HttpServerOptions options;
  options.timeout = milliseconds(50);
  start(options);
  handler_ = [] {
    return [] {
      return std::optional(HttpResponse{200, "text/plain", std::string(64 << 20, 'x')});
    };
  };
  auto browser = client();
  browser.send(get("/a"));
  ASSERT_TRUE(runs_until([&] { return !asked_.empty(); }));
  EXPECT_TRUE(runs_until([&] { return server_->connections() == 0; }));
}

TEST_F(HttpServerTest, AHeadThatIsTooLongIsRefusedAndTheConnectionClosed) {
  start();
  auto browser = client();
  browser.listen();
  browser.send("GET / HTTP/1.1\r\nHost: localhost\r\nA: " + std::string(1 << 18, 'a'));
  EXPECT_TRUE(browser.hears("HTTP/1.1 431"));
  EXPECT_TRUE(browser.closed_by_server());
  EXPECT_TRUE(asked_.empty());
  EXPECT_TRUE(runs_until([&] { return server_->connections() == 0; }));
}

TEST_F(HttpServerTest, AnInvalidRequestIsRefusedAndItsConnectionClosed) {
  start();
  for (const char* text :
       {"\x16\x03\x01\r\n\r\n", "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nGET /a "}) {
    auto browser = client();
    browser.listen();
    browser.send(text);
    EXPECT_TRUE(browser.closed_by_server()) << text;
    EXPECT_THAT(browser.heard(), StartsWith("HTTP/1.1 4")) << text;
    EXPECT_THAT(browser.heard(), HasSubstr("{\"error\":{\"status\":4")) << text;
  }
  EXPECT_TRUE(asked_.empty());
}

TEST_F(HttpServerTest, TheKernelNamesTheUserAtTheSocketAndNobodyElseIsNamed) {
  start();
  SocketClient local(io_, {home_ / "http.sock"});
  local.listen();
  local.send(get("/a"));
  ASSERT_TRUE(local.hears("this is a"));
  auto network = client();
  network.listen();
  network.send(get("/b"));
  ASSERT_TRUE(network.hears("this is b"));
  EXPECT_THAT(users_, ElementsAre(::getpwuid(::getuid())->pw_name, ""));
  network.send(get("/c", "X-Remote-User: root\r\n"));
  EXPECT_TRUE(network.hears("HTTP/1.1 403"));
  EXPECT_EQ(users_.size(), 2U);
  EXPECT_EQ(server_->refused(), 1);
}

TEST_F(HttpServerTest, NoAddressOfThisHostIsAProxy) {
  HttpServerOptions options;
  options.admission.proxies = {"127.0.0.1"};
  start(options);
  auto browser = client();
  browser.listen();
  browser.send(get("/a", "X-Remote-User: root\r\n"));
  EXPECT_TRUE(browser.hears("HTTP/1.1 403"));
}

TEST_F(HttpServerTest, AProxyAtTheSocketNamesTheUser) {
  HttpServerOptions options;
  options.admission.proxies = {::getpwuid(::getuid())->pw_name};
  start(options);
  SocketClient proxy(io_, {home_ / "http.sock"});
  proxy.listen();
  proxy.send(get("/a", "X-Remote-User: amy\r\n") + get("/b"));
  ASSERT_TRUE(proxy.hears("this is b"));
  EXPECT_THAT(users_, ElementsAre("amy", ""));
}

TEST_F(HttpServerTest, TheLogNamesTheSocketWhereSomebodyWasRefused) {
  start();
  SocketClient local(io_, {home_ / "http.sock"});
  local.listen();
  local.send(get("/a", "X-Remote-User: amy\r\n"));
  ASSERT_TRUE(local.hears("HTTP/1.1 403"));
  EXPECT_THAT(log_, ElementsAre(StartsWith("client http.sock (pid ")));
}

TEST_F(HttpServerTest, ABrowserThatAnotherNameHasLedHereIsRefused) {
  start();
  auto browser = client();
  browser.listen();
  browser.send("GET /health HTTP/1.1\r\nHost: evil.example.com\r\n\r\n");
  EXPECT_TRUE(browser.hears("HTTP/1.1 421"));
  EXPECT_TRUE(asked_.empty());
}

TEST_F(HttpServerTest, WhenConnectionsRunShortThePartyWithMostLosesAConnection) {
  HttpServerOptions options;
  options.max_connections = 8;
  start(options);
  std::list<WebClient> flood;
  for (int i = 0; i < 30; ++i) flood.push_back(client());
  ASSERT_TRUE(runs_until([&] { return server_->refused() > 0; }));
  EXPECT_EQ(commands_->refused(), 0) << "nobody has given a command";
  auto last = client();
  last.listen();
  last.send(get("/a"));
  EXPECT_TRUE(last.hears("this is a"));
  EXPECT_LE(server_->connections(), 8U);
}

TEST_F(HttpServerTest, AFloodTakesNoConnectionOfThoseWhoGiveCommands) {
  HttpServerOptions options;
  options.max_connections = 8;
  ClientServerOptions commands;
  commands.max_connections = 2;
  start(options, commands);
  LocalClient command(io_, {home_ / "maui.sock"});
  ASSERT_TRUE(runs_until([&] { return commands_->connections() == 1; }));
  std::list<SocketClient> flood;
  for (int i = 0; i < 30; ++i) {
    flood.emplace_back(io_, boost::asio::local::stream_protocol::endpoint(home_ / "http.sock"));
    io_.restart();
    io_.poll();
  }
  ASSERT_TRUE(runs_until([&] { return server_->refused() > 0; }));
  EXPECT_FALSE(command.closed());
}

TEST_F(HttpServerTest, WorkIsDoneInSlicesBetweenWhichOthersAreServed) {
  start();
  int slices = 0;
  bool other_served = false;
  auto other = client();
  auto browser = client();
  other.listen();
  browser.listen();
  handler_ = [&] {
    if (asked_.back() == "other")
      return HttpServer::Work([&] {
        other_served = true;
        return std::optional(HttpResponse{200, "text/plain", "other"});
      });
    return HttpServer::Work([&] {
      ++slices;
      return other_served ? std::optional(HttpResponse{200, "text/plain", "long"}) : std::nullopt;
    });
  };
  browser.send(get("/long"));
  ASSERT_TRUE(runs_until([&] { return slices > 0; }));
  other.send(get("/other"));
  EXPECT_TRUE(other.hears("other"));
  EXPECT_TRUE(browser.hears("long"));
  EXPECT_GT(slices, 1);
}

TEST_F(HttpServerTest, AReplyThatIsBeingWrittenIsFinishedBeforeOthersOfItsPartyAreBegun) {
  start();
  int begun = 0, most = 0;
  handler_ = [&] {
    return HttpServer::Work([&, slices = 0]() mutable -> HttpServer::Slice {
      begun += slices == 0 ? 1 : 0;
      most = std::max(most, begun);
      if (++slices < 5) return {std::nullopt, /*comes_first=*/true};
      --begun;
      return HttpResponse{200, "text/plain", "whole"};
    });
  };
  std::list<WebClient> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(client());
    clients.back().listen();
    clients.back().send(get("/long"));
  }
  for (WebClient& browser : clients) EXPECT_TRUE(browser.hears("whole"));
  EXPECT_EQ(most, 1);
}

TEST_F(HttpServerTest, ASocketThatWasLostIsMadeAgain) {
  start();
  ASSERT_EQ(::unlink((home_ / "http.sock").c_str()), 0);
  server_->look_after_socket();
  SocketClient local(io_, {home_ / "http.sock"});
  local.listen();
  local.send(get("/a"));
  EXPECT_TRUE(local.hears("this is a"));
}

/// Every client gets a stream of events, which tells of `state_`.
class EventStreamTest : public HttpServerTest {
 protected:
  void stream(EventStreamOptions options = {}, HttpServerOptions server = {}) {
    server.admission.proxies = {::getpwuid(::getuid())->pw_name};
    start(std::move(server));
    events_.emplace(
        io_, *server_, [this] { return "[" + std::to_string(++states_) + "]"; },
        [this] { return shown_; }, options);
    handler_ = [this] {
      return [this, user = users_.back()] {
        return std::optional(events_->begin({user, "", "", ""}));
      };
    };
  }
  /// Lets the loop do what it has to do now.
  void settle() {
    for (int i = 0; i < 100; ++i) {
      io_.restart();
      io_.poll_one();
    }
  }

  int states_ = 0;
  std::vector<std::uint64_t> shown_;
  std::optional<EventStream> events_;
};

TEST_F(EventStreamTest, BeginsWithTheStateAndReportsChanges) {
  stream();
  auto browser = client();
  browser.listen();
  browser.send(get("/events"));
  ASSERT_TRUE(browser.hears("event: state\ndata: [1]\n\n"));
  EXPECT_THAT(browser.heard(), HasSubstr("Content-Type: text/event-stream\r\n"));
  EXPECT_THAT(browser.heard(), HasSubstr("X-Accel-Buffering: no\r\n"));
  EXPECT_THAT(browser.heard(), testing::Not(HasSubstr("Content-Length")));
  events_->changed();
  EXPECT_TRUE(browser.hears("event: change\ndata: [2]\n\n"));
  EXPECT_FALSE(browser.closed());
  EXPECT_EQ(server_->streams(), 1U);
}

TEST_F(EventStreamTest, ALookReportsOnlyWhatDiffersFromWhatWasShown) {
  stream();
  auto browser = client();
  browser.listen();
  shown_ = {1, 2};
  browser.send(get("/events"));
  ASSERT_TRUE(browser.hears("data: [1]"));
  events_->look();
  settle();
  EXPECT_EQ(states_, 1) << "nothing has changed since the stream began";
  shown_ = {1, 3};
  events_->look();
  EXPECT_TRUE(browser.hears("event: change\ndata: [2]\n\n"));
  events_->look();
  settle();
  EXPECT_EQ(states_, 2);
}

// As nginx asks by default.
TEST_F(EventStreamTest, LastsThoughTheClientSendsNoFurtherRequest) {
  stream();
  for (const std::string request :
       {"GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n",
        "GET /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"}) {
    SCOPED_TRACE(request);
    auto browser = client();
    browser.listen();
    browser.send(request);
    ASSERT_TRUE(browser.hears("event: state\n")) << browser.heard();
    events_->changed();
    EXPECT_TRUE(browser.hears("event: change\n"));
    EXPECT_FALSE(browser.closed());
  }
}

TEST_F(EventStreamTest, ManyChangesWithinTheIntervalAreOneEvent) {
  EventStreamOptions options;
  options.interval = std::chrono::hours(1);
  stream(options);
  auto browser = client();
  browser.listen();
  browser.send(get("/events"));
  ASSERT_TRUE(browser.hears("data: [1]"));
  for (int i = 0; i < 1000; ++i) events_->changed();
  ASSERT_TRUE(browser.hears("data: [2]"));
  for (int i = 0; i < 1000; ++i) {
    events_->changed();
    io_.restart();
    io_.poll_one();
  }
  EXPECT_EQ(states_, 2);
}

TEST_F(EventStreamTest, GivesASignOfLifeWhereNothingHappens) {
  EventStreamOptions options;
  options.heartbeat = milliseconds(20);
  stream(options);
  auto browser = client();
  browser.listen();
  browser.send(get("/events"));
  ASSERT_TRUE(browser.hears(": still there\n\n: still there\n\n"));
  EXPECT_EQ(states_, 1);
}

TEST_F(EventStreamTest, OutlivesTheTimeThatAClientHasForARequest) {
  HttpServerOptions server;
  server.timeout = milliseconds(30);
  EventStreamOptions options;
  options.heartbeat = milliseconds(100);
  stream(options, server);
  auto browser = client();
  browser.listen();
  browser.send(get("/events"));
  EXPECT_TRUE(browser.hears(": still there\n\n: still there\n\n"));
  EXPECT_FALSE(browser.closed());
}

TEST_F(EventStreamTest, AClosedStreamIsNoLongerCounted) {
  stream();
  {
    auto browser = client();
    browser.listen();
    browser.send(get("/events"));
    ASSERT_TRUE(browser.hears("data: [1]"));
  }
  EXPECT_TRUE(runs_until([&] { return server_->streams() == 0; }));
  EXPECT_EQ(server_->connections(), 0U);
}

TEST_F(EventStreamTest, AnUnreadStreamIsClosedAndHoldsLittleUntilThen) {
  HttpServerOptions server;
  server.timeout = milliseconds(300);
  EventStreamOptions options;
  options.interval = milliseconds(0);
  stream(options, server);
  auto browser = client();
  browser.send(get("/events"));
  ASSERT_TRUE(runs_until([&] { return server_->streams() == 1; }));
  std::size_t most = 0;
  EXPECT_TRUE(runs_until([&] {
    for (int i = 0; i < 100; ++i) server_->send_to_streams(std::string(10000, 'x'));
    most = std::max(most, server_->held());
    return server_->streams() == 0;
  }));
  EXPECT_LE(most, 20100U);
  EXPECT_THAT(log_, Contains(HasSubstr("was too slow; closed")));
}

TEST_F(EventStreamTest, AStreamWhoseClientSendsTooMuchIsClosed) {
  stream();
  auto browser = client();
  browser.listen();
  browser.send(get("/events") + std::string(1 << 20, 'x'));
  EXPECT_TRUE(browser.closed_by_server());
}

TEST_F(EventStreamTest, AUserHasSoManyAndAllTogetherHaveSoMany) {
  EventStreamOptions options;
  options.most = 3;
  options.most_of_one = 2;
  stream(options);
  std::list<SocketClient> clients;
  const auto ask = [&](const std::string& user) -> SocketClient& {
    clients.emplace_back(io_, boost::asio::local::stream_protocol::endpoint(home_ / "http.sock"));
    clients.back().listen();
    clients.back().send(get("/events", "X-Remote-User: " + user + "\r\n"));
    return clients.back();
  };
  EXPECT_TRUE(ask("amy").hears("event: state"));
  EXPECT_TRUE(ask("amy").hears("event: state"));
  EXPECT_TRUE(ask("amy").hears("HTTP/1.1 429"));
  EXPECT_TRUE(ask("bob").hears("event: state"));
  EXPECT_TRUE(ask("eve").hears("HTTP/1.1 429"));
  clients.pop_front();
  EXPECT_TRUE(runs_until([&] { return server_->streams() == 2; }));
  EXPECT_TRUE(ask("eve").hears("event: state"));
}

TEST_F(EventStreamTest, AHostWithManyAddressesHasNoMoreStreamsThanAUser) {
  EventStreamOptions options;
  options.most_of_one = 2;
  stream(options);
  int addresses = 0;
  handler_ = [&] {
    return [&] {
      const auto address = "2001:db8::" + std::to_string(++addresses);
      return std::optional(events_->begin({"", address, address, "HTTP, 2001:db8::/64"}));
    };
  };
  std::list<WebClient> clients;
  const auto ask = [&]() -> WebClient& {
    clients.push_back(client());
    clients.back().listen();
    clients.back().send(get("/events"));
    return clients.back();
  };
  EXPECT_TRUE(ask().hears("event: state"));
  EXPECT_TRUE(ask().hears("event: state"));
  EXPECT_TRUE(ask().hears("HTTP/1.1 429"));
}

TEST_F(EventStreamTest, AHeadIsNoStream) {
  stream();
  auto browser = client();
  browser.listen();
  browser.send("HEAD /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(browser.closed_by_server());
  EXPECT_THAT(browser.heard(), EndsWith("\r\n\r\n"));
  EXPECT_EQ(server_->streams(), 0U);
}

TEST_F(EventStreamTest, TheServerEndsThemWhenItEnds) {
  stream();
  auto browser = client();
  browser.listen();
  browser.send(get("/events"));
  ASSERT_TRUE(browser.hears("data: [1]"));
  settle();
  server_->finish();
  commands_->finish(milliseconds(1000));
  EXPECT_TRUE(browser.closed_by_server());
}

}  // namespace
}  // namespace maui
