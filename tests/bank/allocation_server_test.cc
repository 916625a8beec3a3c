// Requests over a socket, against servers that behave and servers that do not.
#include "bank/allocation_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

namespace maui::test {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using testing::AllOf;
using testing::Each;
using testing::Field;
using testing::HasSubstr;

/// Gives every connection the same answer; none, and it only listens.
class Bank {
 public:
  Bank(asio::io_context& io, std::string answer) : acceptor_(io), answer_(std::move(answer)) {
    acceptor_.open(tcp::v4());
    acceptor_.bind({asio::ip::address_v4::loopback(), 0});
    acceptor_.listen();
    accept();
  }
  int port() const { return acceptor_.local_endpoint().port(); }
  void close() { acceptor_.close(); }

  std::vector<std::string> lines;
  std::size_t open = 0, most_open = 0;
  bool hangs_up = false;

 private:
  struct Connection {
    explicit Connection(tcp::socket accepted) : socket(std::move(accepted)) {}
    tcp::socket socket;
    std::string line;
  };
  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (error) return;
      most_open = std::max(most_open, ++open);
      serve(std::make_shared<Connection>(std::move(socket)));
      accept();
    });
  }
  void serve(const std::shared_ptr<Connection>& connection) {
    asio::async_read_until(connection->socket, asio::dynamic_buffer(connection->line), '\n',
                           [this, connection](error_code error, std::size_t) {
                             if (error) return;
                             lines.push_back(connection->line);
                             if (hangs_up) return connection->socket.close();
                             if (answer_.empty()) return kept_.push_back(connection);
                             reply(connection);
                           });
  }
  void reply(const std::shared_ptr<Connection>& connection) {
    asio::async_write(connection->socket, asio::buffer(answer_),
                      [this, connection](error_code, std::size_t) { --open; });
  }

  tcp::acceptor acceptor_;
  std::string answer_;
  std::vector<std::shared_ptr<Connection>> kept_;
};

class AllocationServerTest : public testing::Test {
 protected:
  static AllocationServerOptions options_for(const Bank& bank) {
    AllocationServerOptions options;
    options.host = "127.0.0.1";
    options.port = bank.port();
    return options;
  }
  void ask_all(int count, AllocationServerOptions options) {
    AllocationServer server(io, options);
    for (int i = 0; i < count; ++i) {
      AllocationRequest request;
      request.job = "job." + std::to_string(i);
      server.ask(request, [this](const AllocationAnswer& answer) { answers.push_back(answer); });
    }
    EXPECT_TRUE(answers.empty()) << "nobody waits inside";
    EXPECT_TRUE(server.busy());
    while (server.busy()) {
      if (io.stopped()) io.restart();
      io.run_one();
    }
  }
  void ask_all(int count, Bank& bank) {
    AllocationServerOptions options = options_for(bank);
    options.timeout = timeout;
    ask_all(count, options);
  }
  auto verdict(AllocationVerdict expected) { return Field(&AllocationAnswer::verdict, expected); }
  auto failed_for(const std::string& why) {
    return AllOf(verdict(AllocationVerdict::failed), Field(&AllocationAnswer::why, HasSubstr(why)));
  }

  asio::io_context io{1};
  std::chrono::milliseconds timeout{60000};
  std::vector<AllocationAnswer> answers;
};

TEST_F(AllocationServerTest, EveryRequestGetsItsAnswerAFewAtATime) {
  Bank bank(io, "OK\n");
  ask_all(100, bank);
  EXPECT_EQ(answers.size(), 100U);
  EXPECT_THAT(answers, Each(verdict(AllocationVerdict::granted)));
  EXPECT_EQ(bank.lines.size(), 100U);
  EXPECT_THAT(bank.lines.front(), HasSubstr("RESERVE TIME=0 JOB=job.0 "));
  EXPECT_LE(bank.most_open, 8U);
}

TEST_F(AllocationServerTest, ARefusalGivesItsReason) {
  Bank bank(io, "NO only 5 left\n");
  ask_all(1, bank);
  EXPECT_EQ(answers.at(0).verdict, AllocationVerdict::refused);
  EXPECT_EQ(answers.at(0).why, "only 5 left");
}

TEST_F(AllocationServerTest, SilenceIsAFailureAfterTheTimeout) {
  Bank bank(io, "");
  timeout = std::chrono::milliseconds(20);
  ask_all(1, bank);
  EXPECT_THAT(answers, Each(failed_for("no answer from 127.0.0.1")));
}

TEST_F(AllocationServerTest, AFailureFailsAllWaitingRequests) {
  Bank bank(io, "");
  timeout = std::chrono::milliseconds(20);
  ask_all(1000, bank);
  EXPECT_EQ(answers.size(), 1000U);
  EXPECT_THAT(answers, Each(failed_for("no answer from 127.0.0.1")));
  EXPECT_LE(bank.lines.size(), 8U);
}

TEST_F(AllocationServerTest, NobodyThereIsAFailure) {
  Bank bank(io, "");
  const auto options = options_for(bank);
  bank.close();
  ask_all(2, options);
  EXPECT_THAT(answers, Each(failed_for("cannot connect to 127.0.0.1")));
}

TEST_F(AllocationServerTest, AConnectionThatIsClosedWithoutAnAnswerIsAFailure) {
  Bank bank(io, "");
  bank.hangs_up = true;
  ask_all(1, bank);
  EXPECT_THAT(answers, Each(verdict(AllocationVerdict::failed)));
}

TEST_F(AllocationServerTest, AnAnswerThatNeverEndsIsAFailure) {
  Bank bank(io, std::string(10000, 'x'));
  ask_all(1, bank);
  EXPECT_THAT(answers, Each(verdict(AllocationVerdict::failed)));
}

TEST_F(AllocationServerTest, AnAnswerMayAskAgain) {
  Bank bank(io, "OK\n");
  AllocationServer server(io, options_for(bank));
  int asked = 0;
  std::function<void(const AllocationAnswer&)> again = [&](const AllocationAnswer&) {
    if (++asked < 5) server.ask({}, again);
  };
  server.ask({}, again);
  while (server.busy()) io.run_one();
  EXPECT_EQ(asked, 5);
}

TEST_F(AllocationServerTest, ADestroyedServerAnswersNobody) {
  Bank bank(io, "OK\n");
  {
    AllocationServer server(io, options_for(bank));
    server.ask({}, [this](const AllocationAnswer& answer) { answers.push_back(answer); });
  }
  bank.close();
  io.run();
  EXPECT_TRUE(answers.empty());
}

}  // namespace
}  // namespace maui::test
