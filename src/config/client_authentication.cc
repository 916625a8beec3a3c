#include "config/client_authentication.h"

#include <algorithm>

namespace maui::config {
namespace {

constexpr std::string_view kOthers = "DEFAULT";

template <class T>
T given_for(const std::map<std::string, T>& table, const ClientAuthentication::IsIt& is_it,
            const T& otherwise) {
  for (const auto& [name, value] : table)
    if (name != kOthers && is_it(name)) return value;
  const auto others = table.find(std::string(kOthers));
  return others == table.end() ? otherwise : others->second;
}

}  // namespace

ClientWays ClientAuthentication::ways_of(const IsIt& is_it) const {
  return given_for(ways_, is_it, ClientWays{.checksum = true});
}

std::string ClientAuthentication::munge_socket_of(const IsIt& is_it) const {
  return given_for(sockets_, is_it, std::string());
}

std::vector<std::string> ClientAuthentication::munge_sockets() const {
  std::vector<std::string> found;
  for (const auto& [name, socket] : sockets_)
    if (!socket.empty()) found.push_back(socket);
  return found;
}

std::vector<std::string> ClientAuthentication::hosts() const {
  std::vector<std::string> found;
  for (const auto& [name, ways] : ways_)
    if (name != kOthers) found.push_back(name);
  return found;
}

bool ClientAuthentication::uses_munge() const {
  return std::any_of(ways_.begin(), ways_.end(),
                     [](const auto& host) { return host.second.munge; });
}

bool ClientAuthentication::needs_no_secret() const {
  return std::any_of(ways_.begin(), ways_.end(),
                     [](const auto& host) { return host.second.munge || host.second.secure_port; });
}

}  // namespace maui::config
