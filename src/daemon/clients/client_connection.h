// A client's connection: one request and reply at a time, until the client closes or is too slow.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cmd/awaited_answers.h"
#include "daemon/clients/peer.h"
#include "daemon/clients/stream_client.h"
#include "maui/result.h"
#include "proto/frame.h"
#include "proto/message.h"

namespace maui {

struct Caller {
  std::string user;
  std::string host;     // empty: this machine
  std::string address;  // for the log
  std::string party;    // shares limits, as Peer::party
};

/// The user who sends a request, and the secret that signs the reply.
struct Believed {
  std::string user;
  std::string secret;   // empty: the reply is not signed
  std::string doubt{};  // why the request may be a repeated one; empty: it is new
};

class ClientConnection final : public StreamClient {
 public:
  /// The outcome of some milliseconds of work for a request.
  struct Slice {
    Slice(std::optional<std::string> reply = {}) : data(std::move(reply)) {}
    std::optional<std::string> data;          // of the reply; nullopt: work remains
    bool changed = false;                     // the reply, which is kept, reports a change
    bool first = false;                       // the rest comes before other requests of the party
    bool looks = false;                       // the rest changes nothing, and ends with its client
    std::shared_ptr<AwaitedAnswers> awaited;  // the rest waits for these; null: for nothing
  };
  /// Each call works for some milliseconds; the last call returns the reply's data.
  using Work = std::function<Slice()>;
  /// Revises the data of a reply to a request that changed something.
  using Revision = std::function<std::string(std::string data)>;

  /// The services of the server that the connection uses.
  class Host {
   public:
    /// Returns the time limit for sending a request, and for taking a reply.
    virtual std::chrono::milliseconds timeout() const = 0;
    /// Returns how long a reply waits for answers of resource managers at most.
    virtual std::chrono::milliseconds patience() const = 0;
    /// Calls `done` with the user who sent the message, or with the reason why the message is
    /// rejected: at once, or later from the loop.  A challenge in it is one that its connection has
    /// just sent, so that the message is new.
    virtual void authenticate(const Peer& peer, const Message& message,
                              std::function<void(Result<Believed>)> done) = 0;
    virtual Work begin(const Caller& caller, std::string_view data) = 0;
    virtual std::string sign_reply(const std::string& secret, const std::string& to,
                                   const std::string& data) const = 0;
    /// Returns a reply that asks for the request again, with this challenge.
    virtual std::string sign_challenge(const std::string& secret, const std::string& to,
                                       const std::string& challenge) const = 0;
    /// True if the reply to `connection` is kept until the server releases it.
    virtual bool keep(const std::shared_ptr<ClientConnection>& connection) = 0;

    virtual void log(int level, const Peer& peer, std::string_view text) const = 0;
    /// Logs a client that misbehaves.
    virtual void complain(const Peer& peer, std::string_view text) = 0;

   protected:
    ~Host() = default;
  };

  ClientConnection(Host& host, Turns& turns, Socket socket, Peer peer, std::uint64_t number);

  void start();
  void work() override;
  void wait_no_longer() override;
  /// Sends the reply that was kept; revises it first if its request changed something.
  void release(const Revision& of_changes);
  /// True if the request has changed something, and its reply is kept.
  bool has_changed() const { return kept_ && !is_closed() && !change_.empty(); }
  std::size_t held() const override {
    return decoder_.held() + request_.size() + asked_.data.size() + asked_.covered.size() +
           outgoing_.size() + change_.size();
  }

 private:
  std::shared_ptr<ClientConnection> self() {
    return std::static_pointer_cast<ClientConnection>(shared_from_this());
  }
  void has_sent() override;
  void read();
  void read_some();
  void take(std::string_view bytes);
  void next_request();
  void wait_for_turn(std::string text);
  void go_on();
  void await(std::shared_ptr<AwaitedAnswers> awaited);
  Status take_up();
  void has_been_judged(Result<Believed> believed);
  void begin();
  void ask_for_proof();
  void answer(const std::string& data);
  void write(std::string frame);
  void send_within_limit();
  void expect_within_limit(const char* what);
  void refuse(const std::string& reason);

  Host& host_;
  FrameDecoder decoder_;
  bool reads_ = false;   // waits for its turn to read
  std::string request_;  // waits for its turn
  Message asked_;        // the message whose sender is being authenticated
  bool taking_up_ = false;
  std::optional<Believed> believed_;
  std::string challenge_;                  // sent, and not yet answered
  Work work_;                              // empty: not begun
  std::weak_ptr<AwaitedAnswers> awaited_;  // by the current request
  std::string reply_to_;                   // the checksum of the current request
  std::string reply_secret_;
  bool looks_ = false;  // the current request changes nothing
  std::string change_;  // the reply's data, if the request changed something
  bool kept_ = false;   // the reply waits for release(); writing_ is true
};

}  // namespace maui
