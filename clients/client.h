// Sends a request to the server and returns the reply, or the reason why there is none.
#pragma once
#include "client_settings.h"
#include "maui/command.h"
#include "maui/reply.h"
#include "maui/result.h"
#include "proto/reply_codec.h"

namespace maui {

/// Writes debugging lines to standard error, up to a level of guide 14.5 (-L).
class Trace {
 public:
  explicit Trace(int level) : level_(level) {}
  void say(int level, const std::string& text) const;

 private:
  int level_;
};

struct ServerAnswer {
  Reply reply;
  ReplyRemarks remarks;
};

/// Tries the socket of this machine, then the hosts and ports.  The error is the one line that
/// existing scripts expect.
Result<ServerAnswer> ask(const ClientSettings& settings, const CommandRequest& request,
                         const Trace& trace);

/// Return the name of the user who runs this program, and of the user's group.
std::string user_name();
std::string group_name();

}  // namespace maui
