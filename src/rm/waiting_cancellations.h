// Cancellations that wait until a resource manager has answered earlier ones.
//
// Users can ask for any number at once.  The users whose jobs are to be cancelled have their turns
// in a circle, so that nobody waits for all cancellations of somebody else.
#pragma once
#include <deque>
#include <map>
#include <vector>

#include "maui/resource_manager.h"
#include "maui/units.h"
#include "rm/wiki_message.h"

namespace maui {

struct Cancellation {
  WikiRequest request;
  ResourceManager::Answer done;
};

class WaitingCancellations {
 public:
  bool empty() const { return turns_.empty(); }
  void add(UserId user, Cancellation cancellation);
  /// Removes and returns the next one.  Requires !empty().
  Cancellation take();
  /// Removes and returns all, in their order.
  std::vector<Cancellation> take_all();

 private:
  std::map<UserId, std::deque<Cancellation>> of_user_;
  std::deque<UserId> turns_;  // the users in of_user_; the first has the next turn
};

}  // namespace maui
