#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <deque>

#include "base/fence.h"
#include "base/text.h"
#include "proto/frame.h"
#include "rm/wiki_link.h"

namespace maui {
namespace {

using boost::system::error_code;

struct Question {
  std::string frame;
  std::function<void(WikiAnswer)> done;
};

// State that the handlers share with the link, because they may outlive it.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(boost::asio::io_context& io, int socket, Seconds timeout,
         std::function<void(const std::string&)> broken)
      : socket_(io), deadline_(io), timeout_(timeout), broken_(std::move(broken)) {
    error_code error;
    socket_.assign(boost::asio::local::stream_protocol(), socket, error);
    if (!error) return;
    why_ = error.message();
    ::close(socket);
  }

  /// Starts to read, so that the end of the stream is noticed at once, even without a request.
  void open() {
    boost::asio::post(socket_.get_executor(), [self = shared_from_this()] { self->read(); });
  }

  void ask(Question question) {
    waiting_.push_back(std::move(question));
    if (waiting_.size() > 1) return;
    boost::asio::post(socket_.get_executor(), [self = shared_from_this()] { self->next(); });
  }

  void close() {
    broken_ = nullptr;
    waiting_.clear();
    fail("the link is closed");
  }

 private:
  void next() {
    if (asked_ || waiting_.empty()) return;
    if (!why_.empty()) return fail(why_);
    asked_ = true;
    deadline_.expires_after(std::chrono::seconds(std::max<std::int64_t>(1, timeout_.raw())));
    deadline_.async_wait([self = shared_from_this()](error_code error) {
      if (!error)
        self->fail(fmt::format("no answer within {}", counted(self->timeout_.raw(), "second")));
    });
    pass_fence();
    boost::asio::async_write(socket_, boost::asio::buffer(waiting_.front().frame),
                             [self = shared_from_this()](error_code error, std::size_t) {
                               if (error) self->fail(error.message());
                             });
  }

  void read() {
    if (!why_.empty()) return;
    socket_.async_read_some(boost::asio::buffer(buffer_),
                            [self = shared_from_this()](error_code error, auto size) {
                              if (error)
                                return self->fail("the connection ended: " + error.message());
                              self->decoder_.feed({self->buffer_.data(), size});
                              self->take();
                              self->read();
                            });
  }

  void take() {
    while (why_.empty()) {
      const auto whole = decoder_.next();
      if (!whole) return fail(whole.error().what);
      if (!*whole) return;
      if (!asked_) return fail("it sent data without a request");
      answer(**whole);
    }
  }

  void answer(std::string_view content) {
    deadline_.cancel();
    const auto message = open_wiki(content, std::nullopt);
    const auto done = std::move(waiting_.front().done);
    waiting_.pop_front();
    asked_ = false;
    done({message ? read_wiki_reply(message->body) : Result<WikiReply>(message.error()), true,
          message ? message->sent : std::nullopt});
    next();
  }

  void fail(const std::string& why) {
    const bool first = why_.empty();
    if (first) why_ = why;
    deadline_.cancel();
    error_code ignored;
    socket_.close(ignored);
    const auto self = shared_from_this();
    for (bool sent = first; !waiting_.empty(); sent = false) {
      const auto done = std::move(waiting_.front().done);
      waiting_.pop_front();
      done({Error{why_}, sent, std::nullopt});
    }
    if (first)
      if (const auto notify = std::exchange(broken_, nullptr)) notify(why_);
  }

  boost::asio::local::stream_protocol::socket socket_;
  boost::asio::steady_timer deadline_;
  Seconds timeout_;
  std::function<void(const std::string&)> broken_;
  std::string why_;  // why the stream is useless; empty: it works
  std::deque<Question> waiting_;
  bool asked_ = false;  // the first request is under way
  FrameDecoder decoder_{kMaxMessage};
  std::array<char, 65536> buffer_{};
};

class WikiStream final : public WikiLink {
 public:
  explicit WikiStream(std::shared_ptr<Stream> stream) : stream_(std::move(stream)) {}
  ~WikiStream() override { stream_->close(); }
  void ask(const WikiRequest& request, std::function<void(WikiAnswer)> done) override {
    stream_->ask({wiki_frame(write_wiki(request), std::nullopt, Time(0)), std::move(done)});
  }

 private:
  std::shared_ptr<Stream> stream_;
};

}  // namespace

std::unique_ptr<WikiLink> make_wiki_stream(boost::asio::io_context& io, int socket, Seconds timeout,
                                           std::function<void(const std::string& why)> broken) {
  auto stream = std::make_shared<Stream>(io, socket, timeout, std::move(broken));
  stream->open();
  return std::make_unique<WikiStream>(std::move(stream));
}

}  // namespace maui
