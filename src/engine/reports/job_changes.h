// Jobs whose request has changed, as the resource manager reports it.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "maui/job.h"
#include "maui/resource_manager.h"

namespace maui {

class Cluster;
class Dependencies;
class DoubtedJobs;
class Entitlements;
class Holds;
class RefusedStarts;
class StartDates;
struct EngineTools;
struct Settings;

class JobChanges {
 public:
  JobChanges(const EngineTools& tools, Holds& holds, Entitlements& entitlements);

  /// Applies the changed jobs of an answer, then calls `next`; they must stay until then.
  void apply(const std::vector<JobReport>& changed, std::function<void()> next);
  /// Applies the report once the job waits: until then a restored job keeps the credentials of its
  /// run, and a job of which it is doubted that it runs keeps its request.
  void keep_for_next_run(JobId job, const JobReport& report);
  /// Applies the reports that were kept for jobs that wait by now.
  void take_for_next_runs();

 private:
  void change(const JobReport& report);
  void stay_in_shape(const Job& job, Request& reported) const;
  void revise(JobId job, const Job& reported);

  const EngineTools& tools_;
  Holds& holds_;
  Entitlements& entitlements_;
  Cluster& cluster_;
  const Settings& settings_;
  RefusedStarts& refused_starts_;
  Dependencies& dependencies_;
  StartDates& start_dates_;
  const DoubtedJobs& unexpected_;
  std::map<std::string, JobReport>& for_next_run_;
};

}  // namespace maui
