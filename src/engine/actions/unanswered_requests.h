// Requests about jobs that must not be lost, as long as the resource manager has not answered them:
// cancellations, what users ask for by commands, and preemptions and resumptions.
//
// A checkpoint has them: those that an earlier scheduler made, or was about to make, are made
// again, unless it had decided them itself.  They also tell since when a job is in the state that
// is reported next.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "maui/job.h"
#include "maui/resource_manager.h"

namespace maui {

enum class RequestKind : std::uint8_t { cancel, requeue, checkpoint, suspend, resume, set_limit };

/// True if the request concerns a run, and not the job as a whole.
constexpr bool is_about_run(RequestKind kind) {
  return kind != RequestKind::cancel && kind != RequestKind::set_limit;
}
/// True if the request ends the run: a second one could end the next run.
constexpr bool ends_run(RequestKind kind) {
  return kind == RequestKind::requeue || kind == RequestKind::checkpoint;
}

struct LastingRequest {
  RequestKind kind = RequestKind::cancel;
  Time asked{0};
  Seconds limit{0};  // set_limit: the new limit of the whole job, as its resource manager has it
  CancelCause why = CancelCause::asked;  // cancel
  bool lost = false;  // no answer will come: it may have taken effect, and is not asked for again
  bool own = false;  // the scheduler decided it, and decides anew: it is not asked for again either
  SuspensionReason reason = {};  // of a suspension or resumption: if the job is found suspended
  friend bool operator==(const LastingRequest&, const LastingRequest&) = default;
};

/// Returns since when a job is in the state that is reported first after a request of which no
/// answer will come: the request took effect when it was made or, if it was a resumption, had none.
/// Nothing if there is no such request that explains the state.
std::optional<Time> lost_request_for(JobState state, const std::vector<LastingRequest>& requests);
/// Returns when a suspension was asked for of which no answer will come, and after which nothing
/// else was; nothing if there is none.
std::optional<Time> lost_suspension(const std::vector<LastingRequest>& requests);
/// Returns the last suspension or resumption among the requests.
std::optional<LastingRequest> last_suspension_or_resumption(
    const std::vector<LastingRequest>& requests);

class UnansweredRequests {
 public:
  struct Restored {
    RunKey run;
    LastingRequest request;
  };

  /// Returns the request's number.  Replaces requests of its kind that were restored, unless it is
  /// the scheduler's own.
  std::uint64_t asked(const RunKey& run, const LastingRequest& request);
  /// True if the answer did not come at once: a checkpoint is to have the request.
  bool waits(const RunKey& run, std::uint64_t number);
  /// Returns true if a checkpoint may have the request.
  bool answered(const RunKey& run, std::uint64_t number);
  /// Notes that no answer will come: the next report of the job tells whether it took effect.  Of
  /// several equal ones in a row, the first is kept.
  void lost(const RunKey& run, std::uint64_t number);
  /// Forgets what was lost of the job's suspensions and resumptions: its resource manager tells for
  /// how long it was suspended.
  void forget_lost_suspensions(const Job& job);
  /// Forgets the requests of which no answer will come, and for which `told` returns true: reports
  /// have told whether they took effect.
  void forget_lost(const std::function<bool(const RunKey& run, Time asked)>& told);
  /// Notes a request of an earlier scheduler.
  void restore(const RunKey& run, const LastingRequest& request);
  /// Removes and returns what was restored and has not been asked for since: by the arrivals of the
  /// jobs, and in the order of the requests.
  std::vector<Restored> take_restored();

  bool has(const Job& job) const { return all_.contains(job.arrival); }
  /// True if the job's cancellation has been asked for, and the answer is still to come.
  bool is_being_cancelled(const Job& job) const;
  /// Returns the requests about the job, in their order: the last one of each kind, the scheduler's
  /// own beside those by commands.
  std::vector<LastingRequest> of(const Job& job) const;
  /// True if the job is not to be started, since a request would end that run.
  bool keep_from_start(const Job& job) const;
  /// Shifts all times by a step of the clock.
  void shift(Seconds by);

 private:
  static constexpr std::uint64_t kRestored = 0;  // the number of what is not asked for yet

  struct Entry {
    RunKey run;
    LastingRequest request;
    std::uint64_t number = kRestored;
    bool waits = false;
  };

  Entry* find(const RunKey& run, std::uint64_t number);
  /// True if `test` is true of a request about the job of which an answer may still come.
  template <class Test>
  bool any_pending(const Job& job, Test test) const;

  std::map<std::uint64_t, std::vector<Entry>> all_;  // by Job::arrival, which no other job has
  std::uint64_t last_ = kRestored;
  bool any_restored_ = false;
};

}  // namespace maui
