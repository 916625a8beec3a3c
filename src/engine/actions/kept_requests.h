// Requests that begin or end runs of jobs: starts and requeues.  The observer keeps each before the
// resource manager is asked for it, so that the next scheduler does not start a job again, and
// accounts the run that a requeue ended.
#pragma once
#include <functional>
#include <vector>

#include "maui/job.h"

namespace maui {

class Cluster;
struct EngineTools;

class KeptRequests {
 public:
  explicit KeptRequests(const EngineTools& tools);

  /// Lets the observer keep the run as it is now, then calls `ask`, which may find that the run is
  /// over.
  void add(const RunKey& run, std::function<void()> ask);
  /// Puts requests off until ask_gathered(), so that the observer keeps all of them at once.  Does
  /// nothing if the observer keeps no requests.
  void gather();
  void ask_gathered();

 private:
  struct Request {
    RunKey run;
    std::function<void()> ask;
  };

  void keep(const std::vector<Request>& requests);

  const EngineTools& tools_;
  const Cluster& cluster_;
  bool gathering_ = false;
  std::vector<Request> gathered_;
};

}  // namespace maui
