// Links to a WIKI server: the scheduler sends a request, and gets an answer or a timeout.
//
// Links are asynchronous and run on the daemon's event loop: each request is answered exactly once,
// never from within ask().  The caller must outlive the event loop.
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
  Result<WikiReply> reply;   // the reply, or the reason why there is none
  bool sent = false;         // true if the server may have read the request
  std::optional<Time> time;  // by the server's clock
  /// The records of the reply, from links that do not transfer text.
  std::shared_ptr<const WikiRecords> records = {};
};

class WikiLink {
 public:
  virtual ~WikiLink() = default;
  virtual void ask(const WikiRequest& request, std::function<void(WikiAnswer)> done) = 0;
  /// Returns why the server's settings rule out `command`; empty if they allow it.
  virtual std::string lacks(const std::string& /*command*/) const { return {}; }
  /// Returns the kind of server that was detected, as text for people; empty if nothing is known
  /// beyond its type.
  virtual std::string kind() const { return {}; }
};

/// A link that shares ownership of an exchange (a class with ask(), close() and kind()) with its
/// handlers: handlers that run after the link is destroyed find the exchange closed.
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
  std::string host;  // empty: this host
  int port = 0;
  Seconds timeout{15};           // of a request, from connecting to the last byte of the answer
  std::optional<WikiSeal> seal;  // AUTHTYPE=CHECKSUM
};

/// Makes a link that opens one TCP connection per request and closes it after the answer.
std::unique_ptr<WikiLink> make_wiki_dialer(boost::asio::io_context& io, WikiLinkOptions options,
                                           const Clock& clock);

/// Makes a link that sends all requests in order over one connected stream.  `socket` is its
/// descriptor, of which the link takes ownership.  The link calls `broken` once, if the stream ends
/// (even between two requests) or an answer is late; all later requests fail.
std::unique_ptr<WikiLink> make_wiki_stream(boost::asio::io_context& io, int socket, Seconds timeout,
                                           std::function<void(const std::string& why)> broken);

}  // namespace maui
