// The requests of jobs as they stand: what each asks for, and what it is entitled to by the
// policies in force.
#pragma once
#include "engine/actions/refused_starts.h"
#include "maui/job.h"
#include "maui/request.h"
#include "maui/units.h"

namespace maui {

class Cluster;
struct EngineTools;
class RunTimeLearning;
struct Settings;

class Entitlements {
 public:
  explicit Entitlements(const EngineTools& tools);

  /// A job that is not active asks for that now.
  void set_request(JobId job, Request request);
  /// Returns that function, for those who change requests.
  RefusedStarts::SetRequest request_setter();
  /// Its limit is another one from now on, whether it waits or runs.
  void set_limit(JobId job, Seconds limit);
  /// Gives a job the QOS of a command; access lists do not change it again.
  void give_qos(JobId job, QosId qos);
  /// Puts into force what the job is entitled to, after a change of its QOS or account.
  void renew(JobId job);
  /// The same for all waiting jobs, if the settings say something else of that than before.
  void settings_changed(const Settings& old);
  /// Notes that nodes are in partitions: those that resource managers report of jobs begin to
  /// count.
  void note_partitions();

 private:
  Cluster& cluster_;
  const Settings& settings_;
  RunTimeLearning& learning_;
  bool& partitions_used_;
};

}  // namespace maui
