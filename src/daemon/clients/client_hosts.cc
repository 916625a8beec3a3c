#include "daemon/clients/client_hosts.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace maui {

ClientHosts::ClientHosts(boost::asio::io_context& io, Log log, Addresses look_up)
    : log_(std::move(log)),
      look_up_(
          io, [this](const auto& name, const auto& addresses) { learn(name, addresses); },
          std::move(look_up)),
      due_(io) {}

void ClientHosts::resolve(std::vector<std::string> administrators,
                          const std::vector<std::string>& configured) {
  std::erase(administrators, "ALL");
  administrators_.resolve(administrators);
  configured_.resolve(configured);
  for (const auto& name : unknown())
    if (reported_.insert(name).second)
      log_(fmt::format(
          "WARNING: host '{}' of ADMINHOST or CLIENTCFG is not found: its clients count "
          "as those of any other host until it is; it is looked up every minute",
          name));
  look_up_later();
}

std::vector<std::string> ClientHosts::unknown() const {
  std::vector<std::string> names;
  for (const KnownHosts* hosts : {&administrators_, &configured_})
    for (auto& name : hosts->names())
      if (!hosts->knows(name)) names.push_back(std::move(name));
  return names;
}

void ClientHosts::look_up_later() {
  constexpr std::chrono::minutes kPause{1};
  if (unknown().empty()) return;
  due_.expires_after(kPause);
  due_.async_wait([this](boost::system::error_code error) {
    if (error) return;
    look_up_.begin(unknown());
    look_up_later();
  });
}

void ClientHosts::learn(const std::string& name, const std::vector<std::string>& addresses) {
  if (addresses.empty()) return;
  if (!administrators_.knows(name) && !configured_.knows(name))
    log_(fmt::format("host '{}' is found", name));
  administrators_.learn(name, addresses);
  configured_.learn(name, addresses);
}

void ClientHosts::look_up_again() {
  auto names = administrators_.names();
  for (auto& name : configured_.names()) names.push_back(std::move(name));
  look_up_.begin(std::move(names));
}

}  // namespace maui
