// The last reply that took more than one slice of work, kept for clients that soon send the same
// request again: a page that is scrolled or sorted, or more browsers that show the same queue.
//
// The reply is two seconds old at most, and is dropped as soon as its data may have changed.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "maui/command.h"
#include "maui/reply.h"

namespace maui {

class CachedReply {
 public:
  using Shared = std::shared_ptr<const Reply>;

  explicit CachedReply(boost::asio::io_context& io,
                       std::chrono::milliseconds kept = std::chrono::seconds(2))
      : kept_(kept), over_(io) {}

  /// Returns the kept reply if it answers the same request and is still kept, else nullptr.
  Shared find(const CommandRequest& request) const {
    return reply_ && key_ == key_of(request) ? reply_ : nullptr;
  }
  void keep(const CommandRequest& request, Shared reply);
  void forget() { reply_ = nullptr; }

 private:
  static std::string key_of(const CommandRequest& request);

  std::chrono::milliseconds kept_;
  boost::asio::steady_timer over_;
  std::string key_;
  Shared reply_;
};

}  // namespace maui
