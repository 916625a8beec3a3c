// Serves commands: executes a request in slices, encodes its reply, and logs both.
//
// A reply that reports a change waits until the change is on the disk (unsaved_changes.h).
#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "base/steady_clock.h"
#include "daemon/clients/client_server.h"
#include "daemon/clients/serving.h"
#include "daemon/clients/unsaved_changes.h"
#include "maui/command.h"
#include "maui/reply.h"
#include "maui/result.h"

namespace maui {

class CommandService {
 public:
  struct Surroundings {
    const Serving& serving;
    UnsavedChanges& changes;
    /// The request has changed something: schedule soon, and do not show anybody old data.
    std::function<void(const CommandRequest&)> changed;
    /// Protects from a loss of power which messages were seen (ClientServer::sync).
    std::function<Status()> sync_seen;
    /// Measures how long a slice of work has taken.
    SteadyClock now = std::chrono::steady_clock::now;
  };

  explicit CommandService(Surroundings surroundings) : around_(std::move(surroundings)) {}

  /// The work for a request, `data`, of an authentic caller; it throws as Execution does.  It must
  /// not be called once the service is gone.
  ClientServer::Work serve(const Caller& caller, std::string_view data);
  /// Returns the numbers of requests served; all else is left out.
  const ServiceReply& served() const { return served_; }

 private:
  class UnderWay;

  void count(const CommandRequest& request);

  Surroundings around_;
  ServiceReply served_;
};

}  // namespace maui
