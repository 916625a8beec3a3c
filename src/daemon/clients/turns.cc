#include "daemon/clients/turns.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <chrono>

namespace maui {
namespace {

// Rounds of the event loop between two slices of work, in which new clients are accepted and their
// requests are read.
constexpr int kRounds = 3;

}  // namespace

bool Turns::admits(const Peer& newcomer, Parties::Moment now) {
  if (is_privileged(newcomer) || parties_.may_connect(newcomer, now)) return true;
  complain(newcomer, fmt::format("ALERT: client {} refused: {} begins too many connections",
                                 newcomer.address, newcomer.party));
  return false;
}

void Turns::make_room(const Peer& newcomer, std::size_t most) {
  if (const auto found = parties_.in_the_way(newcomer, is_privileged(newcomer), most))
    close_for(found, fmt::format("{} connections", most));
}

void Turns::add(const Connection& connection, Parties::Moment now) {
  parties_.add(connection, is_privileged(connection->peer()), now);
}

void Turns::recount(const Client& connection, std::size_t before, std::size_t now) {
  parties_.recount(connection, before, now);
  if (now <= before) return;
  while (const auto found = parties_.too_large(limits_.max_memory))
    close_for(found, fmt::format("{} bytes of messages", parties_.held()));
}

void Turns::close_for(const Connection& connection, std::string_view what) {
  const Peer& peer = connection->peer();
  complain(peer, fmt::format("ALERT: client {} closed: {} has the largest share of {}",
                             peer.address, peer.party, what));
  connection->close();
}

void Turns::complain(const Peer& peer, std::string_view text) {
  ++(peer.http ? refused_over_http_ : refused_);
  complain_(peer, text);
}

void Turns::is_ready(const Connection& connection, bool first) {
  parties_.is_ready(connection, first);
  serve_soon();
}

/// Serves a client after everything the loop has to do meanwhile: accept, read, send, poll.
void Turns::serve_soon() {
  if (serving_ || held_back_ || !parties_.any_ready()) return;
  if (const auto first = parties_.first_turn(); first > std::chrono::steady_clock::now()) {
    rest_.expires_at(first);
    rest_.async_wait([this](boost::system::error_code error) {
      if (!error) serve_soon();
    });
    return;
  }
  serving_ = true;
  serve_in(kRounds);
}

void Turns::serve_in(int rounds) {
  boost::asio::post(io_, [this, rounds, alive = std::weak_ptr<bool>(alive_)] {
    if (alive.expired()) return;
    rounds > 0 ? serve_in(rounds - 1) : serve_next();
  });
}

void Turns::serve_next() {
  serving_ = false;
  if (held_back_) return;
  if (const auto connection = parties_.next(std::chrono::steady_clock::now())) {
    const auto begin = now();
    connection->work();
    worked(*connection, begin);
  }
  serve_soon();
}

void Turns::hold_back(bool on) {
  if (std::exchange(held_back_, on) != on) serve_soon();
}

}  // namespace maui
