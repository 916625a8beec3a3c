// Whether a waiting job may be considered at all in this cycle (guide 3.3, step 4).
//
// The single place for everything that makes a job ineligible regardless of
// free resources. prioritise() leaves such jobs out; explain() gives the
// reason.
#pragma once
#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"
#include "sched/priority/fairshare.h"

namespace maui {

class Eligibility {
 public:
  Eligibility(const Cluster& cluster, const Settings& settings, Time now);

  /// True if only holds and what Waiting::special marks need to be checked: under these settings no
  /// other rule can block a job.
  bool plain() const { return plain_; }
  /// Returns why the job may not be considered; Reason::none if it may.
  Reason of(const Job& job) const;
  const FairshareStanding& fairshare() const { return fairshare_; }

 private:
  const Cluster& cluster_;
  Time now_;
  FairshareStanding fairshare_;
  bool plain_ = true;
};

}  // namespace maui
