// One client over HTTP: a request in, its answer out, one at a time, until it closes or is too
// slow.  What it sends behind a request is not read before that is answered.  An answer may be a
// stream, which goes on with what is sent to the client later.
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

#include "daemon/clients/stream_client.h"
#include "http/request.h"
#include "http/response.h"

namespace maui {

class HttpConnection final : public StreamClient {
 public:
  /// Each call does some milliseconds of the work; the last gives the answer.
  using Work = std::function<std::optional<HttpResponse>()>;

  /// The services that a connection asks of the server that took it.
  class Host {
   public:
    /// How long a client has for a request, and for taking an answer.
    virtual std::chrono::milliseconds timeout() const = 0;
    virtual Work begin(const Peer& peer, const HttpRequest& request) = 0;
    struct Step {
      std::optional<HttpResponse> response = {};  // none: there is more to do
      bool first = false;  // what there is to do comes before other requests of the party
    };
    virtual Step work_on(const Work& work) = 0;
    virtual void closed(const HttpConnection& connection) = 0;
    virtual void log(int level, const Peer& peer, std::string_view text) = 0;

   protected:
    ~Host() = default;
  };

  HttpConnection(Host& host, Turns& turns, Socket socket, Peer peer, std::uint64_t number);

  void start() { await_request(); }
  void work() override;
  std::size_t held() const override;

  /// True once its answer is a stream.
  bool is_stream() const { return stream_of_.has_value(); }
  /// Requires that: whose it is.
  const std::string& stream_of() const { return *stream_of_; }
  /// Sends that in its stream.  While something is being sent yet, the last news waits for it, and
  /// a sign of life is left out.
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
  /// Closes once the peer has read what was sent: closing at once would take it away from him.
  void linger();
  void discard();
  void expect_within(std::chrono::milliseconds limit);

  Host& host_;
  RequestReader reader_;
  std::array<char, 4096> buffer_{};
  std::optional<HttpRequest> request_;  // that waits for its turn
  Work work_;                           // none: not begun
  std::size_t discarded_ = 0;           // bytes, while it lingers or is a stream
  std::string news_;                    // of the stream, to be sent next
  std::optional<std::string> stream_of_;
  bool head_ = false;  // of the request under way
  bool lingering_ = false;
};

}  // namespace maui
