// Carries a plan out, decision by decision, in its order.
//
// A job is started in the cluster first, so that whatever follows sees its
// resources taken; if the resource manager then refuses, it goes back into the
// queue with the reason.  What stands behind preemptions waits until they have
// been answered.
#pragma once
#include <functional>
#include <set>
#include <string>

#include "engine/actions/plan_progress.h"
#include "maui/plan.h"
#include "maui/units.h"

namespace maui {

class Cancellations;
class Cluster;
class Entitlements;
class FailedStarts;
class Holds;
class Launches;
class Preemptions;
class Reservations;
class RunTimeLearning;
struct EngineTools;
struct Settings;

class PlanExecution {
 public:
  PlanExecution(const EngineTools& tools, Holds& holds, Reservations& reservations,
                Entitlements& entitlements, FailedStarts& failed_starts, Launches& launches,
                Preemptions& preemptions, const Cancellations& cancellations);

  /// Carries out what is planned, and calls `done` when the resource manager has answered all that
  /// it was asked for: at once or later.
  void carry_out(std::function<void()> done);

 private:
  void go_on();
  bool only_logged(const Decision& decision);
  void carry_out(const StartJob& start);
  void carry_out(const HoldJob& hold);
  void carry_out(const PreemptJob& victim);
  void carry_out(const ResumeJob& suspended);
  void carry_out(const ReserveJob& reserve);
  void carry_out(const DropReservation& drop);
  void carry_out(const MakeReservation& make);
  void carry_out(const ChangeReservation& change);
  void answered();

  const EngineTools& tools_;
  Holds& holds_;
  Reservations& reservations_;
  Entitlements& entitlements_;
  FailedStarts& failed_starts_;
  Launches& launches_;
  Preemptions& preemptions_;
  const Cancellations& cancellations_;
  Cluster& cluster_;
  const Settings& settings_;
  const Plan& plan_;
  RunTimeLearning& learning_;
  Time& last_activity_;
  PlanProgress progress_;
  bool going_on_ = false;  // inside go_on()
  int answers_due_ = 0;    // and one more while the plan is begun
  std::function<void()> done_;
  /// SERVERMODE TEST: what this iteration, and the one before it, said would be done.
  std::set<std::string> logged_only_, logged_before_;
};

}  // namespace maui
