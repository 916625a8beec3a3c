// A question over TCP, on the event loop: connects, sends a text and receives an answer, all within
// a time limit.
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
  std::chrono::milliseconds timeout{9000};  // from name look-up to the end of the answer
  std::string text;
  /// Receives bytes as they arrive; returns true if the answer is complete, or an error.
  std::function<Result<bool>(std::string_view bytes)> take;
  /// Called once, at the end, with Done or an error.  `sent`: the other side may have read the
  /// question.
  std::function<void(Status, bool sent)> done;
};

/// Keeps itself alive until `done`, which is never called from within ask_over_tcp().
void ask_over_tcp(boost::asio::io_context& io, TcpQuestion question);

}  // namespace maui
