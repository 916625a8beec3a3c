#include "cmd/execute.h"

#include <fmt/format.h>

#include "cmd/access.h"
#include "cmd/context.h"
#include "cmd/execution.h"

namespace maui {
namespace {

struct Binding {
  std::string_view name;
  Answer (*run)(const Context& context);
};

constexpr Binding kBindings[] = {
    {"canceljob", canceljob},   {"changeparam", changeparam}, {"checkjob", checkjob},
    {"checknode", checknode},   {"diagnose", diagnose},       {"mjobctl", mjobctl},
    {"mnodectl", mnodectl},     {"releasehold", releasehold}, {"releaseres", releaseres},
    {"runjob", runjob},         {"schedctl", schedctl},       {"sethold", sethold},
    {"setres", setres},         {"setqos", setqos},           {"setspri", setspri},
    {"resetstats", resetstats}, {"showgrid", showgrid},       {"showbf", showbf},
    {"showconfig", showconfig}, {"showhold", showhold},       {"showq", showq},
    {"showres", showres},       {"showstart", showstart},     {"showstate", showstate},
    {"showstats", showstats},   {"showhist", showhist},
};

Answer answer(const Context& context) {
  const CommandSpec* const spec = find_command(context.request.command);
  if (spec == nullptr) return Error{fmt::format("unknown command '{}'", context.request.command)};
  if (auto allowed = check_access(context, *spec); !allowed) return allowed.error();
  if (auto right = check_request(*spec, context.request); !right) return right.error();
  for (const Binding& binding : kBindings)
    if (binding.name == spec->name) return binding.run(context);
  return Error{fmt::format("the server does not know how to run '{}'", spec->name)};
}

}  // namespace

Reply run_command(const Context& context) {
  Answer result = answer(context);
  if (!result) return Refusal{result.error().what};
  return std::move(result).value();
}

Reply execute(Engine& engine, ServerControl& server, const CommandRequest& request) {
  Execution execution(engine, server, request);
  auto reply = execution.go_on([] { return false; });
  if (!reply) {
    execution.awaited()->give_up();
    reply = execution.go_on([] { return false; });
  }
  return *std::move(reply);
}

}  // namespace maui
