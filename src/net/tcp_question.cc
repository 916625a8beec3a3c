#include "net/tcp_question.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>
#include <memory>
#include <utility>

#include "base/fence.h"

namespace maui {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

class Call : public std::enable_shared_from_this<Call> {
 public:
  Call(boost::asio::io_context& io, TcpQuestion question)
      : resolver_(io), socket_(io), deadline_(io), question_(std::move(question)) {}

  void begin() {
    deadline_.expires_after(question_.timeout);
    deadline_.async_wait([self = shared_from_this()](error_code error) {
      if (!error)
        self->finish(Error{fmt::format("no answer from {} within {} ms", self->place(),
                                       self->question_.timeout.count())});
    });
    try {
      resolver_.async_resolve(question_.host, std::to_string(question_.port),
                              [self = shared_from_this()](error_code error, const auto& found) {
                                if (error) return self->fail("find", error);
                                self->connect(found);
                              });
    } catch (const boost::system::system_error& problem) {  // the resolver needs a thread
      boost::asio::post(socket_.get_executor(), [self = shared_from_this(), why = problem.code()] {
        self->fail("find", why);
      });
    }
  }

 private:
  std::string place() const { return fmt::format("{}:{}", question_.host, question_.port); }

  void connect(const tcp::resolver::results_type& found) {
    if (over_) return;
    boost::asio::async_connect(socket_, found,
                               [self = shared_from_this()](error_code error, const tcp::endpoint&) {
                                 if (error) return self->fail("connect to", error);
                                 self->write();
                               });
  }

  void write() {
    if (over_) return;
    sent_ = true;
    pass_fence();
    boost::asio::async_write(socket_, boost::asio::buffer(question_.text),
                             [self = shared_from_this()](error_code error, std::size_t) {
                               if (error) return self->fail("write to", error);
                               self->read();
                             });
  }

  void read() {
    if (over_) return;
    socket_.async_read_some(boost::asio::buffer(buffer_), [self = shared_from_this()](
                                                              error_code error, std::size_t size) {
      if (self->over_) return;
      const auto whole = self->question_.take({self->buffer_.data(), size});
      if (!whole) return self->finish(whole.error());
      if (*whole) return self->finish(Done{});
      if (error == boost::asio::error::eof)
        return self->finish(Error{
            fmt::format("{} closed the connection before the answer was whole", self->place())});
      if (error) return self->fail("read from", error);
      self->read();
    });
  }

  void fail(std::string_view doing, error_code error) {
    finish(Error{fmt::format("cannot {} {}: {}", doing, place(), error.message())});
  }

  void finish(Status status) {
    if (std::exchange(over_, true)) return;
    deadline_.cancel();
    resolver_.cancel();
    error_code ignored;
    socket_.close(ignored);
    question_.done(std::move(status), sent_);
  }

  tcp::resolver resolver_;
  tcp::socket socket_;
  boost::asio::steady_timer deadline_;
  TcpQuestion question_;
  std::array<char, 65536> buffer_{};
  bool sent_ = false, over_ = false;
};

}  // namespace

void ask_over_tcp(boost::asio::io_context& io, TcpQuestion question) {
  std::make_shared<Call>(io, std::move(question))->begin();
}

}  // namespace maui
