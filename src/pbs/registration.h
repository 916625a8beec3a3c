// Registers maui as the scheduler of OpenPBS: with two trusted connections under its name.  The
// first carries all requests, the second reports events.
//
// After an event, the server reports no further event until the scheduler ends its cycle; a user's
// request to run a job at once (qrun) is answered on the first connection.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "pbs/session.h"

namespace maui::pbs {

class Registration : public std::enable_shared_from_this<Registration> {
 public:
  /// `happened`: an event came, or the server ended the registration.  `asked_to_run`: a user wants
  /// a job to run at once; the scheduler answers with Requests::answer_scheduling().
  struct Handlers {
    std::function<void()> happened;
    std::function<void(const std::string& job)> asked_to_run;
  };
  Registration(std::shared_ptr<Server> server, Handlers handlers)
      : server_(std::move(server)), handlers_(std::move(handlers)) {}

  /// Registers `first` and a new second connection; does nothing if the server does not know
  /// registration.  If the second connection ends, the first one becomes useless and is closed.
  Task<Status> make(std::shared_ptr<Connection> first);
  /// The scheduler has handled the reported event.
  void cycle_over();
  /// Ends the registration, also one that is being made.  No handler is called any more.
  void close();

 private:
  void drop();
  Task<Status> say_name(Connection& connection);
  static Task<void> listen(std::shared_ptr<Registration> self, std::shared_ptr<Connection> first,
                           std::shared_ptr<Connection> second);
  bool take(const std::string& event);
  static Task<void> say_over(std::shared_ptr<Registration> self,
                             std::shared_ptr<Connection> connection);

  std::shared_ptr<Server> server_;
  Handlers handlers_;
  std::shared_ptr<Connection> second_;
  bool notified_ = false;  // an event was reported, and its cycle has not ended
  bool closed_ = false;
};

}  // namespace maui::pbs
