// One question over TCP, on the loop: a connection, a text there, an answer back, all of it within
// a limit of time.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

struct TcpQuestion {
  std::string host;
  int port = 0;
  std::chrono::milliseconds timeout{9000};  // from the look for the host to the end of the answer
  std::string text;
  /// Gets what comes, as it comes: true once the answer is whole, an error if it will not do.
  std::function<Result<bool>(std::string_view bytes)> take;
  /// Called once, at the end: Done, or what went wrong.  `sent`: the other side may have read the
  /// question.
  std::function<void(Status, bool sent)> done;
};

/// Keeps itself alive until `done`, which is never called from within this function.
void ask_over_tcp(boost::asio::io_context& io, TcpQuestion question);

}  // namespace maui
