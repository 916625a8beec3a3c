// setres and releaseres: administrative reservations (guide 7.1.1, G).
#include <fmt/format.h>

#include <algorithm>

#include "base/host_range.h"
#include "base/name_pattern.h"
#include "base/reservation_flag_names.h"
#include "base/text.h"
#include "cmd/access.h"
#include "cmd/dry_run.h"
#include "cmd/facts.h"
#include "cmd/time_frame.h"

namespace maui {
namespace {

template <class IdType>
void admit(AccessList& access, AccessKind kind, Names<IdType>& names, const std::string& list) {
  std::vector<IdType> ids;
  for (const auto name : split(list, ':'))
    if (!name.empty()) ids.push_back(names.intern(name));
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (const IdType id : ids) access.add(kind, id);
}

/// The first name listed, in the order of the guide's flags; it names the reservation.
std::string set_access_list(const Context& context, Reservation& r) {
  Cluster& names = context.engine.names();
  admit(r.access, AccessKind::user, names.users, context.value("u"));
  admit(r.access, AccessKind::group, names.groups, context.value("g"));
  admit(r.access, AccessKind::account, names.accounts, context.value("a"));
  admit(r.access, AccessKind::job_class, names.classes, context.value("c"));
  admit(r.access, AccessKind::qos, names.qos, context.value("Q"));
  for (const auto* flag : {"u", "g", "a", "c", "Q"}) {
    const std::string list = context.value(flag);
    for (const auto name : split(list, ':'))
      if (!name.empty()) return std::string(name);
  }
  return "SYSTEM";
}

/// NAME.k with the first k that is free.
std::string numbered(const Cluster& cluster, const std::string& base) {
  for (int k = 0;; ++k) {
    std::string name = fmt::format("{}.{}", base, k);
    if (!cluster.find_reservation(name).valid() && !cluster.find_job(name).valid()) return name;
  }
}

/// "PROCS=1:MEM=512", or release 3.3's "PROCS:1;MEM:512".  Without it, everything on the node.
Result<Resources> task_resources(const Context& context) {
  if (!context.has("r")) return Resources(-1);
  std::string text = context.value("r");
  for (char& c : text)
    if (c == '=' || c == ';' || c == ',') c = ':';
  std::vector<std::string_view> parts;
  for (const auto part : split(text, ':'))
    if (!trimmed(part).empty()) parts.push_back(trimmed(part));
  constexpr std::pair<std::string_view, ConsumableId> kNames[] = {
      {"PROCS", kProcs}, {"MEM", kMemory}, {"SWAP", kSwap}, {"DISK", kDisk}};
  Resources each(0);
  for (std::size_t i = 0; i < parts.size(); i += 2) {
    const auto* const row =
        std::find_if(std::begin(kNames), std::end(kNames),
                     [&](const auto& one) { return same_word(one.first, parts[i]); });
    const auto amount =
        i + 1 < parts.size() ? parse_integer<Resources::Quantity>(parts[i + 1]) : std::nullopt;
    const bool whole = amount == -1 && row != std::end(kNames) && row->second == kProcs;
    if (row == std::end(kNames) || !amount || (*amount < 0 && !whole))
      return Error{
          fmt::format("-r: expected PROCS, MEM, SWAP or DISK and an amount for each, as in "
                      "PROCS=1:MEM=512, not '{}'",
                      context.value("r"))};
    if (whole) return Resources(-1);
    each.set(row->second, *amount);
  }
  if (each.zero()) return Error{"-r: it names no resources"};
  return each;
}

Result<std::vector<FeatureId>> features_asked(const Context& context) {
  std::vector<FeatureId> features;
  if (!context.has("f")) return features;
  const std::string list = context.value("f");
  for (const auto part : split(list, ':')) {
    const FeatureId id = context.cluster().features.find(part);
    if (!id.valid()) return Error{fmt::format("-f: no node has the feature '{}'", part)};
    features.push_back(id);
  }
  std::sort(features.begin(), features.end());
  return features;
}

/// Host names, ranges of them, or else a regular expression over names.
Result<std::vector<NodeId>> expressed_nodes(const Cluster& cluster, const std::string& expression) {
  std::vector<NodeId> nodes;
  if (expression == "ALL") {
    for (const Node& node : cluster.nodes()) nodes.push_back(node.id);
    return nodes;
  }
  if (const auto names = expand_hosts(expression)) {
    for (const auto& name : *names)
      if (const NodeId id = cluster.find_node(name); id.valid()) nodes.push_back(id);
    if (!nodes.empty() && nodes.size() == names->size()) return nodes;
    nodes.clear();
  }
  const auto pattern = NamePattern::of(expression);
  if (!pattern)
    return Error{
        fmt::format("expected ALL, TASKS==N, TASKS>=N, a list of hosts or a regular "
                    "expression: {}",
                    pattern.error().what)};
  for (const Node& node : cluster.nodes())
    if (!node.purged && pattern->in(node.name)) nodes.push_back(node.id);
  if (nodes.empty())
    return Error{fmt::format("no matches found for node expression '{}'", expression)};
  return nodes;
}

struct Wanted {
  PartitionId partition;
  std::vector<FeatureId> features;
};

/// ALL and host expressions apply whatever else is reserved there (guide G).
Result<Placement> by_expression(const Context& context, const std::string& expression,
                                const Wanted& wanted) {
  const Cluster& cluster = context.cluster();
  std::vector<std::string> items;
  if (expression.find('[') == std::string::npos)
    for (const auto item : split(expression, ',')) items.emplace_back(item);
  else
    items = {expression};
  Placement placement;
  std::vector<bool> listed(cluster.nodes().size(), false);
  for (const auto& item : items) {
    const auto nodes = expressed_nodes(cluster, item);
    if (!nodes) return nodes.error();
    for (const NodeId id : *nodes) {
      const Node& node = cluster.node(id);
      if (wanted.partition.valid() && node.partition != wanted.partition) continue;
      if (!std::includes(node.features.begin(), node.features.end(), wanted.features.begin(),
                         wanted.features.end()))
        continue;
      if (listed[id.index()]) continue;
      listed[id.index()] = true;
      placement.push_back({id, 1, 0});
    }
  }
  if (placement.empty())
    return Error{
        fmt::format("no node of '{}' has the features and the partition asked for", expression)};
  return placement;
}

/// TASKS==N and TASKS>=N take only what nobody else has a claim to (guide G).
Result<Placement> by_count(const Context& context, const std::string& expression,
                           const Reservation& r, const Wanted& wanted) {
  const auto count = parse_integer<int>(trimmed(std::string_view(expression).substr(7)));
  if (!count || *count <= 0)
    return Error{fmt::format("expected a number of tasks above zero in '{}'", expression)};
  Requirement requirement;
  requirement.tasks = *count;
  requirement.per_task = r.per_task;
  requirement.features = wanted.features;
  return select_for_reservation(context.cluster(), context.settings(), context.now(), requirement,
                                wanted.partition, r.start, r.end);
}

Result<std::uint16_t> flags_asked(const Context& context) {
  std::uint16_t flags = 0;
  std::string text = context.value("x");
  std::replace(text.begin(), text.end(), ',', ':');
  for (const auto word : split(text, ':')) {
    if (word.empty()) continue;
    const auto flag =
        value_of(std::span<const EnumName<ReservationFlag>>(kReservationFlagNames), word);
    if (!flag) return Error{fmt::format("-x: '{}' is no reservation flag", word)};
    put(flags, *flag);
  }
  return flags;
}

bool may_reserve(const Context& context) {
  return is_admin(context, 2) || context.settings().reservation_control == ReservationControl::any;
}

}  // namespace

Answer setres(const Context& context) {
  if (!may_reserve(context))
    return Error{
        fmt::format("user {} is not authorized to create reservations (it is for ADMIN1 and "
                    "ADMIN2, and for all users where RESCTLPOLICY is ANY)",
                    context.request.user)};
  Reservation r;
  r.owner = context.request.user;
  r.charge_account = context.value("A");
  const auto flags = flags_asked(context);
  if (!flags) return flags.error();
  r.flags = *flags;
  r.host_expression = context.request.operands.front();
  const auto frame = time_frame(context);
  if (!frame) return frame.error();
  r.start = frame->start;
  r.end = frame->end;
  const auto each = task_resources(context);
  if (!each) return each.error();
  r.per_task = *each;
  Wanted wanted;
  const auto partition = partition_named(context, context.value("p"));
  if (!partition) return partition.error();
  wanted.partition = *partition;
  const auto features = features_asked(context);
  if (!features) return features.error();
  wanted.features = *features;

  const std::string& expression = r.host_expression;
  const std::string start = upper(expression.substr(0, 7));
  auto nodes = start == "TASKS==" || start == "TASKS>="
                   ? by_count(context, expression, r, wanted)
                   : by_expression(context, expression, wanted);
  if (!nodes) return nodes.error();
  r.nodes = std::move(*nodes);
  const std::string first = set_access_list(context, r);
  r.name = numbered(context.cluster(), context.value("n", first));

  if (context.has("dry-run")) {
    ReservationCreatedReply reply{r.name, raw(r.start), raw(r.end), 0,
                                  shares_of(context.cluster(), r.nodes)};
    for (const auto& share : reply.nodes) reply.tasks += share.tasks;
    reply.dry_run = dry_run(context, [&](Cluster& trial) { trial.add_reservation(std::move(r)); });
    return Reply(std::move(reply));
  }
  const auto id = context.engine.add_reservation(std::move(r));
  if (!id) return id.error();
  const Cluster& cluster = context.cluster();
  const Reservation& made = cluster.reservation(*id);
  ReservationCreatedReply reply{made.name, raw(made.start), raw(made.end), 0,
                                shares_of(cluster, made.nodes)};
  for (const auto& share : reply.nodes) reply.tasks += share.tasks;
  return Reply(std::move(reply));
}

namespace {

bool may_release(const Context& context, const Reservation& r) {
  if (is_admin(context, 2)) return true;
  return r.kind == ReservationKind::job ? owns(context, context.cluster().job(r.job))
                                        : r.owner == context.request.user;
}

ReleasedReservation release(const Context& context, const std::string& name) {
  const Cluster& cluster = context.cluster();
  ReleasedReservation result{name, "User", false, {}};
  const auto refuse = [&](std::string reason) {
    result.reason = std::move(reason);
    return result;
  };
  const ReservationId id = cluster.find_reservation(name);
  if (!id.valid()) {
    if (const JobId job = cluster.find_job(name); job.valid() && cluster.job(job).active())
      return refuse(
          fmt::format("the reservation of job '{}' ends with the job, which is active", name));
    return refuse(fmt::format("cannot locate reservation '{}'", name));
  }
  const Reservation& r = cluster.reservation(id);
  const bool of_job = r.kind == ReservationKind::job;
  if (of_job) result.type = "Job";
  if (!may_release(context, r))
    return refuse(fmt::format("user {} is not authorized to release reservation '{}'",
                              context.request.user, name));
  if (context.has("dry-run")) {
    result.done = true;
    return result;
  }
  if (const Status done = context.engine.release_reservation(id); !done)
    return refuse(done.error().what);
  result.done = true;
  return result;
}

/// The names given; "x:EXPRESSION" stands for those of all reservations that it matches and the
/// user may release.
Result<std::vector<std::string>> names_asked(const Context& context) {
  const Cluster& cluster = context.cluster();
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const auto& operand : context.request.operands) {
    if (!operand.starts_with("x:")) {
      add(operand);
      continue;
    }
    const auto pattern = NamePattern::of(std::string_view(operand).substr(2));
    if (!pattern) return Error{"x: " + pattern.error().what};
    bool any = false;
    for (const ReservationId id : cluster.reservations()) {
      const Reservation& r = cluster.reservation(id);
      if (!may_release(context, r) || !pattern->in(r.name)) continue;
      any = true;
      add(r.name);
    }
    if (!any) return Error{fmt::format("no reservation of yours matches '{}'", operand)};
  }
  return names;
}

}  // namespace

Answer releaseres(const Context& context) {
  ReservationsReleasedReply reply;
  std::vector<std::string> reasons;
  const auto names = names_asked(context);
  if (!names) return names.error();
  for (const auto& name : *names) {
    reply.reservations.push_back(release(context, name));
    if (!reply.reservations.back().done) reasons.push_back(reply.reservations.back().reason);
  }
  if (reasons.size() == reply.reservations.size()) return Error{join(reasons, "\n")};
  if (context.has("dry-run"))
    reply.dry_run = dry_run(context, [&](Cluster& trial) {
      for (const auto& one : reply.reservations)
        if (one.done) trial.release_reservation(trial.find_reservation(one.name));
    });
  return Reply(std::move(reply));
}

}  // namespace maui
