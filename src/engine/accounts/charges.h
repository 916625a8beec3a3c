// Requests that the allocation manager has not taken yet: debits, and liens to be lifted (guide
// 6.4).
//
// Requests are sent one at a time, in order of creation.  A failed request stays first and is sent
// again, unchanged, by the next retry().
#pragma once
#include <deque>
#include <functional>
#include <memory>

#include "maui/allocation_manager.h"

namespace maui {

class Charges {
 public:
  /// Calls `notify` with every answer.  `manager` must outlive this object.
  Charges(AllocationManager& manager,
          std::function<void(const AllocationRequest&, const AllocationAnswer&)> notify);

  void add(AllocationRequest request);
  /// Sends nothing before the next retry().
  void wait() { waiting_ = true; }
  void retry();
  const std::deque<AllocationRequest>& due() const { return due_; }
  /// True if the first request has failed, until it succeeds.
  bool failing() const { return failing_; }

 private:
  void send();
  void answered(const AllocationAnswer& answer);

  AllocationManager& manager_;
  std::function<void(const AllocationRequest&, const AllocationAnswer&)> notify_;
  std::deque<AllocationRequest> due_;
  bool waiting_ = false;                                    // until retry()
  bool sending_ = false;                                    // inside send()
  bool asked_ = false;                                      // the first request has been sent
  bool failed_ = false;                                     // it failed: wait for retry()
  bool failing_ = false;                                    // it failed the last time
  std::shared_ptr<char> alive_ = std::make_shared<char>();  // answers may outlast this object
};

}  // namespace maui
