// Decides who is served next, and who has to go: the server's time, connections and memory, shared
// by the parties of its clients, whatever protocol they speak (daemon/clients/parties.h).
//
// Work is done slice by slice, of the party whose work has taken least time so far.  Where
// connections or memory run short, the party that has most of them loses one, first of all one that
// does not take its reply, and some are kept for administrators.
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

namespace maui {

class Turns {
 public:
  using Connection = Parties::Connection;

  struct Limits {
    std::size_t max_memory = std::size_t{1} << 28;  // requests and replies under way
    std::function<bool(const Peer&)> privileged;    // for whom some is kept; none: nobody
    // The clock that measures how long a slice of work took.
    SteadyClock clock = std::chrono::steady_clock::now;
  };
  /// Logs a client that does what it may not.
  using Complain = std::function<void(const Peer& peer, std::string_view text)>;

  Turns(boost::asio::io_context& io, Limits limits, Complain complain)
      : io_(io), limits_(std::move(limits)), complain_(std::move(complain)), rest_(io) {}

  void configure(Limits limits) { limits_ = std::move(limits); }

  /// Closes a connection so that the newcomer has room among `most` of its kind.
  void make_room(const Peer& newcomer, std::size_t most);
  std::uint64_t next_number() { return next_number_++; }
  void add(const Connection& connection);
  void remove(const Client& connection) { parties_.remove(connection); }
  std::size_t connections() const { return parties_.connections(); }
  std::vector<Connection> all() const { return parties_.all(); }

  /// It has a request, or work to be gone on with; `first`: before others of its party.
  void is_ready(const Connection& connection, bool first = false);
  void is_sending(const Connection& connection) { parties_.is_sending(connection); }
  void has_sent(const Client& connection) { parties_.has_sent(connection); }
  /// It holds so many bytes now; somebody may be closed for that, and it may be this one.
  void recount(const Client& connection, std::size_t before, std::size_t now);
  /// Nothing is done for its party until then, unless it is an administrator's.
  void rests(const Client& connection, Parties::Moment until) { parties_.rests(connection, until); }

  /// While held back, requests are read but not answered.
  void hold_back(bool on);
  void complain(const Peer& peer, std::string_view text);
  /// Clients refused or closed for what they did, since the start: those who gave commands, and
  /// those who asked over HTTP.
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
  bool serving_ = false;            // serve_next() is about to be called
  boost::asio::steady_timer rest_;  // until somebody who waits may have his turn
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // for what the loop still holds
};

}  // namespace maui
