#include "engine/actions/kept_requests.h"

#include <utility>

#include "engine/checkpoint/checkpointed_job.h"
#include "engine/engine_observer.h"
#include "engine/knowledge.h"
#include "engine/tools.h"

namespace maui {

KeptRequests::KeptRequests(const EngineTools& tools)
    : tools_(tools), cluster_(tools.known.cluster) {}

void KeptRequests::add(const RunKey& run, std::function<void()> ask) {
  gathered_.push_back({run, std::move(ask)});
  if (!gathering_) ask_gathered();
}

void KeptRequests::gather() { gathering_ = tools_.observer.keeps_requests(); }

void KeptRequests::ask_gathered() {
  gathering_ = false;
  const auto requests = std::exchange(gathered_, {});
  if (!requests.empty() && tools_.observer.keeps_requests()) keep(requests);
  for (const Request& request : requests) request.ask();
}

void KeptRequests::keep(const std::vector<Request>& requests) {
  std::vector<CheckpointedJob> jobs;
  for (const Request& request : requests) {
    if (!cluster_.is_latest(request.run)) continue;
    const Job& job = cluster_.job(request.run.job);
    if (!job.active() && !job.suspended()) continue;
    jobs.push_back(checkpointed(tools_.known, job, tools_.now()));
    jobs.back().clock_sum = tools_.known.clock_steps.sum();
  }
  if (!jobs.empty()) tools_.observer.keep_requests(cluster_, jobs);
}

}  // namespace maui
