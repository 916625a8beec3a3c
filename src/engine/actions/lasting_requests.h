// Requests to resource managers that must not be lost: cancellations, by commands and by limits,
// and what users ask for by other commands (mjobctl).
//
// The user is told that it is done once a checkpoint has the request.  If the scheduler dies before
// the resource manager has answered, the next one makes the request again, unless its effect shows
// in the reports, or the run that it was about is over.
#pragma once
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "engine/actions/shared_answers.h"
#include "engine/actions/unanswered_requests.h"
#include "maui/job.h"
#include "maui/resource_manager.h"

namespace maui {

class Cluster;
class DoubtedJobs;
class Entitlements;
class JobEnds;
class KeptRequests;
class Preemptions;
struct EngineTools;

class LastingRequests {
 public:
  LastingRequests(const EngineTools& tools, Entitlements& entitlements, KeptRequests& kept,
                  JobEnds& job_ends, Preemptions& preemptions);

  // Each `reply` gets the answer, at once or later.

  /// Asks the job's resource manager to cancel it, or waits for the answer if that has been asked
  /// already.  A job that waits ends when the resource manager has confirmed that.
  void cancel(JobId job, CancelCause cause, ResourceManager::Answer reply);
  /// As above, for the scheduler's own reason, which the job keeps when it has ended: "it was ...".
  /// A refusal goes to the log.
  void cancel(JobId job, CancelCause cause, std::string why);
  /// Takes an active or suspended job off its nodes, for a user: a job that was suspended by hand
  /// stays so until somebody resumes it.  Waits for the answer if a user has asked already for the
  /// same end of the run.
  void preempt(JobId job, Preemption how, ResourceManager::Answer reply);
  /// Requires that can_resume() is true of the suspended job, or that the job is active, but
  /// reported as suspended.
  void resume(JobId job, ResourceManager::Answer reply);
  /// Sets the limit of a job, or of what is left of it after its checkpoint, at once; undone on a
  /// refusal.
  void set_limit(JobId job, Seconds limit, ResourceManager::Answer reply);
  /// Asks for what an earlier scheduler asked for and got no answer.
  void ask_again();
  /// True if the last call of ask_again() has asked for the end of that run: a cancellation,
  /// requeue or checkpoint.
  bool asked_again_to_end(const RunKey& run) const;

 private:
  void answered(const RunKey& run, std::uint64_t number);
  void cancellation_answered(const RunKey& run, std::uint64_t number, const Status& status);
  void ask_again(const RunKey& run, const LastingRequest& request);
  bool must_wait(const RunKey& run, RequestKind kind) const;
  bool makes_sense(const RunKey& run, const LastingRequest& request) const;
  ResourceManager::Answer refusal_to_log(JobId job, RequestKind kind) const;

  const EngineTools& tools_;
  Entitlements& entitlements_;
  KeptRequests& kept_;
  JobEnds& job_ends_;
  Preemptions& preemptions_;
  Cluster& cluster_;
  const DoubtedJobs& unexpected_;  // their reported states differ from the known ones
  const DoubtedJobs& lost_;        // not reported
  UnansweredRequests& unanswered_;
  SharedAnswers<std::uint64_t> cancelling_;  // by Job::arrival
  /// Commands that end runs, by Job::arrival and Job::attempt.
  SharedAnswers<std::tuple<std::uint64_t, std::int32_t, Preemption>> taking_back_;
  std::vector<RunKey> ending_;  // runs of which ask_again() has asked for the end
};

}  // namespace maui
