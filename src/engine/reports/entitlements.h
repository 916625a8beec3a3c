// The current requests of jobs: what each job asks for, and what the policies in force entitle it
// to.
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

  /// Changes the request of a job that is not active.
  void set_request(JobId job, Request request);
  /// Returns set_request() as a function, for parts that change requests.
  RefusedStarts::SetRequest request_setter();
  /// Changes the wallclock limit of a job, whether it waits or runs; of one that waits, in each of
  /// its shapes.
  void set_limit(JobId job, Seconds limit);
  /// Gives a job the QOS that a command sets; access lists do not change it again.  A run takes on
  /// how the QOS shares its nodes; the rest of its request stays as it began.
  void give_qos(JobId job, QosId qos);
  /// Applies the job's entitlement anew after a change of its QOS or account.
  void renew(JobId job);
  /// Applies the entitlements of all waiting jobs anew if the settings that they depend on changed.
  void settings_changed(const Settings& old);
  /// Notes that nodes are in partitions: from now on the partitions that resource managers report
  /// for jobs count.
  void note_partitions();

 private:
  const EngineTools& tools_;
  Cluster& cluster_;
  const Settings& settings_;
  RunTimeLearning& learning_;
  bool& partitions_used_;
};

}  // namespace maui
