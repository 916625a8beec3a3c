// An HTTP client's connection: one request and answer at a time, until the client closes or is too
// slow.  Data that follows a request is not read before that request is answered.  An answer may be
// a stream, to which later data is added.
#pragma once
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "daemon/clients/stream_client.h"
#include "http/request.h"
#include "http/response.h"

namespace maui {

class HttpConnection final : public StreamClient {
 public:
  /// The outcome of some milliseconds of work for a request.
  struct Slice {
    Slice(std::optional<HttpResponse> answer = {}, bool comes_first = false)
        : response(std::move(answer)), first(comes_first) {}
    Slice(HttpResponse answer) : response(std::move(answer)) {}
    std::optional<HttpResponse> response;  // nullopt: work remains
    bool first = false;                    // the rest comes before other requests of the party
  };
  /// Each call works for some milliseconds; the last call returns the answer.
  using Work = std::function<Slice()>;

  /// The services of the server that the connection uses.
  class Host {
   public:
    /// Returns the time limit for sending a request, and for taking an answer.
    virtual std::chrono::milliseconds timeout() const = 0;
    virtual Work begin(const Peer& peer, const HttpRequest& request) = 0;
    /// True if the answer to `connection` is kept until the server releases it.
    virtual bool keep(const std::shared_ptr<HttpConnection>& connection) = 0;
    virtual void closed(const HttpConnection& connection) = 0;
    virtual void log(int level, const Peer& peer, std::string_view text) = 0;

   protected:
    ~Host() = default;
  };

  HttpConnection(Host& host, Turns& turns, Socket socket, Peer peer, std::uint64_t number);

  void start() { await_request(); }
  void work() override;
  std::size_t held() const override;
  /// Sends the answer that was kept.
  void release();

  /// True if the answer is a stream.
  bool is_stream() const { return stream_of_.has_value(); }
  /// Returns the owner of the stream.  Requires is_stream().
  const std::string& stream_of() const { return *stream_of_; }
  /// Sends data in the stream.  While other data is being sent, the latest news waits, and a sign
  /// of life is dropped.
  void send_news(const std::string& news);
  void show_life(const std::string& sign);

 private:
  std::shared_ptr<HttpConnection> self() {
    return std::static_pointer_cast<HttpConnection>(shared_from_this());
  }
  void has_closed() override { host_.closed(*this); }
  void has_sent() override;
  void await_request();
  void next_request();
  void read();
  void answer(HttpResponse response);
  void begin_stream(std::string whose);
  void go_on_with_stream();
  /// Closes after the peer has read the answer: closing at once could discard unread data.
  void linger();
  void discard();
  void expect_within(std::chrono::milliseconds limit);

  Host& host_;
  RequestReader reader_;
  std::array<char, 4096> buffer_{};
  std::optional<HttpRequest> request_;  // waits for its turn
  Work work_;                           // empty: not begun
  std::size_t discarded_ = 0;           // bytes, while lingering or streaming
  std::string news_;                    // waits to be sent in the stream
  std::optional<std::string> stream_of_;
  bool head_ = false;  // the current request is HEAD
  bool lingering_ = false;
};

}  // namespace maui
