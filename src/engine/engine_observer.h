// The interface of those who observe what the engine does.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "engine/events.h"
#include "maui/cluster.h"
#include "maui/fairshare.h"
#include "maui/settings.h"

namespace maui {

/// The parts of an iteration, in their order (docs/architecture.md).
enum class Phase : std::uint8_t { poll, apply, refresh, plan, carry_out };
inline constexpr std::size_t kPhases = 5;

/// Hears what the engine does: for log and statistics files.
class EngineObserver {
 public:
  virtual ~EngineObserver() = default;
  /// True if lines of this level go anywhere: a line that nobody wants is never written.
  virtual bool wants(int /*level*/) const { return true; }
  /// One line for the log, at a level of guide 14.2 (0 most important), of a facility ("fSCHED").
  virtual void log(int level, std::string_view facility, std::string_view text) = 0;
  /// A part of the iteration begins; none begins that is left out.
  virtual void begins(Phase /*phase*/) {}
  /// The iteration is done.
  virtual void iteration_ended() {}
  /// A job has ended; it is still known.
  virtual void job_ended(const Cluster& cluster, JobId job, int exit_code) = 0;
  /// A fairshare window has changed in this iteration, or since it was last reported; `over`: it is
  /// past, and most likely changes no more.
  virtual void fairshare_changed(const Cluster& /*cluster*/, const FairshareHistory& /*history*/,
                                 const FairshareWindow& /*window*/, bool /*over*/) {}
  /// True if anybody is notified of events: one that nobody wants is never made.
  virtual bool wants_events() const { return false; }
  virtual void event(const Event& /*event*/) {}
  /// Calls `go_on` once others have had their turn.  False: there are none, so go on at once.
  virtual bool pause(std::function<void()> /*go_on*/) { return false; }
  /// A trigger of a reservation has gone off that runs a program or submits a script.
  virtual void triggered(const Trigger& /*trigger*/, const Reservation& /*reservation*/) {}
};

}  // namespace maui
