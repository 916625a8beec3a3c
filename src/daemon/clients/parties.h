// The users and hosts that clients belong to, and what each has of the server: connections, bytes
// of requests and replies, and its time.
//
// Each of these is limited; where it runs short, the party that has most gives way.  Ordinary
// parties have a part of it only, so that administrators find the rest.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "daemon/clients/client.h"

namespace maui {

class Parties {
 public:
  using Connection = std::shared_ptr<Client>;
  using Connections = std::map<std::uint64_t, Connection>;  // oldest first
  using Moment = std::chrono::steady_clock::time_point;
  using Duration = Moment::duration;

  void add(const Connection& connection, bool privileged);
  void remove(const Client& connection);
  std::size_t connections() const { return local_.all + network_.all + http_.all; }
  /// A copy, oldest first: closing one changes the parties.
  std::vector<Connection> all() const;

  /// The connection that has to go so that one more has room among `most` of its kind: those of the
  /// socket, of the network, or over HTTP.  Null: there is room.
  Connection in_the_way(const Peer& newcomer, bool privileged, std::size_t most) const;
  /// Notes that a connection holds more or less now.
  void recount(const Client& connection, std::size_t before, std::size_t now);
  /// The connection that has to go so that all hold `most` bytes at most.  Null: none has to.
  Connection too_large(std::size_t most) const;
  std::size_t held() const { return held_.all; }

  /// Its reply is being sent, or has been taken.
  void is_sending(const Connection& connection);
  void has_sent(const Client& connection);

  /// It waits for its turn; `first`: before others of its party.
  void is_ready(const Connection& connection, bool first = false);
  bool any_ready() const { return ready_ > 0; }
  /// When the first of those that wait may have its turn; Moment::max() if none waits.
  Moment first_turn() const;
  /// Takes the first that waits of the party that has had least time and does not rest.  Null:
  /// there is none.
  Connection next(Moment now);
  /// Notes how much time was spent on a connection of this party.
  void spent(const Client& connection, Duration time);
  /// Nothing is done for this party until then, unless it is an administrator's.  The connection
  /// may have gone by now, and its party been forgotten.
  void rests(const Client& connection, Moment until);

 private:
  /// A count over everybody, and over those who are no administrators.
  struct Count {
    std::size_t all = 0, ordinary = 0;
  };
  struct Party {
    Count Parties::*kind = nullptr;
    bool privileged = false;
    Connections connections;
    Connections sending;   // those that have a reply to take
    std::size_t held = 0;  // bytes
    std::deque<Connection> ready;
    Duration had{};  // of the server's time; a newcomer begins where the least is
    Moment rests_until{};
  };
  static Count Parties::*kind_of(const Peer& peer);
  Party& party_of(const Client& connection);
  void count(const Party& party, std::ptrdiff_t connections);
  void hold(Party& party, std::size_t before, std::size_t now);
  void forget_idle();

  std::map<std::string, Party> parties_;
  Count local_, network_, http_;  // connections
  Count held_;                    // bytes
  std::size_t forget_at_ = 100;   // so many parties
  std::size_t ready_ = 0;         // connections that wait for their turn
  Duration least_{};              // that a party had when it was served last
};

}  // namespace maui
