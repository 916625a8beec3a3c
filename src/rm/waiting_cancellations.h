// Cancellations that wait until a resource manager has answered earlier ones.
//
// Users can ask for any number at once.  The users whose jobs are to be cancelled have their turns
// in a circle, and half of what is under way at once: so nobody waits for all cancellations of
// somebody else, even if the resource manager answers none of these.
#pragma once
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "maui/resource_manager.h"
#include "maui/units.h"
#include "rm/wiki_message.h"

namespace maui {

struct Cancellation {
  UserId user;  // of the job
  WikiRequest request;
  ResourceManager::Answer done;
};

class WaitingCancellations {
 public:
  void add(Cancellation cancellation);
  /// Removes and returns the next one, which is under way from then on; nothing if it has to wait.
  std::optional<Cancellation> take();
  /// Notes that one of the user's is no longer under way.
  void answered(UserId user);
  /// Removes and returns all that wait, in their order.
  std::vector<Cancellation> take_all();

 private:
  static constexpr int kMost = 8, kMostOfUser = 4;  // under way

  Cancellation take_from(std::deque<UserId>::iterator turn);

  std::map<UserId, std::deque<Cancellation>> of_user_;
  std::deque<UserId> turns_;  // the users in of_user_; the first has the next turn
  std::map<UserId, int> under_way_;
  int all_under_way_ = 0;
};

}  // namespace maui
