#include <fmt/format.h>

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <deque>

#include "proto/frame.h"
#include "rm/wiki_link.h"

namespace maui {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

// One question: it keeps itself alive through its handlers, until it is answered.
class Call : public std::enable_shared_from_this<Call> {
 public:
  Call(boost::asio::io_context& io, const WikiLinkOptions& options, std::string frame,
       std::function<void(WikiAnswer)> done)
      : resolver_(io),
        socket_(io),
        deadline_(io),
        options_(options),
        frame_(std::move(frame)),
        done_(std::move(done)) {}

  void begin() {
    deadline_.expires_after(
        std::chrono::seconds(std::max<std::int64_t>(1, options_.timeout.raw())));
    deadline_.async_wait([self = shared_from_this()](error_code error) {
      if (!error)
        self->fail(fmt::format("no answer within {} seconds", self->options_.timeout.raw()));
    });
    resolver_.async_resolve(options_.host.empty() ? "127.0.0.1" : options_.host,
                            std::to_string(options_.port),
                            [self = shared_from_this()](error_code error, const auto& found) {
                              if (error) return self->fail(self->trouble("find", error));
                              self->connect(found);
                            });
  }

 private:
  std::string trouble(std::string_view doing, error_code error) const {
    return fmt::format("cannot {} {}:{}: {}", doing,
                       options_.host.empty() ? "127.0.0.1" : options_.host, options_.port,
                       error.message());
  }

  void connect(const tcp::resolver::results_type& found) {
    if (!done_) return;
    boost::asio::async_connect(socket_, found,
                               [self = shared_from_this()](error_code error, const tcp::endpoint&) {
                                 if (error) return self->fail(self->trouble("connect to", error));
                                 self->write();
                               });
  }

  void write() {
    sent_ = true;
    boost::asio::async_write(socket_, boost::asio::buffer(frame_),
                             [self = shared_from_this()](error_code error, std::size_t) {
                               if (error) return self->fail(self->trouble("write to", error));
                               self->read();
                             });
  }

  void read() {
    socket_.async_read_some(boost::asio::buffer(buffer_), [self = shared_from_this()](
                                                              error_code error, std::size_t size) {
      self->decoder_.feed({self->buffer_.data(), size});
      auto whole = self->decoder_.next();
      if (!whole) return self->fail(whole.error().what);
      if (*whole) return self->answer(**whole);
      if (error == boost::asio::error::eof)
        return self->fail("the connection ended before the answer was whole");
      if (error) return self->fail(self->trouble("read from", error));
      self->read();
    });
  }

  void answer(std::string_view content) {
    auto message = open_wiki(content, options_.seal);
    if (!message) return fail(message.error().what);
    finish({read_wiki_reply(message->body), true, message->sent});
  }

  void fail(const std::string& why) { finish({Error{why}, sent_, std::nullopt}); }

  void finish(WikiAnswer answer) {
    const auto done = std::exchange(done_, nullptr);
    deadline_.cancel();
    resolver_.cancel();
    error_code ignored;
    socket_.close(ignored);
    if (done) done(std::move(answer));
  }

  tcp::resolver resolver_;
  tcp::socket socket_;
  boost::asio::steady_timer deadline_;
  WikiLinkOptions options_;
  std::string frame_;
  std::function<void(WikiAnswer)> done_;
  FrameDecoder decoder_{kMaxMessage};
  std::array<char, 65536> buffer_{};
  bool sent_ = false;
};

// Many starts at once must not overrun a small server.
constexpr int kMostCalls = 16;

// Questions that wait for their turn; shared with the calls, which may outlive the dialer.
class Dialer : public std::enable_shared_from_this<Dialer> {
 public:
  Dialer(boost::asio::io_context& io, WikiLinkOptions options, const Clock& clock)
      : io_(io), options_(std::move(options)), clock_(clock) {}

  void ask(std::string body, std::function<void(WikiAnswer)> done) {
    waiting_.emplace_back(std::move(body), std::move(done));
    next();
  }

 private:
  void next() {
    if (open_ >= kMostCalls || waiting_.empty()) return;
    ++open_;
    auto [body, done] = std::move(waiting_.front());
    waiting_.pop_front();
    auto told = [self = shared_from_this(), done = std::move(done)](WikiAnswer answer) {
      --self->open_;
      // Where one is not heard, the others that wait will not be.
      const auto lost = answer.reply ? decltype(waiting_)() : std::exchange(self->waiting_, {});
      const auto why = answer.reply ? std::string() : answer.reply.error().what;
      done(std::move(answer));
      for (const auto& one : lost) one.second({Error{why}, false, std::nullopt});
      self->next();
    };
    std::make_shared<Call>(io_, options_, wiki_frame(body, options_.seal, clock_.now()),
                           std::move(told))
        ->begin();
  }

  boost::asio::io_context& io_;
  WikiLinkOptions options_;
  const Clock& clock_;
  int open_ = 0;
  std::deque<std::pair<std::string, std::function<void(WikiAnswer)>>> waiting_;
};

class WikiDialer final : public WikiLink {
 public:
  explicit WikiDialer(std::shared_ptr<Dialer> dialer) : dialer_(std::move(dialer)) {}
  void ask(const WikiRequest& request, std::function<void(WikiAnswer)> done) override {
    dialer_->ask(write_wiki(request), std::move(done));
  }

 private:
  std::shared_ptr<Dialer> dialer_;
};

}  // namespace

std::unique_ptr<WikiLink> make_wiki_dialer(boost::asio::io_context& io, WikiLinkOptions options,
                                           const Clock& clock) {
  return std::make_unique<WikiDialer>(std::make_shared<Dialer>(io, std::move(options), clock));
}

}  // namespace maui
