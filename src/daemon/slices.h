// The scheduler's own work, cut into slices between which whoever is ready is served.
//
// A slice that stood in the queue of the loop would come before each single step of a client: to be
// accepted, to be read, to be answered.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <utility>

#include "base/steady_clock.h"

namespace maui {

/// Serves whoever is ready, as long as there is somebody, but not longer than that.
void serve_ready(boost::asio::io_context& io, std::chrono::steady_clock::duration most,
                 const SteadyClock& now = std::chrono::steady_clock::now);

class Slices {
 public:
  using Slice = std::function<void()>;

  explicit Slices(boost::asio::io_context& io, SteadyClock now = std::chrono::steady_clock::now)
      : io_(io), now_(std::move(now)) {}

  void add(Slice slice) { waiting_.push_back(std::move(slice)); }
  bool any() const { return !waiting_.empty(); }
  /// Serves whoever is ready, who may have as long as the last slice took.
  void let_others();
  /// Does the one that has waited longest, which may add others.
  void do_next();

 private:
  boost::asio::io_context& io_;
  SteadyClock now_;
  std::deque<Slice> waiting_;
  std::chrono::steady_clock::duration took_{};  // by the last one
};

}  // namespace maui
