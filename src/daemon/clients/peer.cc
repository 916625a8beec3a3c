#include "daemon/clients/peer.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <pwd.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdint>

#include "daemon/clients/host_look_up.h"
#include "daemon/clients/plain_address.h"

namespace maui {
namespace {

/// A host can use any address in its IPv6 network, so the network is the party.
std::string party_at(const boost::asio::ip::address& address) {
  if (!address.is_v6()) return address.to_string();
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), std::uint8_t{0});
  return boost::asio::ip::address_v6(bytes).to_string() + "/64";
}

}  // namespace

bool waits_for_us(int descriptor, bool taking) {
  pollfd polled{descriptor, static_cast<short>(taking ? POLLOUT : POLLIN), 0};
  return ::poll(&polled, 1, 0) > 0 && (polled.revents & (POLLOUT | POLLIN)) != 0;
}

bool has_gone(int descriptor) {
  pollfd polled{descriptor, 0, 0};
  return ::poll(&polled, 1, 0) > 0 && (polled.revents & (POLLHUP | POLLERR)) != 0;
}

const UserNames::User& UserNames::of(uid_t user) {
  constexpr std::chrono::minutes kKept{10};
  constexpr std::size_t kMost = 10000;
  const auto now = std::chrono::steady_clock::now();
  if (known_.size() >= kMost && !known_.contains(user)) known_.clear();
  Known& known = known_[user];
  if (known.user.name.empty() || known.until <= now) {
    const auto* entry = ::getpwuid(user);
    const std::string name = entry != nullptr ? entry->pw_name : std::to_string(user);
    known = {{name, entry != nullptr ? "user " + name : "a user without a name"}, now + kKept};
  }
  return known.user;
}

Peer socket_peer(int descriptor, const std::string& socket, UserNames& names) {
  Peer peer;
  peer.local_socket = true;
  peer.address = socket;
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return peer;
  peer.address = fmt::format("{} (pid {})", socket, credentials.pid);
  const auto& user = names.of(credentials.uid);
  peer.user = user.name;
  peer.party = user.party;
  return peer;
}

void KnownHosts::resolve(const std::vector<std::string>& names) {
  std::vector<Host> hosts;
  for (const auto& name : names) {
    const auto known = std::ranges::find(hosts_, name, &Host::name);
    hosts.push_back(known != hosts_.end() ? *known : Host{name, addresses_of(name)});
  }
  hosts_ = std::move(hosts);
}

void KnownHosts::learn(const std::string& name, std::vector<std::string> addresses) {
  const auto known = std::ranges::find(hosts_, name, &Host::name);
  if (known != hosts_.end() && !addresses.empty()) known->addresses = std::move(addresses);
}

std::vector<std::string> KnownHosts::names() const {
  std::vector<std::string> names;
  for (const auto& host : hosts_) names.push_back(host.name);
  return names;
}

bool KnownHosts::knows(const std::string& name) const {
  const auto host = std::ranges::find(hosts_, name, &Host::name);
  return host != hosts_.end() && !host->addresses.empty();
}

std::string KnownHosts::name_of(const std::string& address) const {
  for (const auto& host : hosts_)
    if (std::ranges::find(host.addresses, address) != host.addresses.end()) return host.name;
  return address;
}

Peer network_peer(const boost::asio::ip::tcp::endpoint& remote,
                  const boost::asio::ip::tcp::endpoint& local, const KnownHosts* hosts) {
  Peer peer;
  const auto address = plain_address(remote.address());
  const bool of_this_host = address.is_loopback() || address == plain_address(local.address());
  peer.party = of_this_host ? "this host" : party_at(address);
  peer.ip = address.to_string();
  peer.address = fmt::format("{}:{}", peer.ip, remote.port());
  peer.secure_port = remote.port() < IPPORT_RESERVED;
  if (!of_this_host) peer.host = hosts == nullptr ? peer.ip : hosts->name_of(peer.ip);
  // An administrators' host shares nothing with others of its network.
  if (hosts != nullptr && hosts->knows(peer.host)) peer.party = peer.host;
  return peer;
}

}  // namespace maui
