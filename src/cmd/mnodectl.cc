// mnodectl: takes nodes into and out of service.
#include <fmt/format.h>

#include "base/enum_names.h"
#include "base/host_range.h"
#include "base/state_names.h"
#include "base/text.h"
#include "cmd/facts/node_facts.h"
#include "cmd/operands.h"
#include "cmd/outcomes.h"

namespace maui {
namespace {

/// Resource managers only take nodes out of service: DOWN is the same as DRAINED.
constexpr EnumName<NodeState> kStates[] = {
    {NodeState::idle, "Idle"},     {NodeState::idle, "Up"},      {NodeState::drained, "Drained"},
    {NodeState::drained, "Drain"}, {NodeState::drained, "Down"},
};

/// "-m STATE=DOWN NODE...", or "modify state=down NODE..." as in release 3.3.
struct Modification {
  std::string setting;
  std::vector<std::string> nodes;
};

Result<Modification> wanted(const Context& context) {
  Modification made{context.value("m"), context.request.operands};
  if (made.setting.empty() && made.nodes.size() > 1 && same_word(made.nodes.front(), "modify")) {
    made.setting = made.nodes[1];
    made.nodes.erase(made.nodes.begin(), made.nodes.begin() + 2);
  }
  if (made.setting.empty() || made.nodes.empty())
    return Error{"mnodectl: expected -m STATE=IDLE, DRAINED or DOWN, and nodes"};
  return made;
}

Result<NodeState> state_asked(const std::string& setting) {
  const auto equals = setting.find('=');
  const auto attribute = setting.substr(0, equals);
  if (equals == std::string::npos || !same_word(attribute, "state"))
    return Error{
        fmt::format("mnodectl: invalid -m '{}': expected STATE=IDLE, DRAINED or DOWN", setting)};
  const auto word = setting.substr(equals + 1);
  if (const auto state = value_of(std::span<const EnumName<NodeState>>(kStates), word))
    return *state;
  return Error{fmt::format("mnodectl: unknown state '{}': expected IDLE, DRAINED or DOWN", word)};
}

}  // namespace

Answer mnodectl(const Context& context) {
  const auto asked = wanted(context);
  if (!asked) return asked.error();
  const auto state = state_asked(asked->setting);
  if (!state) return state.error();
  std::vector<std::string> names;  // all of them before anything is changed
  for (const auto& item : asked->nodes) {
    const auto some = expand_host_list(item, most_hosts(context.cluster()));
    if (!some) return some.error();
    names.insert(names.end(), some->begin(), some->end());
  }
  NodesModifiedReply reply{"STATE", std::string(state_name(*state)), {}};
  for (const auto& name : names) {
    const auto node = node_named(context, name);
    const CommandResult result =
        node ? context.engine.set_node_state(*node, *state, context.request.user) : node.error();
    context.awaited.add(name, result);
    reply.nodes.push_back({name, result.has_value(), result ? "" : result.error().what});
  }
  if (auto some = something_done(reply.nodes); !some) return some.error();
  return Reply(std::move(reply));
}

}  // namespace maui
