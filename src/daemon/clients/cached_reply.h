// The reply that took longest to find out of late, for those who ask the same again at once: a page
// that is scrolled or sorted, and every further browser that looks at the same queue.
//
// It is two seconds old at most, and is forgotten as soon as anything in it may have changed.
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

  /// Nothing if the last one was to another request, or is over.
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
