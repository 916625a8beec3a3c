// Converts PBS jobs to WIKI reports.
#pragma once
#include <optional>
#include <set>
#include <string>

#include "maui/result.h"
#include "pbs/attribute.h"
#include "pbs/portions.h"
#include "pbs/queue.h"
#include "rm/wiki_attributes.h"

namespace maui::pbs {

/// Facts besides the jobs that their reports depend on.
struct Surroundings {
  Queues queues;
  std::set<std::string, std::less<>> nodes;  // node names
  Time now{0};
  std::set<std::string, std::less<>> features = {};  // features of nodes
};

/// Converts a job.  `wish`: the result of wish_of() for the job.  Returns nullopt if the job is not
/// for the scheduler: a job in a routing queue, or a whole array, whose tasks are reported instead.
std::optional<WikiJob> reported_job(const Object& job, const Result<Wish>& wish,
                                    const Surroundings& all);

/// Returns true if the report of the same object may change with time.
bool depends_on_time(const Object& job, const WikiJob& reported);

/// Returns true if the job runs, and is not being requeued.
bool runs(const Object& job);

struct JobEnding {
  int exit_code = 0;
  Time when{0};
};
/// Returns how and when an ending job ended, if known: OpenPBS forgets the job after its end.
std::optional<JobEnding> ending_of(const Object& job);

}  // namespace maui::pbs
