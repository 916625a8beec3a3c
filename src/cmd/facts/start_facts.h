// The start of a job that waits, or of a request, as showstart replies it.
#pragma once
#include <cstdint>
#include <string>

#include "maui/cluster.h"
#include "maui/job.h"
#include "maui/replies/job.h"
#include "maui/result.h"
#include "maui/settings.h"
#include "maui/units.h"
#include "sched/query/explain.h"

namespace maui {

/// Returns the reply for a job or request of that size and limit.
StartReply start_reply(const Cluster& cluster, Time now, const Forecast& forecast,
                       std::int64_t procs, Seconds limit);
/// Returns the size of the request as words: "9 procs for 1:00:00".
std::string size_words(const Request& request);

/// How the message that no start is known names the job: "job 'a' can never start: it requires 9
/// procs, and ..." or "a job that requires 9 procs can never start here: ...".
struct StartWording {
  std::string job, here, asks;
};

/// Says why no start is known for the job.
Error no_start(const Cluster& cluster, const Settings& settings, Time now, const Job& job,
               const StartWording& words);

}  // namespace maui
