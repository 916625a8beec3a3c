// Gives a descriptor to an object of asio that waits for it, which the kernel may refuse for want
// of memory or because of the user's limit of watches.
#pragma once
#include <fmt/format.h>
#include <unistd.h>

#include <boost/system/error_code.hpp>

#include "maui/result.h"

namespace maui {

/// `owner` owns the descriptor from then on; on failure it is closed.  `protocol`: of a socket.
template <class Owner, class... Protocol>
Status adopt(Owner& owner, int descriptor, Protocol... protocol) {
  boost::system::error_code error;
  owner.assign(protocol..., descriptor, error);
  if (!error) return Done{};
  ::close(descriptor);
  return Error{fmt::format("cannot wait for it: {}", error.message())};
}

}  // namespace maui
