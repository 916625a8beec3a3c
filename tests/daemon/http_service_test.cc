// The answers over HTTP: pages, health, metrics, commands that change nothing, and events.
#include "daemon/http/http_service.h"

#include <gmock/gmock.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "cmd/command_fixture.h"
#include "daemon/http_client.h"
#include "daemon/start_check.h"
#include "daemon/temporary_directory.h"

namespace maui::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Clients come through a proxy at the socket, which names their users.
class HttpServiceTest : public CommandTest {
 protected:
  void start(const std::string& proxy = effective_user()) {
    std::vector<Diagnostic> diagnostics;
    auto configuration = Configuration::parse(
        "ADMIN1 root\nHTTPSOCKET http.sock\nHTTPPROXY " + proxy + "\n", "maui.cfg", diagnostics);
    ASSERT_TRUE(configuration) << configuration.error().what;
    server.stand(*std::move(configuration));
    serving_.emplace(
        Serving{engine(), server, lines_, [this] { ++ticks_; }, [this] { return short_; }});
    commands_.emplace(
        io_, ClientServerOptions{},
        [](const Caller&, std::string_view) -> ClientServer::Work {
          return [] { return std::optional(std::string()); };
        },
        [](int, const std::string&, std::string_view) {});
    service_.emplace(HttpService::Surroundings{
        io_,
        *serving_,
        *commands_,
        [] { return std::int64_t{7}; },
        {engine(), lines_.counts(), [this] { return checkpoint_failing_; },
         std::chrono::steady_clock::now(), 1000000000}});
    ASSERT_TRUE(service_->listen(home_.path()));
    iterate();
  }
  void iterate() {
    service_->begins(Phase::poll);
    service_->iteration_ended();
  }
  std::unique_ptr<SocketClient> client() {
    auto made = std::make_unique<SocketClient>(
        io_, boost::asio::local::stream_protocol::endpoint(home_ / "http.sock"));
    made->listen();
    return made;
  }
  static std::string request(const std::string& target, const std::string& user,
                             const std::string& fields = {}) {
    return maui::get(target, fields + (user.empty() ? "" : "X-Remote-User: " + user + "\r\n"));
  }
  /// Returns the whole response.
  std::string answer(const std::string& target, const std::string& user = "root") {
    auto browser = client();
    browser->send(request(target, user, "Connection: close\r\n"));
    EXPECT_TRUE(browser->closed_by_server()) << target;
    return browser->heard();
  }
  /// Lets the loop do what it has to do now.
  void settle() {
    for (int i = 0; i < 1000; ++i) {
      io_.restart();
      io_.poll_one();
    }
  }

  TemporaryDirectory home_;
  boost::asio::io_context io_{1};
  Log log_{[] { return Time(1000000000); }};
  Lines lines_{log_, /*complete=*/false};
  std::optional<Serving> serving_;
  std::optional<ClientServer> commands_;
  std::optional<HttpService> service_;
  bool short_ = false, checkpoint_failing_ = false;
  int ticks_ = 0;
};

TEST_F(HttpServiceTest, SaysWhetherTheSchedulerIsHealthy) {
  start();
  EXPECT_THAT(answer("/health"), StartsWith("HTTP/1.1 200 "));
  checkpoint_failing_ = true;
  EXPECT_THAT(answer("/health"), StartsWith("HTTP/1.1 503 "));
}

TEST_F(HttpServiceTest, CountsItsClientsApartFromThoseWhoGiveCommands) {
  start();
  answer("/health");
  auto events = client();
  events->send(request("/api/v1/events", "amy"));
  ASSERT_TRUE(events->hears("event: state"));
  const auto metrics = answer("/metrics");
  EXPECT_THAT(metrics, StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(metrics, HasSubstr("\nmaui_connections{protocol=\"http\"} 2\n"));
  EXPECT_THAT(metrics, HasSubstr("\nmaui_connections{protocol=\"command\"} 0\n"));
  EXPECT_THAT(metrics, HasSubstr("\nmaui_event_streams 1\n"));
  EXPECT_THAT(metrics, HasSubstr("\nmaui_requests_total{protocol=\"http\"} 3\n"));
  EXPECT_THAT(metrics, HasSubstr("\nmaui_requests_total{protocol=\"command\"} 7\n"));
}

TEST_F(HttpServiceTest, ListsTheCommandsThatChangeNothingAndTheirReplies) {
  start();
  const auto index = answer("/api/v1");
  EXPECT_THAT(index, HasSubstr("\"command\":\"showq\""));
  EXPECT_THAT(index, Not(HasSubstr("\"command\":\"sethold\"")));
  const auto schema = answer("/api/v1/schema");
  EXPECT_THAT(schema, StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(schema, HasSubstr("Content-Type: application/schema+json"));
}

TEST_F(HttpServiceTest, AnswersACommand) {
  start();
  const auto queue = answer("/api/v1/showq?where=name:b");
  EXPECT_THAT(queue, StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(queue, HasSubstr("\"b\""));
  EXPECT_THAT(queue, Not(HasSubstr("\"c\"")));
  EXPECT_GE(ticks_, 1) << "an answer is of its own time";
  EXPECT_THAT(answer("/api/v1/checkjob/nosuch"), StartsWith("HTTP/1.1 422 "));
}

TEST_F(HttpServiceTest, ServesThePage) {
  start();
  const auto page = answer("/");
  EXPECT_THAT(page, StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(page, HasSubstr("Content-Type: text/html"));
}

TEST_F(HttpServiceTest, RefusesWhatItDoesNotKnow) {
  start();
  for (const char* target : {"/nosuch", "/health/nosuch", "/api", "/api/v2/showq"})
    EXPECT_THAT(answer(target), HasSubstr("unknown page")) << target;
  EXPECT_THAT(answer("/nosuch"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(answer("/api/v1/nosuch"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(answer("/api/v1/showq?nosuch=1"), StartsWith("HTTP/1.1 400 "));
}

TEST_F(HttpServiceTest, ExecutesNothingThatChangesSomething) {
  start();
  EXPECT_THAT(answer("/api/v1/sethold/b"), StartsWith("HTTP/1.1 403 "));
  EXPECT_EQ(job("b").holds, 0);
}

TEST_F(HttpServiceTest, ACommandTakesTheRightsOfItsUser) {
  start();
  EXPECT_THAT(answer("/api/v1/showconfig", "root"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(answer("/api/v1/showconfig", "amy"), StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(answer("/api/v1/showconfig", ""), StartsWith("HTTP/1.1 403 "));
}

TEST_F(HttpServiceTest, WhereMemoryIsShortOnlyAdministratorsAndMonitorsAreAnswered) {
  start();
  short_ = true;
  EXPECT_THAT(answer("/api/v1/showq", "amy"), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(answer("/api/v1/showq", "root"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(answer("/api/v1/events", "root"), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(answer("/metrics", ""), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServiceTest, TellsOfIterationsThatChangedWhatIsShown) {
  start();
  auto browser = client();
  browser->send(request("/api/v1/events", "amy"));
  ASSERT_TRUE(browser->hears("event: state\ndata: {\"iteration\":"));
  iterate();
  settle();
  EXPECT_THAT(browser->heard(), Not(HasSubstr("event: change")));
  ask("sethold b");
  iterate();
  EXPECT_TRUE(browser->hears("event: change\ndata: {\"iteration\":"));
}

TEST_F(HttpServiceTest, TellsOfAChangeByACommandAtOnce) {
  start();
  auto browser = client();
  browser->send(request("/api/v1/events", "amy"));
  ASSERT_TRUE(browser->hears("event: state"));
  service_->changed();
  EXPECT_TRUE(browser->hears("event: change"));
}

TEST_F(HttpServiceTest, NothingIsAnsweredWhileChangesAreUnsaved) {
  start();
  service_->keep_answers();
  auto browser = client();
  browser->send(request("/api/v1/showq", "amy"));
  settle();
  EXPECT_GE(ticks_, 1) << "the command has been executed";
  EXPECT_EQ(browser->heard(), "");
  service_->send_answers();
  EXPECT_TRUE(browser->hears("HTTP/1.1 200 "));
}

TEST_F(HttpServiceTest, AdoptsChangedSettings) {
  start("nobody");
  EXPECT_THAT(answer("/api/v1/showq", "amy"), StartsWith("HTTP/1.1 403 "));
  ASSERT_TRUE(server.change_parameter("HTTPPROXY", {effective_user()}));
  service_->configure();
  EXPECT_THAT(answer("/api/v1/showq", "amy"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServiceTest, ALostSocketIsMadeAgain) {
  start();
  std::filesystem::remove(home_ / "http.sock");
  service_->look_after_socket();
  EXPECT_THAT(answer("/health"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServiceTest, ListensNoLongerOnceFinishedButAnswers) {
  start();
  service_->keep_answers();
  auto browser = client();
  browser->send(request("/api/v1/showq", "amy"));
  settle();
  service_->finish();
  service_->send_answers();
  EXPECT_TRUE(browser->hears("HTTP/1.1 200 "));
  EXPECT_FALSE(std::filesystem::exists(home_ / "http.sock"));
}

}  // namespace
}  // namespace maui::test
