// PBS's jobs as WIKI reports them.
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

/// Facts beside the jobs.
struct Surroundings {
  Queues queues;
  std::set<std::string, std::less<>> nodes;  // their names
  Time now{0};
  std::set<std::string, std::less<>> features = {};  // that some of the nodes have
};

/// `wish`: wish_of() the job.  Nothing: the job is none of the scheduler's (it is in a routing
/// queue, or an array as a whole, of which the tasks are reported).
std::optional<WikiJob> reported_job(const Object& job, const Result<Wish>& wish,
                                    const Surroundings& all);

/// True if the same object would be reported otherwise at another time.
bool depends_on_time(const Object& job, const WikiJob& reported);

struct JobEnding {
  int exit_code = 0;
  Time when{0};
};
/// How a job ends, if that is known of one that is ending: OpenPBS forgets it then.
std::optional<JobEnding> ending_of(const Object& job);

}  // namespace maui::pbs
