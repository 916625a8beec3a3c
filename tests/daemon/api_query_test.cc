// Commands over HTTP: rows are chosen, refusals are statuses, and long replies are made once.
#include "daemon/http/api_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "cmd/command_fixture.h"
#include "daemon/http/monitoring.h"

namespace maui::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class ApiQueryTest : public CommandTest {
 protected:
  HttpResponse ask_over_http(const std::string& command, RowChoice rows = {},
                             std::vector<std::string> operands = {}) {
    ApiRequest asked;
    asked.command.command = command;
    asked.command.user = "root";
    asked.command.operands = std::move(operands);
    asked.rows = std::move(rows);
    const Serving serving{engine(), server, lines_, [this] { ++ticks_; }};
    ApiQuery query(serving, cache_, std::move(asked));
    auto slice = query.go_on();
    while (!slice.response) slice = query.go_on();
    return *std::move(slice.response);
  }

  boost::asio::io_context io_;
  Log log_{[] { return Time(1000000000); }};
  Lines lines_{log_, /*complete=*/false};
  CachedReply cache_{io_};
  int ticks_ = 0;
};

TEST_F(ApiQueryTest, AnswersWithTheRowsThatWereChosen) {
  RowChoice rows;
  rows.equal = {{"name", "b"}};
  const auto answer = ask_over_http("showq", rows);
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr("\"b\""));
  EXPECT_THAT(answer.body, Not(HasSubstr("\"c\"")));
  EXPECT_THAT(answer.body, HasSubstr("row_totals"));
  EXPECT_GE(ticks_, 1);
}

TEST_F(ApiQueryTest, ARefusalIsAStatus) {
  EXPECT_EQ(ask_over_http("checkjob", {}, {"nosuch"}).status, 422);
  RowChoice wrong;
  wrong.list = "nosuch";
  EXPECT_EQ(ask_over_http("showq", wrong).status, 400);
}

TEST_F(ApiQueryTest, AKeptReplyIsNotMadeAgain) {
  CommandRequest request;
  request.command = "showq";
  request.user = "root";
  cache_.keep(request, std::make_shared<const Reply>(ShutdownReply{12345}));
  EXPECT_THAT(ask_over_http("showq").body, HasSubstr("12345"));
  cache_.forget();
  EXPECT_THAT(ask_over_http("showq").body, Not(HasSubstr("12345")));
}

TEST_F(ApiQueryTest, MonitorsLearnThatNoCheckpointIsWritten) {
  bool failing = false;
  Monitoring monitoring({engine(), lines_.counts(), [&] { return failing; },
                         std::chrono::steady_clock::now(), 1000000000});
  monitoring.begins(Phase::poll);
  monitoring.iteration_ended();
  EXPECT_EQ(monitoring.health().status, 200) << monitoring.health().body;
  failing = true;
  EXPECT_EQ(monitoring.health().status, 503);
  lines_.write(0, "fCKPT", "ALERT: the checkpoint is not written");
  ServerCounts counts;
  counts.http.requests = 321;
  const auto metrics = monitoring.metrics(counts).body;
  EXPECT_THAT(metrics, HasSubstr(" 321\n"));
  EXPECT_THAT(metrics, HasSubstr("{severity=\"alert\"} 1\n"));
}

}  // namespace
}  // namespace maui::test
