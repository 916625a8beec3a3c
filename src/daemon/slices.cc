#include "daemon/slices.h"

#include <algorithm>

namespace maui {

using std::chrono::steady_clock;

void serve_ready(boost::asio::io_context& io, steady_clock::duration most, const SteadyClock& now) {
  const auto end = now() + most;
  while (io.poll_one() > 0 && now() < end) {
  }
}

steady_clock::duration gathering_time(steady_clock::duration saving) {
  constexpr std::chrono::milliseconds kLeast{5}, kMost{25};
  return std::clamp<steady_clock::duration>(saving, kLeast, kMost);
}

void Slices::let_others() {
  constexpr std::chrono::milliseconds kLeast{1};
  serve_ready(io_, std::max<steady_clock::duration>(took_, kLeast), now_);
}

/// Does work, and notes how long it took.
void Slices::time(const Slice& work) {
  const auto begin = now_();
  work();
  took_ = now_() - begin;
}

void Slices::do_next() {
  const Slice slice = std::move(waiting_.front());
  waiting_.pop_front();
  time(slice);
}

bool Slices::do_between(const std::function<bool()>& work) {
  bool more = false;
  time([&] { more = work(); });
  if (more) let_others();
  return more;
}

}  // namespace maui
