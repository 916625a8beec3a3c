// May a waiting job be considered at all in this cycle (guide 3.3, step 4)?
//
// One place for everything that keeps a job out of the queue of eligible jobs
// whatever resources are free.  prioritise() leaves such jobs out; explain()
// tells the reason.
#pragma once
#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"
#include "sched/priority/fairshare.h"

namespace maui {

class Eligibility {
 public:
  Eligibility(const Cluster& cluster, const Settings& settings, Time now);

  /// Nothing but holds and what Waiting::special marks has to be asked of a job: under these
  /// settings no other rule can keep one out.
  bool plain() const { return plain_; }
  /// Reason::none: it may be considered.
  Reason of(const Job& job) const;
  const FairshareStanding& fairshare() const { return fairshare_; }

 private:
  const Cluster& cluster_;
  Time now_;
  FairshareStanding fairshare_;
  bool plain_ = true;
};

}  // namespace maui
