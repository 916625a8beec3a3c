// Preempts jobs and resumes suspended ones (guide 8.4, 11.3, 11.4).
//
// Nothing changes in the cluster before the resource manager has agreed: until
// then the job keeps its nodes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/actions/perhaps_suspended.h"
#include "maui/job.h"
#include "maui/resource_manager.h"

namespace maui {

class Cluster;
class FairshareLedger;
class GivenBackRuns;
class KeptRequests;
class UnansweredRequests;
class UnansweredRequeues;

struct EngineTools;
struct Settings;
struct Statistics;

class Preemptions {
 public:
  Preemptions(const EngineTools& tools, GivenBackRuns& given_back, KeptRequests& requests);

  struct Terms {
    bool or_requeue = false;       // requeues a job that cannot be checkpointed
    SuspensionReason reason = {};  // by hand: asked for again after a restart if not answered
  };
  void preempt(JobId job, Preemption how, const Terms& terms, ResourceManager::Answer reply);
  /// Takes the job's nodes at once, so that later decisions see them taken; undone on a refusal.
  /// A job that is active, but reported as suspended, keeps them whatever the answer is.
  void resume(JobId job, bool by_command, ResourceManager::Answer reply);
  /// Returns, once, why this scheduler may have suspended the job: the answer was lost.
  std::optional<SuspensionReason> take_perhaps_suspended(const Job& job);

 private:
  void answered(const RunKey& run, Preemption how, const Terms& terms, Status status,
                const ResourceManager::Answer& reply);
  void ask(const RunKey& run, Preemption how, ResourceManager::Answer answer);
  void note_answer(const RunKey& run, std::uint64_t number, const Status& status);
  void preempted(JobId job, Preemption how, const Terms& terms);
  void queue_victim(JobId job, Seconds run, const Terms& terms);
  struct Resumption {
    RunKey run;
    Time when{0};
    bool was_suspended = false;
    SuspensionReason reason = {};
  };
  void resume_failed(const Resumption& asked, const Error& error);
  void note_perhaps_suspended(const Job& job, const SuspensionReason& reason);

  const EngineTools& tools_;
  GivenBackRuns& given_back_;
  KeptRequests& requests_;
  Cluster& cluster_;
  const Settings& settings_;
  Statistics& statistics_;
  FairshareLedger& fairshare_;
  UnansweredRequeues& requeues_;
  UnansweredRequests& unanswered_;
  std::vector<PerhapsSuspended>& perhaps_suspended_;
};

}  // namespace maui
