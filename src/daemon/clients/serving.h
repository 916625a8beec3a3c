// The tools with which requests are served, whatever protocol they came by.
#pragma once
#include <functional>
#include <string_view>

#include "cmd/server_control.h"
#include "daemon/logging/lines.h"
#include "daemon/memory_reserve.h"
#include "engine/engine.h"
#include "maui/command.h"
#include "maui/reply.h"
#include "maui/settings.h"
#include "proto/reply_codec.h"

namespace maui {

/// True for commands to the scheduler itself: their changes last until it ends, not in checkpoints.
bool controls_scheduler(const CommandRequest& request);

/// All that it names must outlive it.
struct Serving {
  Engine& engine;
  ServerControl& server;
  Lines& lines;
  std::function<void()> tick;  // updates the clock; not called in an iteration
  std::function<bool()> short_of_memory = memory_is_short;

  const Settings& settings() const { return server.configuration().settings(); }
  /// Updates the clock before a slice of work for a client.
  void update_clock() const;
  /// True if the request is that of an administrator of any level.
  bool is_administrators(const CommandRequest& request) const;
  /// True if memory is short, and the request is no administrator's.
  bool lacks_memory_for(const CommandRequest& request) const;
  /// Writes a line about the request; lines about those of others than administrators are bounded.
  void log(const CommandRequest& request, int level, std::string_view text) const;
  /// Warns that resource managers have not reported yet, so that an empty list may be incomplete,
  /// or that scheduling is stopped, so that the data is old, or that nothing is scheduled for a
  /// lost checkpoint.
  ReplyRemarks remarks_on(const CommandRequest& request, const Reply& reply) const;
};

}  // namespace maui
