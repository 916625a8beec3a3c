// The site's own policies (guide, appendices B and C: the 'Local' interface), as the engine asks
// about them: one question an iteration, about all jobs at once, and an answer now or later.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "maui/job.h"

namespace maui {

enum class LocalHook : std::uint8_t {
  attributes,  // what jobs ask for, beside what they ask for themselves; of jobs that arrive
  priority,    // what is added to the priority of waiting jobs
  fairness,    // which waiting jobs may not start now, and why
  backfill,    // which waiting jobs may be backfilled, in which order
};

/// A job as programs of the site see it; what is empty or 0 is not known.
struct LocalJob {
  std::string name, user, group, account, job_class, qos;
  JobState state = JobState::idle;
  bool held = false;
  int procs = 0, nodes = 0;
  Seconds limit{0};
  Time submitted{0}, queued{0}, started{0};
};

struct LocalQuestion {
  LocalHook hook = LocalHook::priority;
  Time now{0};
  long long free_procs = 0, procs = 0;  // of the nodes that take jobs
  std::vector<LocalJob> jobs;           // waiting ones in the order of arrival, then active ones
};

/// The answer about one job: a number, a reason, extensions or, for backfill, nothing more.
struct LocalAnswer {
  std::string job, words;
  friend bool operator==(const LocalAnswer&, const LocalAnswer&) = default;
};

class LocalPolicies {
 public:
  virtual ~LocalPolicies() = default;
  /// Somebody would answer.
  virtual bool wants(LocalHook hook) const = 0;
  /// Nothing: there is no usable answer, and the log says so.
  using Answered = std::function<void(std::optional<std::vector<LocalAnswer>>)>;
  /// Calls `answered` once, before it returns or later.
  virtual void ask(LocalQuestion question, Answered answered) = 0;
};

}  // namespace maui
