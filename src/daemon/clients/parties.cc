#include "daemon/clients/parties.h"

#include <algorithm>
#include <utility>

namespace maui {
namespace {

// One eighth of each limit is reserved for administrators.
constexpr std::size_t kReserved = 8;

// The number of parties up to which those that have gone are remembered.
constexpr std::size_t kRemembered = 10'000;

// The divisor of the time that administrators use.
constexpr int kPrivilege = 4;
// How much more time administrators may use before others come first.
constexpr std::chrono::milliseconds kHeadStart{100};

std::size_t for_ordinary(std::size_t most) { return most - most / kReserved; }

Parties::Connection largest(const Parties::Connections& connections) {
  Parties::Connection found;
  for (const auto& [number, connection] : connections)
    if (found == nullptr || connection->held() > found->held()) found = connection;
  return found;
}

}  // namespace

Parties::Party& Parties::party_of(const Client& connection) {
  return parties_.at(connection.peer().party);
}

Parties::Count Parties::*Parties::kind_of(const Peer& peer) {
  if (peer.http) return &Parties::http_;
  return peer.local_socket ? &Parties::local_ : &Parties::network_;
}

void Parties::count(const Party& party, std::ptrdiff_t connections) {
  Count& count = this->*party.kind;
  const auto by = static_cast<std::size_t>(connections);
  count.all += by;
  if (!party.privileged) count.ordinary += by;
}

/// ADMIN1 to ADMIN3 and ADMINHOST may have changed since the party came.
void Parties::set_privileged(Party& party, bool privileged) {
  if (std::exchange(party.privileged, privileged) == privileged) return;
  Count& count = this->*party.kind;
  count.ordinary += privileged ? 0 - party.connections.size() : party.connections.size();
  held_.ordinary += privileged ? 0 - party.held : party.held;
}

void Parties::hold(Party& party, std::size_t before, std::size_t now) {
  party.held += now - before;
  held_.all += now - before;
  if (!party.privileged) held_.ordinary += now - before;
}

bool Parties::may_connect(const Peer& newcomer, Moment now) const {
  const auto party = parties_.find(newcomer.party);
  return party == parties_.end() || party->second.begins.any(now);
}

void Parties::add(const Connection& connection, bool privileged, Moment now) {
  forget_idle(now);
  const Peer& peer = connection->peer();
  const auto [at, is_new] = parties_.try_emplace(peer.party);
  Party& party = at->second;
  if (is_new) {
    party.kind = kind_of(peer);
    party.privileged = privileged;
    party.had = least_;
  }
  if (!privileged) party.begins.take(now);
  set_privileged(party, privileged);
  party.connections.emplace(connection->number(), connection);
  count(party, 1);
}

void Parties::remove(const Client& connection) {
  Party& party = party_of(connection);
  ready_ -=
      std::erase_if(party.ready, [&](const auto& client) { return client.get() == &connection; });
  count(party, -1);
  party.sending.erase(connection.number());
  party.connections.erase(connection.number());  // its handlers keep it alive for now
}

/// Removes parties without connections, except those ahead of others in time used: disconnecting
/// and returning must not be an advantage.  There are not so many that these take much memory.
void Parties::forget_idle(Moment now) {
  if (parties_.size() < forget_at_) return;
  const bool many = parties_.size() >= kRemembered;
  std::erase_if(parties_, [&](const auto& entry) {
    const Party& party = entry.second;
    return party.connections.empty() && (many || party.had <= least_) && party.rests_until <= now &&
           party.begins.full(now);
  });
  forget_at_ = 2 * parties_.size() + 100;
}

std::vector<Parties::Connection> Parties::all() const {
  std::map<std::uint64_t, Connection> found;
  for (const auto& [name, party] : parties_)
    found.insert(party.connections.begin(), party.connections.end());
  std::vector<Connection> all;
  for (auto& [number, connection] : found) all.push_back(std::move(connection));
  return all;
}

Parties::Connection Parties::in_the_way(const Peer& newcomer, bool privileged,
                                        std::size_t most) const {
  const auto kind = kind_of(newcomer);
  const Count& count = this->*kind;
  const bool too_many = count.all >= most;
  const bool too_ordinary = !privileged && count.ordinary >= for_ordinary(most);
  if (!too_many && !too_ordinary) return nullptr;
  const Party* found = nullptr;
  for (const auto& [name, party] : parties_) {
    if (party.kind != kind || (too_ordinary && party.privileged)) continue;
    if (found == nullptr || party.connections.size() > found->connections.size()) found = &party;
  }
  if (found == nullptr) return nullptr;
  return (found->sending.empty() ? found->connections : found->sending).begin()->second;
}

void Parties::recount(const Client& connection, std::size_t before, std::size_t now) {
  hold(party_of(connection), before, now);
}

Parties::Connection Parties::too_large(std::size_t most) const {
  const bool too_ordinary = held_.ordinary > for_ordinary(most);
  if (held_.all <= most && !too_ordinary) return nullptr;
  const Party* found = nullptr;
  for (const auto& [name, party] : parties_) {
    if (too_ordinary && party.privileged) continue;
    if (found == nullptr || party.held > found->held) found = &party;
  }
  return found == nullptr ? nullptr : largest(found->connections);
}

void Parties::is_sending(const Connection& connection) {
  party_of(*connection).sending.emplace(connection->number(), connection);
}

void Parties::has_sent(const Client& connection) {
  party_of(connection).sending.erase(connection.number());
}

void Parties::is_ready(const Connection& connection, bool first) {
  auto& ready = party_of(*connection).ready;
  ready.insert(first ? ready.begin() : ready.end(), connection);
  ++ready_;
}

Parties::Moment Parties::first_turn() const {
  Moment first = Moment::max();
  for (const auto& [name, party] : parties_)
    if (!party.ready.empty()) first = std::min(first, party.rests_until);
  return first;
}

Parties::Connection Parties::next(Moment now) {
  // An administrator who does not send requests all the time comes before any number of others.
  const auto counted = [](const Party& party) {
    return party.privileged ? party.had - kHeadStart : party.had;
  };
  Party* found = nullptr;
  for (auto& [name, party] : parties_) {
    if (party.ready.empty() || party.rests_until > now) continue;
    if (found == nullptr || counted(party) < counted(*found)) found = &party;
  }
  if (found == nullptr) return nullptr;
  // A party that was idle for a while does not come before others for as long.
  found->had = std::max(found->had, least_);
  least_ = std::max(least_, counted(*found));
  auto first = std::move(found->ready.front());
  found->ready.pop_front();
  --ready_;
  return first;
}

void Parties::spent(const Client& connection, Duration time) {
  Party& party = party_of(connection);
  party.had += party.privileged ? time / kPrivilege : time;
}

void Parties::rests(const Client& connection, Moment until) {
  const auto at = parties_.find(connection.peer().party);
  if (at != parties_.end() && !at->second.privileged) at->second.rests_until = until;
}

}  // namespace maui
