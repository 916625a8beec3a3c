// Carrying out a client's command: check it, check the right to it, do it, reply.
#pragma once
#include "cmd/server_control.h"
#include "engine/engine.h"
#include "maui/command.h"
#include "maui/reply.h"

namespace maui {

/// Never fails: whatever is wrong comes back as a Refusal.
Reply execute(Engine& engine, ServerControl& server, const CommandRequest& request);

}  // namespace maui
