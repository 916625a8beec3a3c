#include "engine/actions/cancellations.h"

#include <fmt/format.h>

#include <utility>

#include "engine/accounts/job_ends.h"
#include "engine/engine_observer.h"
#include "engine/knowledge.h"
#include "engine/tools.h"

namespace maui {

Cancellations::Cancellations(const EngineTools& tools, JobEnds& job_ends)
    : tools_(tools),
      job_ends_(job_ends),
      cluster_(tools.known.cluster),
      unanswered_(tools.known.cancellations) {}

void Cancellations::ask(JobId id, ResourceManager::Answer reply) {
  const Job& job = cluster_.job(id);
  const auto arrival = job.arrival;
  unanswered_.asked(job);
  tools_.asked().cancel(job, tools_.now(),
                        [this, id, arrival, reply = std::move(reply)](Status status) {
                          unanswered_.answered(arrival);
                          if (status && cluster_.still(id, arrival)) job_ends_.end_in_queue(id);
                          if (!status)
                            tools_.observer.checkpoint_outdated();  // nothing is to be asked again
                          reply(std::move(status));
                        });
  if (cluster_.still(id, arrival) && unanswered_.has(cluster_.job(id)))
    tools_.observer.checkpoint_outdated();
}

void Cancellations::ask(JobId id) {
  ask(id, [this, label = tools_.label(cluster_.job(id))](const Status& status) {
    if (!status) tools_.log_refusal("cancel job", label, status.error().what);
  });
}

void Cancellations::ask_again() {
  for (const auto& [arrival, id] : unanswered_.take_restored()) {
    if (!cluster_.still(id, arrival)) continue;
    tools_.log_of_job(id, 1, "fSCHED", [this, id = id] {
      return fmt::format(
          "job '{}': its cancellation was not answered before the scheduler restarted: asked again",
          cluster_.job(id).name);
    });
    ask(id);
  }
}

}  // namespace maui
