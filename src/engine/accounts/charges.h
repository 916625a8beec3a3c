// Requests that the allocation manager has not taken yet: debits, and liens to be lifted
// (guide 6.4).
//
// One request after the other, in the order in which they came about.  One that
// fails stays the first, and is sent again, unchanged, when retry() says so.
#pragma once
#include <deque>
#include <functional>
#include <memory>

#include "maui/allocation_manager.h"

namespace maui {

class Charges {
 public:
  /// `notify` is called with every answer that is not a grant.  `manager` outlives this.
  Charges(AllocationManager& manager,
          std::function<void(const AllocationRequest&, const AllocationAnswer&)> notify);

  void add(AllocationRequest request);
  void retry();
  const std::deque<AllocationRequest>& due() const { return due_; }

 private:
  void send();
  void answered(const AllocationAnswer& answer);

  AllocationManager& manager_;
  std::function<void(const AllocationRequest&, const AllocationAnswer&)> notify_;
  std::deque<AllocationRequest> due_;
  bool sending_ = false;                                    // inside send()
  bool asked_ = false;                                      // the first of them is on its way
  bool failed_ = false;                                     // it has come back: not before retry()
  std::shared_ptr<char> alive_ = std::make_shared<char>();  // answers may come when this is gone
};

}  // namespace maui
