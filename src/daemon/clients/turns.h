// Decides which client is served next and which is closed: shares the server's time, connections
// and memory among the parties of its clients, whatever their protocol (daemon/clients/parties.h).
//
// Work is done in slices, each for the party that has used least time so far.  When connections or
// memory run out, the party that uses most loses a connection, preferably one that does not take
// its reply; some of both is reserved for administrators.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/steady_clock.h"
#include "daemon/clients/parties.h"
#include "daemon/memory_reserve.h"

namespace maui {

class Turns {
 public:
  using Connection = Parties::Connection;

  struct Limits {
    std::size_t max_memory = std::size_t{1} << 28;  // requests and replies under way
    std::function<bool(const Peer&)> privileged;    // get a reserved share; none: nobody
    // measures the time of slices
    SteadyClock clock = std::chrono::steady_clock::now;
  };
  /// Logs a client that misbehaves.
  using Complain = std::function<void(const Peer& peer, std::string_view text)>;

  Turns(boost::asio::io_context& io, Limits limits, Complain complain)
      : io_(io), limits_(std::move(limits)), complain_(std::move(complain)), rest_(io) {}

  void configure(Limits limits) { limits_ = std::move(limits); }

  /// True if the newcomer's party has not begun too many connections of late; otherwise complains
  /// about it.  Administrators may begin as many as they like.
  bool admits(const Peer& newcomer, Parties::Moment now);
  /// Closes a connection if needed, so that a newcomer has room among `most` of its kind.
  void make_room(const Peer& newcomer, std::size_t most);
  std::uint64_t next_number() { return next_number_++; }
  void add(const Connection& connection, Parties::Moment now);
  void remove(const Client& connection) { parties_.remove(connection); }
  std::size_t connections() const { return parties_.connections(); }
  std::vector<Connection> all() const { return parties_.all(); }

  /// Queues the connection for a turn; `first`: before others of its party.
  void is_ready(const Connection& connection, bool first = false);
  void is_sending(const Connection& connection) { parties_.is_sending(connection); }
  void has_sent(const Client& connection) { parties_.has_sent(connection); }
  /// Returns the time by which the server's work is measured.
  Parties::Moment now() const { return limits_.clock(); }
  /// Notes that the server has worked for the connection since `begin`: its party used that time.
  void worked(const Client& connection, Parties::Moment begin) {
    parties_.spent(connection, now() - begin);
  }
  /// Notes a change of the bytes that it holds; may close a connection, perhaps this one.
  void recount(const Client& connection, std::size_t before, std::size_t now);
  /// Does not serve the connection's party before `until`, unless it is an administrator's.
  void rests(const Client& connection, Parties::Moment until) { parties_.rests(connection, until); }

  /// False while memory is short, unless the peer is an administrator: what has been received of
  /// requests takes memory, too.
  bool may_take_memory(const Peer& peer) const { return !memory_is_short() || is_privileged(peer); }
  /// While held back, requests are read, of long ones the beginning, but not answered.
  void hold_back(bool on);
  void complain(const Peer& peer, std::string_view text);
  /// Counts of clients refused or closed for misbehaviour since the start: clients of commands, and
  /// clients over HTTP.
  std::int64_t refused() const { return refused_; }
  std::int64_t refused_over_http() const { return refused_over_http_; }

 private:
  bool is_privileged(const Peer& peer) const {
    return limits_.privileged && limits_.privileged(peer);
  }
  void serve_soon();
  void serve_in(int rounds);
  void serve_next();
  void close_for(const Connection& connection, std::string_view what);

  boost::asio::io_context& io_;
  Limits limits_;
  Complain complain_;
  Parties parties_;
  std::uint64_t next_number_ = 0;
  std::int64_t refused_ = 0, refused_over_http_ = 0;
  bool held_back_ = false;
  bool serving_ = false;            // a call of serve_next() is queued
  boost::asio::steady_timer rest_;  // runs until a waiting party may be served
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // for handlers still in the loop
};

}  // namespace maui
