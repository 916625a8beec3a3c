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

  /// Appends the jobs of the queue that may be considered, in queue order.
  void rank_all(std::vector<Plan::Ranked>& order);
  /// Appends the job of this line of the queue if it may be considered.
  void rank(const Waiting& line, std::vector<Plan::Ranked>& order);
  /// The unrounded priority of the job that was appended last.
  double exact() const { return exact_; }

 private:
  /// The parts that all jobs with the same credentials share.
  struct Owner {
    bool known = false, blocked = false;
    bool by_queue_time = false;  // only the time in the queue counts for waiting
    double prefix = 0;           // the sum before the waiting time
    WaitWeights waits;
  };
  /// The resource component of all jobs with the same request, and the seconds of waiting that
  /// raise their expansion factor by one.
  struct Asked {
    double resources = 0, xfactor_limit = 0;
    bool known = false;
  };

  /// The priority of the last job.  Jobs with the same queue time and the same relevant attributes
  /// share it, unless something specific to the job counts.
  struct Last {
    bool shared = false;
    Time queued{0};
    CredentialsId credentials;
    RequestId request;
    bool left_out = false;
    std::int64_t priority = 0;
    double exact = 0;
  };

  void rank_special(const Waiting& line, std::vector<Plan::Ranked>& order);
  bool as_last(const Waiting& line) const {
    return last_.shared && line.queued == last_.queued &&
           (!by_owner_ || line.credentials == last_.credentials) &&
           (!by_request_ || line.request == last_.request);
  }
  void look_at(const Waiting& line);
  double waited(const Waiting& line) const {  // seconds
    return static_cast<double>(std::max(now_ - line.queued, Seconds(0)).raw());
  }
  double sum_of(const Waiting& line, const Owner& owner, const Asked& asked) const;
  const Owner& owner_of(const Waiting& line) {
    Owner& owner = owners_[by_owner_ ? line.credentials.index() : 0];
    if (!owner.known) find_out(line, owner);
    return owner;
  }
  const Asked& asked_of(const Waiting& line) {
    Asked& asked = asked_[by_request_ ? line.request.index() : 0];
    if (by_request_ && !asked.known) find_out(line, asked);
    return asked;
  }
  void find_out(const Waiting& line, Owner& owner);
  void find_out(const Waiting& line, Asked& asked);

  const Cluster& cluster_;
  Time now_;
  Eligibility eligibility_;
  PriorityJudge judge_;
  double exact_ = 0;
  Last last_;
  bool apart_;  // nothing is shared between jobs
  bool by_owner_, by_request_;
  std::vector<Owner> owners_;
  std::vector<Asked> asked_;  // by request
};

}  // namespace maui
