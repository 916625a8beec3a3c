// The engine's interface to the site's own policies (guide, appendices B and C: the 'Local'
// interface): one question per iteration and hook, about all jobs, answered at once or later.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "maui/job.h"

namespace maui {

enum class LocalHook : std::uint8_t {
  attributes,  // further requests of newly arrived jobs, beside their own
  priority,    // amounts to add to the priorities of waiting jobs
  fairness,    // waiting jobs that may not start now, with reasons
  backfill,    // waiting jobs that may be backfilled, in order
};

/// A job as the site's programs see it.  An empty or 0 member is unknown.
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
  long long free_procs = 0, procs = 0;  // on nodes that accept jobs
  std::vector<LocalJob> jobs;           // waiting jobs in order of arrival, then active jobs
};

/// The answer about one job.  `words`: a number, a reason or extensions; unused for backfill.
struct LocalAnswer {
  std::string job, words;
  friend bool operator==(const LocalAnswer&, const LocalAnswer&) = default;
};

class LocalPolicies {
 public:
  virtual ~LocalPolicies() = default;
  /// True if a program serves this hook.
  virtual bool wants(LocalHook hook) const = 0;
  /// Takes the answers; nullopt if there is no usable answer (the log has the reason).
  using Answered = std::function<void(std::optional<std::vector<LocalAnswer>>)>;
  /// Calls `answered` exactly once, before ask() returns or later.
  virtual void ask(LocalQuestion question, Answered answered) = 0;
};

}  // namespace maui
