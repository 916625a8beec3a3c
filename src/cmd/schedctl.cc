// schedctl, showconfig, changeparam, resetstats: commands to the scheduler itself.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/date.h"
#include "base/duration.h"
#include "base/text.h"
#include "cmd/facts/node_facts.h"
#include "cmd/facts/reply_values.h"
#include "config/parameters.h"

namespace maui {
namespace {

/// Adds the current log level, which a signal may have set, to the row of LOGLEVEL.
void list_log_level(const Context& context, ConfigReply& reply) {
  const auto level = context.server.log_level();
  if (!level || *level == context.settings().log.level) return;
  auto& rows = reply.parameters;
  auto row = std::find_if(rows.begin(), rows.end(),
                          [](const auto& parameter) { return parameter.name == "LOGLEVEL"; });
  if (row == rows.end()) row = rows.insert(rows.end(), {"LOGLEVEL", "", false});
  row->value = std::to_string(*level);
  row->is_default = false;
}

ConfigReply reply_of(const Context& context, config::Listing listing) {
  ConfigReply reply;
  reply.version = MAUI_VERSION;
  reply.pid = getpid();
  for (auto& row : listing.rows)
    reply.parameters.push_back({std::move(row.name), std::move(row.value), row.is_default});
  for (auto& [before, text] : listing.headings)
    reply.headings.push_back({static_cast<std::int64_t>(before), std::move(text)});
  list_log_level(context, reply);
  return reply;
}

/// True if events set the pace of iterations, and not RMPOLLINTERVAL.
bool events_set_the_pace(const Settings& settings) {
  return settings.server.mode == ServerMode::simulation &&
         settings.simulation.step == StepPolicy::event;
}

/// Returns the iterations of that number or, as release 3.3 took it, of that time.
std::optional<std::int64_t> iterations_in(const Settings& settings, std::string_view text) {
  if (text.find(':') == text.npos) return parse_integer<std::int64_t>(text);
  const auto time = parse_duration(text);
  if (!time || *time >= kUnlimited || events_set_the_pace(settings)) return std::nullopt;
  const std::int64_t interval = std::max<std::int64_t>(settings.poll_interval.raw(), 1);
  return time->raw() / interval + (time->raw() % interval != 0 ? 1 : 0);
}

/// "N", a time or nothing, and I or T: clients wait until the iterations are done (guide G).
struct Steps {
  std::optional<std::int64_t> count;
  bool ignore_clients = false;
};

Result<Steps> parse_steps(const Context& context, std::string_view flag, std::string_view text) {
  Steps steps;
  std::string_view number = text;
  if (!number.empty() && std::string_view("IiTt").find(number.back()) != std::string_view::npos) {
    steps.ignore_clients = true;
    number.remove_suffix(1);
  }
  if (number.empty() && !steps.ignore_clients) return steps;
  constexpr std::int64_t kMost = 100'000'000'000;  // the resulting time must not overflow
  const auto count = iterations_in(context.settings(), number);
  if (!count || *count < 0 || *count > kMost)
    return Error{fmt::format(
        "-{}: invalid value '{}': expected a number of iterations up to {}{}, and perhaps I", flag,
        text, kMost, events_set_the_pace(context.settings()) ? "" : ", or [[HH:]MM:]SS")};
  steps.count = *count;
  return steps;
}

/// Returns the scheduler time that the iterations take; -1 if events set the pace.
std::int64_t duration_of(const Context& context, std::int64_t iterations) {
  const Settings& settings = context.settings();
  return events_set_the_pace(settings) && iterations > 0
             ? -1
             : iterations * settings.poll_interval.raw();
}

Answer stop_at(const Context& context, std::int64_t iteration, bool ignore_clients) {
  const std::int64_t current = context.engine.iteration();
  StopRule& rule = context.engine.stop_rule();
  const bool at_once = iteration <= current;
  rule = StopRule{};
  rule.stopped = at_once;
  rule.user = context.request.user;
  rule.since = context.now();
  if (!at_once) {
    rule.at_iteration = iteration;
    rule.ignore_clients = ignore_clients;
  }
  context.server.wake();
  const std::int64_t stop = at_once ? current : iteration;
  return Reply(StopReply{stop, duration_of(context, stop - current), rule.ignore_clients});
}

Answer stop(const Context& context) {
  const auto steps = parse_steps(context, "s", context.value("s"));
  if (!steps) return steps.error();
  return stop_at(context, steps->count.value_or(context.engine.iteration()), steps->ignore_clients);
}

Answer step(const Context& context) {
  const auto steps = parse_steps(context, "S", context.value("S"));
  if (!steps) return steps.error();
  const std::int64_t current = context.engine.iteration(), more = steps->count.value_or(1);
  return stop_at(context, current + more, steps->ignore_clients);
}

Answer resume(const Context& context) {
  Seconds wait{0};
  if (const std::string text = context.value("r"); !text.empty()) {
    const auto parsed = parse_duration_ahead(text, context.now());
    if (!parsed) return Error{"-r: " + parsed.error().what};
    if (parsed->raw() < 0 || *parsed >= kUnlimited)
      return Error{fmt::format(
          "-r: invalid value '{}': expected a duration from 0 up, and not INFINITY", text)};
    wait = *parsed;
  }
  StopRule& rule = context.engine.stop_rule();
  const bool loss = context.server.unaccepted_loss().has_value();
  if (loss && wait > Seconds(0)) return Error{"-r: " + *context.server.unaccepted_loss()};
  const StopRule before = std::exchange(rule, StopRule{});
  if (loss) context.server.accept_loss();
  // SIMSTOPITERATION may have been increased meanwhile.
  const Settings& settings = context.settings();
  if (settings.server.mode == ServerMode::simulation &&
      settings.simulation.stop_iteration > context.engine.iteration())
    rule.at_iteration = settings.simulation.stop_iteration;
  if (wait.raw() > 0) {
    rule.stopped = before.stopped;
    rule.user = before.user;
    rule.since = before.since;
    rule.resume_at = context.now() + wait;
  }
  context.server.wake();
  return Reply(ResumeReply{before.stopped ? wait.raw() : 0});
}

std::string_view event_of(NodeState state) {
  if (state == NodeState::drained || state == NodeState::draining) return "DRAINED";
  return state == NodeState::down || state == NodeState::unknown ? "DEFINED" : "AVAILABLE";
}

Answer node_trace(const Context& context) {
  const Cluster& cluster = context.cluster();
  NodeTraceReply reply;
  for (const Node& node : listed_nodes(cluster)) {
    TraceNode line;
    line.event = event_of(node.reported);
    line.name = node.name;
    line.resource_manager = node.resource_manager;
    line.opsys = node.operating_system;
    line.arch = node.architecture;
    line.swap = node.configured.swap();
    line.memory = node.configured.memory();
    line.disk = node.configured.disk();
    line.procs = node.configured.procs();
    line.frame = node.frame;
    line.slot = node.slot;
    line.slots = node.slots_used;
    line.speed = node.speed;
    line.features = feature_names(cluster, node.features);
    line.networks = node.networks;
    line.classes = classes_of(cluster, node.configured, node.configured);
    for (const auto& amount : amounts_of(cluster, node.configured))
      if (amount.name != "PROCS" && amount.name != "MEM" && amount.name != "SWAP" &&
          amount.name != "DISK")
        line.generic.push_back(amount);
    reply.nodes.push_back(std::move(line));
  }
  return Reply(std::move(reply));
}

Answer shut_down(const Context& context) {
  context.server.shut_down();
  return Reply(ShutdownReply{context.now().raw(), context.server.has_lease()});
}

Answer reload(const Context& context) {
  if (const Status done = context.server.reload(); !done) return done.error();
  return Reply(ReloadReply{context.now().raw(), context.server.awaiting_restart()});
}

Answer list(const Context& context) {
  const std::string wanted = context.value("l");
  const Configuration& known = context.server.configuration();
  if (wanted.empty()) return Reply(reply_of(context, known.listing()));
  const std::string_view base = std::string_view(wanted).substr(0, wanted.find('['));
  const auto* parameter = config::find_parameter(base);
  const std::string own(parameter != nullptr ? std::string_view(parameter->name) : base);
  const bool whole = base.size() == wanted.size() || wanted.ends_with("[0]");
  ConfigReply reply = reply_of(context, {known.rows(), {}});
  std::erase_if(reply.parameters, [&](const auto& row) {
    return !same_word(row.name, own + wanted.substr(base.size())) &&
           !(whole && same_word(row.name.substr(0, row.name.find('[')), own));
  });
  if (reply.parameters.empty())
    return Error{fmt::format("-l: unknown parameter '{}', or it is not set", wanted)};
  return Reply(std::move(reply));
}

Answer modify_scheduler(const Context& context) {
  CommandRequest request = context.request;
  request.command = "changeparam";
  request.flags.clear();
  request.operands.clear();
  const std::string text = context.value("m");  // PARAMETER, or "PARAMETER VALUE"
  for (const auto word : words(text)) request.operands.emplace_back(word);
  for (const auto& word : context.request.operands) request.operands.push_back(word);
  if (request.operands.size() < 2)
    return Error{"schedctl: -m must be followed by PARAMETER VALUE..."};
  Answer answer = changeparam(context.with(request));
  if (answer) std::get<ParameterReply>(*answer).command = "schedctl";
  return answer;
}

struct Mode {
  std::string_view flag;
  Answer (*run)(const Context&);
};
constexpr Mode kModes[] = {
    {"k", shut_down}, {"n", node_trace}, {"r", resume}, {"R", reload},
    {"s", stop},      {"S", step},       {"l", list},   {"m", modify_scheduler},
};

}  // namespace

Answer schedctl(const Context& context) {
  const Mode* chosen = nullptr;
  for (const Mode& mode : kModes) {
    if (!context.has(mode.flag)) continue;
    if (chosen != nullptr)
      return Error{
          fmt::format("schedctl: -{} and -{} cannot be combined", chosen->flag, mode.flag)};
    chosen = &mode;
  }
  if (chosen == nullptr)
    return Error{"schedctl: expected one of -k, -l, -m, -n, -r, -R, -s and -S"};
  if (context.has("dry-run") && chosen->flag != "m" && chosen->flag != "R")
    return Error{"schedctl: --dry-run requires -m or -R"};
  if (chosen->flag != "m" && !context.request.operands.empty())
    return Error{fmt::format("schedctl: unexpected '{}'", context.request.operands.front())};
  return chosen->run(context);
}

Answer resetstats(const Context& context) {
  context.engine.reset_statistics();
  return Reply(StatisticsResetReply{context.now().raw()});
}

Answer showconfig(const Context& context) {
  return Reply(reply_of(context, context.server.configuration().listing(context.has("v"))));
}

Answer changeparam(const Context& context) {
  const auto& operands = context.request.operands;
  ParameterReply reply{operands.front(), {operands.begin() + 1, operands.end()}};
  const auto known = context.server.configuration().warnings();
  if (const Status done = context.server.change_parameter(reply.parameter, reply.values); !done)
    return done.error();
  reply.warnings =
      context.server.configuration().warnings_of_change(reply.parameter, reply.values, known);
  return Reply(std::move(reply));
}

}  // namespace maui
