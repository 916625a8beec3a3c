// Runs the scheduler's own work in slices, and serves ready clients between them.
//
// A slice in the queue of the event loop would come before each single step of a client: accept,
// read, reply.  So would a slice after each handler, and handlers posted to continue would add up.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <utility>

#include "base/steady_clock.h"

namespace maui {

/// Runs ready handlers until none is ready, but no longer than `most`.
void serve_ready(boost::asio::io_context& io, std::chrono::steady_clock::duration most,
                 const SteadyClock& now = std::chrono::steady_clock::now);

/// Returns how long commands are gathered for one checkpoint if the last one took `saving`: no
/// longer than that, since nobody is answered meanwhile.
std::chrono::steady_clock::duration gathering_time(std::chrono::steady_clock::duration saving);

class Slices {
 public:
  using Slice = std::function<void()>;

  explicit Slices(boost::asio::io_context& io, SteadyClock now = std::chrono::steady_clock::now)
      : io_(io), now_(std::move(now)) {}

  void add(Slice slice) { waiting_.push_back(std::move(slice)); }
  bool any() const { return !waiting_.empty(); }
  /// Serves ready clients for at most as long as the last slice took.
  void let_others();
  /// Runs the slice that has waited longest, which may add others.
  void do_next();
  /// Does a slice of work that can be put off, which is not in the queue, and then, if it returns
  /// true because there is more to do, lets others; returns what it returned.
  bool do_between(const std::function<bool()>& work);

 private:
  void time(const Slice& work);

  boost::asio::io_context& io_;
  SteadyClock now_;
  std::deque<Slice> waiting_;
  std::chrono::steady_clock::duration took_{};  // how long the last slice took
};

}  // namespace maui
