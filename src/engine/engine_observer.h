// The interface of observers of the engine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "engine/events.h"
#include "maui/cluster.h"
#include "maui/fairshare.h"
#include "maui/settings.h"

namespace maui {

struct CheckpointedJob;

/// The parts of an iteration, in their order (docs/architecture.md).
enum class Phase : std::uint8_t { poll, apply, refresh, plan, carry_out };
inline constexpr std::size_t kPhases = 5;

/// The cause of a log line that others can cause in any number: clients that are not
/// administrators, jobs, requests about jobs that a resource manager refuses, or anything else that
/// is reported.
enum class LineCause : std::uint8_t { client, job, refusal, report };
inline constexpr std::size_t kLineCauses = 4;

/// Observes the engine, for example to write log and statistics files.
class EngineObserver {
 public:
  virtual ~EngineObserver() = default;
  /// True if lines of this level are written anywhere; if not, the engine does not compose them.
  virtual bool wants(int /*level*/) const { return true; }
  /// Writes a log line at a level of guide 14.2 (0 most important), of a facility ("fSCHED").
  virtual void log(int level, std::string_view facility, std::string_view text) = 0;
  /// Writes a log line that a party can cause in any number: the job's user where it is about a
  /// job.  A line that is one too many may be counted instead.
  virtual void log_of(LineCause /*cause*/, std::string_view /*party*/, int level,
                      std::string_view facility, std::string_view text) {
    log(level, facility, text);
  }
  /// A phase of the iteration begins.  Not called for a phase that is skipped.
  virtual void begins(Phase /*phase*/) {}
  /// The iteration has ended.
  virtual void iteration_ended() {}
  /// A job has ended; the cluster still knows it.
  virtual void job_ended(const Cluster& cluster, JobId job, int exit_code) = 0;
  /// A job has ended that has its record: it ended before this scheduler began, or was reported
  /// again from older knowledge.
  virtual void job_has_record(const Cluster& /*cluster*/, JobId /*job*/) {}
  /// Writes the records of the jobs that were passed to job_ended() so that they outlive the
  /// scheduler.  Returns false if they cannot be written now: these jobs are not charged yet.
  virtual bool keep_records() { return true; }
  /// A fairshare window has changed in this iteration, or since it was last reported; `over`: the
  /// window is past and most likely final.
  virtual void fairshare_changed(const Cluster& /*cluster*/, const FairshareHistory& /*history*/,
                                 const FairshareWindow& /*window*/, bool /*over*/) {}
  /// True if anybody is notified of events; if not, the engine does not compose them.
  virtual bool wants_events() const { return false; }
  virtual void event(const Event& /*event*/) {}
  /// Yields to other work, then calls `go_on`.  Returns false if there is none: go on at once.
  virtual bool pause(std::function<void()> /*go_on*/) { return false; }
  /// The engine has decided what only a checkpoint remembers: no report will repeat a hold, a
  /// requeue or a suspended time to the next scheduler.
  virtual void checkpoint_outdated() {}
  /// A run of the job has been accounted, which only the next checkpoint tells.  If the job starts
  /// again, what keep_requests() gets of that start does not suffice beside an earlier checkpoint.
  virtual void run_accounted(const Job& /*job*/) {}
  /// The machine's clock was set: later records and files are dated by the clock as it now
  /// stands, and should follow a checkpoint that is, too.
  virtual void clock_was_set() { checkpoint_outdated(); }
  /// True if starts and requeues must be passed to keep_requests() before the resource manager is
  /// asked for them.
  virtual bool keeps_requests() const { return false; }
  /// The resource manager is asked to start or requeue these jobs as soon as this returns: the next
  /// scheduler must not start them again, and must account the runs that end.
  virtual void keep_requests(const Cluster& /*cluster*/,
                             const std::vector<CheckpointedJob>& /*jobs*/) {}
  /// A reservation's trigger that runs a program or submits a script has gone off.  Calls `begun`
  /// once the program has been started, or cannot be: until then, checkpoints have the trigger
  /// among those that have not gone off.
  virtual void triggered(const Trigger& /*trigger*/, const Reservation& /*reservation*/,
                         std::function<void()> begun) {
    begun();
  }
};

}  // namespace maui
