// Execution of a client's command: parses it, checks the user's right to it, executes it, replies.
#pragma once
#include "cmd/server_control.h"
#include "engine/engine.h"
#include "maui/command.h"
#include "maui/reply.h"

namespace maui {

/// Executes a request without waiting for answers of resource managers.  Never fails: every error
/// is returned as a Refusal.
Reply execute(Engine& engine, ServerControl& server, const CommandRequest& request);

}  // namespace maui
