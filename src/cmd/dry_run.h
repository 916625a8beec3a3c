// The effect that a command would have on the queue (--dry-run).
//
// The command is carried out as it would be, but on a copy of the engine that nobody else hears of
// (Engine::trial), and when the waiting jobs are expected to start is forecast without it and with
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

/// True if the command is only tried.
bool is_dry_run(const CommandRequest& request);
/// Refuses what changes nothing anyway.
Status check_dry_run(const CommandSpec& spec, const CommandRequest& request);

/// Returns how many jobs at the head of the queue are looked at, where nobody asks for another
/// number: enough to see where it hurts.
std::size_t most_foreseen(const Cluster& cluster);
/// How many somebody asks for (--jobs); nothing where it is left open.
Result<std::optional<std::size_t>> asked_foreseen(const CommandRequest& request);

class DryRunner final : public FollowUp {
 public:
  /// `only_of`: the user whose jobs alone are listed; nothing: all are.  `most`: so many jobs at
  /// the head of the queue are looked at; nothing: most_foreseen().
  DryRunner(const Engine& engine, ServerControl& server, std::optional<std::string> only_of,
            std::optional<std::size_t> most = {});
  ~DryRunner() override;

  /// Keeps the state without the command; false: it has been kept.  To be called before it is
  /// carried out.
  bool keep();
  /// Returns the engine on which it is carried out.
  Engine& engine() { return *with_; }
  ServerControl& server() { return *server_; }

  /// Once it has been: one forecast, then the other.
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
