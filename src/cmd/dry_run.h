// The effect that a command would have on the queue (--dry-run).
//
// Executes the command on a copy of the engine (Engine::trial) that nothing else observes, and
// forecasts when the waiting jobs are expected to start: once without the command and once with
// it.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "cmd/follow_up.h"
#include "cmd/server_control.h"
#include "engine/engine.h"
#include "maui/cluster.h"
#include "maui/command.h"
#include "maui/result.h"
#include "sched/query/queue_forecast.h"

namespace maui {

/// True if the command is to be tried only.
bool is_dry_run(const CommandRequest& request);
/// Refuses options that make the command change nothing anyway.
Status check_dry_run(const CommandSpec& spec, const CommandRequest& request);

/// Returns how many jobs at the head of the queue are forecast by default: enough to show where the
/// command delays jobs.
std::size_t most_foreseen(const Cluster& cluster);
/// Returns the number of jobs requested with --jobs; nullopt without --jobs.
Result<std::optional<std::size_t>> asked_foreseen(const CommandRequest& request);

class DryRunner final : public FollowUp {
 public:
  /// `only_of`: list only jobs of this user; nullopt: all jobs.  `most`: number of jobs at the head
  /// of the queue to forecast; nullopt: most_foreseen().
  DryRunner(const Engine& engine, ServerControl& server, std::optional<std::string> only_of,
            std::optional<std::size_t> most = {});
  ~DryRunner() override;

  /// Copies the state without the command; returns false if that was done already.  Must be called
  /// before the command is executed.
  bool keep();
  /// Returns the engine on which the command is executed.
  Engine& engine() { return *with_; }
  ServerControl& server() { return *server_; }

  /// Advances the forecasts, first without, then with the executed command.
  bool step() override;
  void complete(Reply& reply) const override;

 private:
  DryRun result() const;

  std::unique_ptr<Engine> with_, without_;
  std::unique_ptr<ServerControl> server_;
  std::optional<std::string> only_of_;
  std::optional<std::size_t> most_;
  std::optional<QueueForecaster> forecaster_;
  QueueForecast before_, after_;
  enum class Stage { begun, without, between, with, done } stage_ = Stage::begun;
};

}  // namespace maui
