// Changes by commands that no checkpoint has yet: whoever is told of a change can rely on it, so
// all replies wait until one is written (docs/decisions/checkpoints.md).
//
// One checkpoint is written for all commands that are ready.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "daemon/clients/client_server.h"
#include "daemon/files/checkpoint_keeper.h"
#include "engine/engine.h"
#include "maui/command.h"
#include "maui/result.h"

namespace maui {

class UnsavedChanges {
 public:
  struct Surroundings {
    boost::asio::io_context& io;
    const Engine& engine;
    CheckpointKeeper* checkpoints;  // nullptr: no change is saved
    /// Keeps all replies, whatever their protocol, until send_replies().
    std::function<void()> keep_replies;
    /// `of_changes`: revises replies that report a change; empty: they are true.  `took`: how long
    /// saving took.
    std::function<void(const ClientServer::Revision& of_changes,
                       std::chrono::steady_clock::duration took)>
        send_replies;
  };

  explicit UnsavedChanges(Surroundings surroundings) : around_(std::move(surroundings)) {}

  /// True if a change that this command makes is saved in the checkpoint.
  bool may_come_from(const CommandRequest& request) const;
  /// Returns why the change that the command is about to make will not be saved; empty if it will
  /// be, or if nothing needs saving.  An error means that the change must not be made.
  Result<std::string> why_not_saved(const CommandRequest& request);
  /// The command has changed something, and its client may go away before it is told.
  void begun_by(const CommandRequest& request);
  /// A client is about to be told of a change: keeps all replies until save().
  void await_save();
  /// If any change waits: lets others join it, writes the checkpoint, and has the replies sent.  If
  /// it cannot be written, they say so, or are refusals (CHECKPOINTFAILURE).
  void save();

 private:
  Surroundings around_;
  bool any_ = false;
};

}  // namespace maui
