#include "daemon/slices.h"

#include <algorithm>

namespace maui {

using std::chrono::steady_clock;

void serve_ready(boost::asio::io_context& io, steady_clock::duration most) {
  const auto end = steady_clock::now() + most;
  while (io.poll_one() > 0 && steady_clock::now() < end) {
  }
}

void Slices::let_others() {
  constexpr std::chrono::milliseconds kLeast{1};
  serve_ready(io_, std::max<steady_clock::duration>(took_, kLeast));
}

void Slices::do_next() {
  const auto begin = steady_clock::now();
  const Slice slice = std::move(waiting_.front());
  waiting_.pop_front();
  slice();
  took_ = steady_clock::now() - begin;
}

}  // namespace maui
