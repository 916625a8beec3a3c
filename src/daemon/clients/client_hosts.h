// The hosts that ADMINHOST and CLIENTCFG name, and their addresses.
//
// New names are looked up at once.  Names that are not found are looked up again every minute, in a
// thread of its own, so that nobody waits for them.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/clients/host_look_up.h"
#include "daemon/clients/peer.h"

namespace maui {

class ClientHosts {
 public:
  using Log = std::function<void(std::string_view line)>;
  using Addresses = HostLookUp::Addresses;

  ClientHosts(boost::asio::io_context& io, Log log, Addresses look_up = addresses_of);

  /// Looks up the names that are new, which may take long, and forgets all others.
  /// `administrators`: of ADMINHOST, where ALL is no name.  `configured`: of CLIENTCFG.
  void resolve(std::vector<std::string> administrators, const std::vector<std::string>& configured);
  /// Begins to look up all names again, since their addresses may have changed.
  void look_up_again();

  const KnownHosts& administrators() const { return administrators_; }
  const KnownHosts& configured() const { return configured_; }

 private:
  std::vector<std::string> unknown() const;
  void look_up_later();
  void learn(const std::string& name, const std::vector<std::string>& addresses);

  Log log_;
  KnownHosts administrators_, configured_;
  HostLookUp look_up_;
  boost::asio::steady_timer due_;
  std::set<std::string> reported_;  // names that the log says are not found
};

}  // namespace maui
