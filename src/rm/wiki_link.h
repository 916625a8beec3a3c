// Ways to a WIKI server: a question goes there, an answer comes back or the deadline passes.
//
// Asynchronous, on the loop of the daemon: each question is answered exactly once, never from
// within ask().  Whoever asks must be gone only after the loop runs no more.
#pragma once
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "maui/clock.h"
#include "maui/result.h"
#include "rm/wiki_message.h"
#include "rm/wiki_record.h"

namespace maui {

struct WikiAnswer {
  Result<WikiReply> reply;   // or why there is none
  bool sent = false;         // the server may have read the question
  std::optional<Time> time;  // by its own clock
  /// The data of the reply, from links that do not read it as text.
  std::shared_ptr<const WikiRecords> records = {};
};

class WikiLink {
 public:
  virtual ~WikiLink() = default;
  virtual void ask(const WikiRequest& request, std::function<void(WikiAnswer)> done) = 0;
  /// Why the server is never asked that, as its settings have it; empty: it is asked.
  virtual std::string lacks(const std::string& /*command*/) const { return {}; }
  /// Names what the server has turned out to be, for people; empty: nothing is known beyond its
  /// type.
  virtual std::string kind() const { return {}; }
};

/// The link of an exchange (a class with ask(), close() and kind()) that handlers share with it:
/// they may be called when the link is gone, and find the exchange closed.
template <class Exchange>
class ExchangeLink final : public WikiLink {
 public:
  explicit ExchangeLink(std::shared_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}
  ~ExchangeLink() override { exchange_->close(); }
  ExchangeLink(const ExchangeLink&) = delete;
  ExchangeLink& operator=(const ExchangeLink&) = delete;
  void ask(const WikiRequest& request, std::function<void(WikiAnswer)> done) override {
    exchange_->ask(request, std::move(done));
  }
  std::string lacks(const std::string& command) const override {
    if constexpr (requires { exchange_->lacks(command); })
      return exchange_->lacks(command);
    else
      return {};
  }
  std::string kind() const override { return exchange_->kind(); }

 private:
  std::shared_ptr<Exchange> exchange_;
};

struct WikiLinkOptions {
  std::string host;  // empty: this one
  int port = 0;
  Seconds timeout{15};  // of a question, from the connection to the last byte of the answer
  std::optional<WikiSeal> seal;  // AUTHTYPE=CHECKSUM
};

/// One TCP connection a question, closed after its answer.
std::unique_ptr<WikiLink> make_wiki_dialer(boost::asio::io_context& io, WikiLinkOptions options,
                                           const Clock& clock);

/// One connected stream for all questions, one after the other: `socket` is its descriptor, and is
/// owned from here on.  `broken` is called once if the stream ends, be it between two questions, or
/// an answer is late; whatever is asked then fails.
std::unique_ptr<WikiLink> make_wiki_stream(boost::asio::io_context& io, int socket, Seconds timeout,
                                           std::function<void(const std::string& why)> broken);

}  // namespace maui
