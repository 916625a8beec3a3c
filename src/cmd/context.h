// The context of a command, and the functions that execute commands.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cmd/awaited_answers.h"
#include "cmd/follow_up.h"
#include "cmd/server_control.h"
#include "engine/engine.h"
#include "maui/cluster.h"
#include "maui/command.h"
#include "maui/reply.h"
#include "maui/result.h"
#include "maui/settings.h"

namespace maui {

struct Context {
  Engine& engine;
  ServerControl& server;
  const CommandRequest& request;
  std::unique_ptr<FollowUp>& follow_up;  // computes the rest of the reply, if it takes long
  AwaitedAnswers& awaited;               // the reply is corrected once these have come

  const Cluster& cluster() const { return engine.cluster(); }
  const Settings& settings() const { return engine.settings(); }
  Time now() const { return engine.now(); }
  bool has(std::string_view flag) const { return request.has(flag); }
  std::string value(std::string_view flag, std::string_view otherwise = {}) const {
    return request.value(flag, otherwise);
  }
  /// The same, for another request, which must outlive it.
  Context with(const CommandRequest& other) const {
    return {engine, server, other, follow_up, awaited};
  }
};

/// A reply, or an error, which becomes a Refusal.
using Answer = Result<Reply>;

/// Executes any command, without interruption.
Reply run_command(const Context& context);

Answer canceljob(const Context& context);
Answer changeparam(const Context& context);
Answer checkjob(const Context& context);
Answer checknode(const Context& context);
Answer diagnose(const Context& context);
Answer mjobctl(const Context& context);
Answer mnodectl(const Context& context);
Answer releasehold(const Context& context);
Answer releaseres(const Context& context);
Answer resetstats(const Context& context);
Answer runjob(const Context& context);
Answer schedctl(const Context& context);
Answer sethold(const Context& context);
Answer setqos(const Context& context);
Answer setres(const Context& context);
Answer setspri(const Context& context);
Answer showbf(const Context& context);
Answer showconfig(const Context& context);
Answer showgrid(const Context& context);
Answer showhist(const Context& context);
Answer showhold(const Context& context);
Answer showq(const Context& context);
Answer showres(const Context& context);
Answer showstart(const Context& context);
Answer showstate(const Context& context);
Answer showstats(const Context& context);

}  // namespace maui
