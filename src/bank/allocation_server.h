// An allocation manager that is a server (guide 6.4): one TCP connection per request, with one line
// in each direction.
//
// Only a few requests are sent at once; others wait in a queue.  If a request
// gets no answer, all queued requests fail with it, so that a dead server
// costs one timeout rather than one timeout per request.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "maui/allocation_manager.h"
#include "maui/result.h"

namespace maui {

struct AllocationServerOptions {
  std::string host;
  int port = 40560;
  std::chrono::milliseconds timeout{9000};  // connection, request and answer together
  std::size_t at_once = 8;
};

class AllocationServer final : public AllocationManager {
 public:
  AllocationServer(boost::asio::io_context& io, AllocationServerOptions options);
  /// Pending requests are not answered after this.
  ~AllocationServer() override;

  void ask(const AllocationRequest& request, Answer done) override;
  bool busy() const override { return open_ > 0 || !waiting_.empty(); }

 private:
  void next();
  void call(const std::string& line, Answer done);
  void ended(const Status& status, std::string_view reply, const Answer& done);

  boost::asio::io_context& io_;
  AllocationServerOptions options_;
  std::size_t open_ = 0;
  std::deque<std::pair<std::string, Answer>> waiting_;  // request lines
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace maui
