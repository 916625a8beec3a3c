// Carries out a plan, decision by decision, in order.
//
// A job is started in the cluster first, so that later decisions see its
// resources taken; if the resource manager then refuses, the job goes back into
// the queue with the reason.  Decisions after preemptions wait until the
// resource manager has answered the preemptions.  Nobody is preempted for a job
// before the allocation manager has granted its lien.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/actions/plan_progress.h"
#include "maui/plan.h"
#include "maui/units.h"

namespace maui {

class Cluster;
class Entitlements;
class Holds;
class KeptRequests;
class Launches;
class Preemptions;
class Preemptors;
class Reservations;
class RunTimeLearning;
class UnansweredRequests;
struct EngineTools;
struct Settings;

class PlanExecution {
 public:
  PlanExecution(const EngineTools& tools, Holds& holds, Reservations& reservations,
                Entitlements& entitlements, KeptRequests& requests, Launches& launches,
                Preemptions& preemptions);

  /// Carries out the plan, and calls `done` when the resource manager has answered every request:
  /// at once or later.
  void carry_out(std::function<void()> done);

 private:
  void go_on();
  void go_on_to_answers();
  bool only_logged(const Decision& decision);
  void carry_out(const StartJob& start);
  void carry_out(const HoldJob& hold);
  void carry_out(const PreemptJob& victim);
  void when_funded(JobId preemptor, std::function<void(bool)> then);
  void preempt(const PreemptJob& victim);
  void preemption_answered();
  void give_shape(const StartJob& start);
  void carry_out(const ResumeJob& suspended);
  void answered();

  const EngineTools& tools_;
  Holds& holds_;
  Reservations& reservations_;
  Entitlements& entitlements_;
  KeptRequests& requests_;
  Launches& launches_;
  Preemptions& preemptions_;
  const UnansweredRequests& unanswered_;
  Cluster& cluster_;
  const Settings& settings_;
  const Plan& plan_;
  RunTimeLearning& learning_;
  Preemptors& preemptors_;
  Time& last_activity_;
  PlanProgress progress_;
  /// Whether a preemptor can pay for its run, and what waits for that answer.
  struct Funding {
    std::optional<bool> granted;
    std::vector<std::function<void(bool)>> waiting;
  };
  std::map<JobId, Funding> fundings_;  // of the plan
  bool going_on_ = false;              // inside go_on()
  int answers_due_ = 0;                // plus one while the plan is being begun
  std::function<void()> done_;
  /// SERVERMODE TEST: decisions logged, not carried out, in this iteration and in the one before.
  std::set<std::string> logged_only_, logged_before_;
};

}  // namespace maui
