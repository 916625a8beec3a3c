// Tries again to listen at a port that another program has: any user of this machine may take a
// port, and must not keep the scheduler from working.
#pragma once
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <utility>

namespace maui {

/// Calls `attempt` after a pause, unless `due` ends or is set anew before.
template <class Attempt>
void try_port_later(boost::asio::steady_timer& due, Attempt attempt) {
  constexpr std::chrono::seconds kPause{10};
  due.expires_after(kPause);
  due.async_wait([attempt = std::move(attempt)](boost::system::error_code error) {
    if (!error) attempt();
  });
}

}  // namespace maui
