// The registered scheduler of OpenPBS: two trusted connections that name themselves, of which the
// first takes all requests and the second reports events.
//
// After an event the server reports no other before the scheduler says that its cycle is over; a
// user's wish to have a job run at once (qrun) is answered on the first connection.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "pbs/session.h"

namespace maui::pbs {

class Registration : public std::enable_shared_from_this<Registration> {
 public:
  /// `happened`: an event came, or the server has ended the registration.  `asked_to_run`: a user
  /// wants a job run at once, which `answer` answers.
  struct Handlers {
    std::function<void()> happened;
    std::function<void(const std::string& job)> asked_to_run;
  };
  Registration(std::shared_ptr<Server> server, Handlers handlers)
      : server_(std::move(server)), handlers_(std::move(handlers)) {}

  /// Registers `first` and a second connection beside it; nothing, where the server knows no such
  /// thing.  If the second ends, the first is of no use any more and is closed.
  Task<Status> make(std::shared_ptr<Connection> first);
  /// The scheduler has dealt with the event that was reported.
  void cycle_over();
  void close();

 private:
  Task<Status> say_name(Connection& connection);
  static Task<void> listen(std::shared_ptr<Registration> self, std::shared_ptr<Connection> first,
                           std::shared_ptr<Connection> second);
  bool take(const std::string& event);
  static Task<void> say_over(std::shared_ptr<Registration> self,
                             std::shared_ptr<Connection> connection);

  std::shared_ptr<Server> server_;
  Handlers handlers_;
  std::shared_ptr<Connection> second_;
  bool notified_ = false;  // of an event, and the cycle is not over
};

}  // namespace maui::pbs
