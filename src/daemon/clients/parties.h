// The parties, users and hosts, that clients belong to, and the share of the server that each uses:
// connections, bytes of requests and replies, and time.
//
// Each resource is limited; when it is exhausted, the party that uses most of it gives way.
// Ordinary parties may use only a part, so that administrators always find a rest.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/token_bucket.h"
#include "daemon/clients/client.h"

namespace maui {

class Parties {
 public:
  using Connection = std::shared_ptr<Client>;
  using Connections = std::map<std::uint64_t, Connection>;  // oldest first
  using Moment = std::chrono::steady_clock::time_point;
  using Duration = Moment::duration;

  /// False if the peer's party has begun as many connections as it may for now.
  bool may_connect(const Peer& newcomer, Moment now) const;
  /// `privileged`: whether the connection's party is now that of administrators.
  void add(const Connection& connection, bool privileged, Moment now);
  void remove(const Client& connection);
  /// The number of parties that are remembered.
  std::size_t known() const { return parties_.size(); }
  std::size_t connections() const { return local_.all + network_.all + http_.all; }
  /// Returns a copy, oldest first, because closing a connection changes the parties.
  std::vector<Connection> all() const;

  /// Returns the connection to close so that a newcomer has room among `most` connections of its
  /// kind (Unix-domain socket, network or HTTP).  Null: there is room.
  Connection in_the_way(const Peer& newcomer, bool privileged, std::size_t most) const;
  /// Notes that the bytes held by a connection have changed from `before` to `now`.
  void recount(const Client& connection, std::size_t before, std::size_t now);
  /// Returns the connection to close so that all together hold at most `most` bytes.  Null: none.
  Connection too_large(std::size_t most) const;
  std::size_t held() const { return held_.all; }

  /// Notes that the connection's reply is being sent, or that the peer has taken it.
  void is_sending(const Connection& connection);
  void has_sent(const Client& connection);

  /// Queues the connection for a turn; `first`: before others of its party.
  void is_ready(const Connection& connection, bool first = false);
  bool any_ready() const { return ready_ > 0; }
  /// Returns the earliest time at which a waiting party may be served; Moment::max() if none waits.
  Moment first_turn() const;
  /// Removes and returns the next connection to serve: the first one waiting in the party that has
  /// used least time and does not rest.  Null if there is none.
  Connection next(Moment now);
  /// Adds `time` to the time used by the connection's party.
  void spent(const Client& connection, Duration time);
  /// Does not serve the connection's party before `until`, unless it is an administrator's.  The
  /// connection may be closed by now, and its party forgotten.
  void rests(const Client& connection, Moment until);

 private:
  // The number of connections that a party may begin at once, and how long it takes until it may
  // begin another: to accept these takes little of the server's time.
  static constexpr std::int64_t kBeginsAtOnce = 1000;
  static constexpr std::chrono::milliseconds kBeginsAgain{1};

  /// A count over all parties, and over those that are not administrators'.
  struct Count {
    std::size_t all = 0, ordinary = 0;
  };
  struct Party {
    Count Parties::*kind = nullptr;
    bool privileged = false;
    Connections connections;
    Connections sending;   // have a reply to take
    std::size_t held = 0;  // bytes
    std::deque<Connection> ready;
    Duration had{};  // time used; a new party begins at least_
    Moment rests_until{};
    TokenBucket begins{kBeginsAtOnce, kBeginsAgain};  // connections that it may begin
  };
  static Count Parties::*kind_of(const Peer& peer);
  Party& party_of(const Client& connection);
  void count(const Party& party, std::ptrdiff_t connections);
  void set_privileged(Party& party, bool privileged);
  void hold(Party& party, std::size_t before, std::size_t now);
  void forget_idle(Moment now);

  std::map<std::string, Party> parties_;
  Count local_, network_, http_;  // connections
  Count held_;                    // bytes
  std::size_t forget_at_ = 100;   // the number of parties at which idle ones are removed
  std::size_t ready_ = 0;         // connections that wait for a turn
  Duration least_{};              // the time used by the party served last
};

}  // namespace maui
