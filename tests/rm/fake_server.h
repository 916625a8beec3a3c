// A WIKI server for tests that gives the answers a test specifies, or none.
#pragma once
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proto/frame.h"
#include "rm/wiki_message.h"

namespace maui {

class FakeServer {
 public:
  using tcp = boost::asio::ip::tcp;

  explicit FakeServer(boost::asio::io_context& io)
      : acceptor_(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)) {
    accept();
  }
  int port() const { return acceptor_.local_endpoint().port(); }

  std::string nodes = "0#", jobs = "0#", warnings = "0#";  // what the server reports
  WikiReply to_commands{0, "done", false};
  std::optional<WikiSeal> seal;
  bool silent = false;                 // accepts requests but answers none
  std::string unanswered;              // a command that gets no answer; empty: none
  std::optional<std::string> rubbish;  // sent instead of an answer
  std::vector<std::string> asked;      // bodies of the requests

 private:
  struct Visit {
    explicit Visit(tcp::socket visitor) : socket(std::move(visitor)) {}
    tcp::socket socket;
    FrameDecoder decoder;
    std::array<char, 4096> buffer{};
    std::string out;
  };

  void accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (error) return;
      read(std::make_shared<Visit>(std::move(socket)));
      accept();
    });
  }

  void read(const std::shared_ptr<Visit>& visit) {
    visit->socket.async_read_some(boost::asio::buffer(visit->buffer),
                                  [this, visit](boost::system::error_code error, std::size_t size) {
                                    if (error) return;
                                    visit->decoder.feed({visit->buffer.data(), size});
                                    const auto whole = visit->decoder.next();
                                    if (whole && *whole) return answer(visit, **whole);
                                    read(visit);
                                  });
  }

  void answer(const std::shared_ptr<Visit>& visit, const std::string& content) {
    const auto message = open_wiki(content, std::nullopt);
    asked.push_back(message->body);
    const auto request = read_wiki_request(message->body);
    if (silent || request->command == unanswered) return read(visit);
    visit->out = rubbish ? *rubbish : wiki_frame(write_wiki(reply_to(*request)), seal, Time(1000));
    boost::asio::async_write(visit->socket, boost::asio::buffer(visit->out),
                             [visit](boost::system::error_code, std::size_t) {});
  }

  WikiReply reply_to(const WikiRequest& request) const {
    if (request.command == "GETNODES") return {0, nodes, true};
    if (request.command == "GETJOBS") return {0, jobs, true};
    if (request.command == "GETWARNINGS") return {0, warnings, true};
    return to_commands;
  }

  tcp::acceptor acceptor_;
};

}  // namespace maui
