// Accepts connections again after one could not be accepted.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <utility>

namespace maui {

/// Calls `accept` a moment later: the system has no descriptors or memory for another connection,
/// but may have some then.
template <class Accept>
void accept_again(boost::asio::io_context& io, Accept accept) {
  constexpr std::chrono::milliseconds kPause{200};
  auto pause = std::make_shared<boost::asio::steady_timer>(io, kPause);
  pause->async_wait([pause, accept = std::move(accept)](boost::system::error_code error) {
    if (!error) accept();
  });
}

}  // namespace maui
