// The priorities of waiting jobs.  Parts that jobs share, from credentials and from requests, are
// computed once; only the part from the time in the queue is computed for each job.  The results
// equal those of a PriorityJudge to the last bit.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/priority/eligibility.h"
#include "sched/priority/priority_judge.h"

namespace maui {

class WaitingPriorities {
 public:
  WaitingPriorities(const Cluster& cluster, const Settings& settings, Time now);

  /// Appends all waiting jobs that may be considered, in the order of the queue; true if that is
  /// known to be the order of their priorities.
  bool rank_all(std::vector<Plan::Ranked>& order);
  /// Appends the job of this line of the queue if it may be considered.
  void rank(const Waiting& line, std::vector<Plan::Ranked>& order);
  /// The unrounded priority of the job that was appended last.
  double exact() const { return exact_; }

 private:
  /// The parts that all jobs with the same credentials share.
  struct CredentialsPart {
    bool known = false, blocked = false;
    bool by_queue_time = false;  // only the time in the queue counts for waiting
    double prefix = 0;           // the sum before the waiting time
    WaitWeights waits;
  };
  /// The resource component of all jobs with the same request, and the seconds of waiting that
  /// raise their expansion factor by one.
  struct RequestPart {
    double resources = 0, xfactor_limit = 0;
    bool known = false;
  };

  /// rank_all() where jobs that are not special differ by their time in the queue alone.
  bool rank_by_queue_time(const CredentialsPart& shared, std::vector<Plan::Ranked>& order);
  void rank_special(const Waiting& line, std::vector<Plan::Ranked>& order);
  // Inline: called for every waiting job.  Makes the entry in place: copying one that has just been
  // assembled from small fields takes longer.
  static void append(const Waiting& line, std::int64_t priority, std::vector<Plan::Ranked>& order) {
    Plan::Ranked& ranked = order.emplace_back();
    ranked.job = line.job;
    ranked.request = line.request;
    ranked.priority = priority;
    ranked.credentials = line.credentials;
    ranked.special = line.special;
    ranked.reserved = line.reserved;
  }
  double sum_of(const Waiting& line, const CredentialsPart& shared,
                const RequestPart& request) const {
    const auto seconds = static_cast<double>(std::max(now_ - line.queued, Seconds(0)).raw());
    return shared.by_queue_time
               ? queued_sum_.of(shared.prefix, shared.waits.queue_time, seconds, request.resources)
               : sum_of_all(line, shared, request, seconds);
  }
  double sum_of_all(const Waiting& line, const CredentialsPart& shared, const RequestPart& request,
                    double seconds) const;
  const CredentialsPart& credentials_part(const Waiting& line) {
    CredentialsPart& shared = credentials_parts_[by_credentials_ ? line.credentials.index() : 0];
    if (!shared.known) compute(line, shared);
    return shared;
  }
  const RequestPart& request_part(const Waiting& line) {
    RequestPart& request = request_parts_[by_request_ ? line.request.index() : 0];
    if (by_request_ && !request.known) compute(line, request);
    return request;
  }
  void compute(const Waiting& line, CredentialsPart& shared);
  void compute(const Waiting& line, RequestPart& request);

  const Cluster& cluster_;
  Time now_;
  Eligibility eligibility_;
  PriorityJudge judge_;
  QueuedSum queued_sum_;
  double exact_ = 0;
  bool one_by_one_;  // nothing is shared between jobs
  bool by_credentials_, by_request_;
  std::vector<CredentialsPart> credentials_parts_;
  std::optional<WaitWeights> waits_of_all_;  // where all credentials share them
  std::vector<RequestPart> request_parts_;   // by request
};

}  // namespace maui
