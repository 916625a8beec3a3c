// setres: administrative reservations (guide 7.1.1, G).
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include "base/date.h"
#include "base/host_range.h"
#include "base/name_pattern.h"
#include "base/percent.h"
#include "base/reservation_flag_names.h"
#include "base/text.h"
#include "cmd/access.h"
#include "cmd/facts/job_facts.h"
#include "cmd/facts/node_facts.h"
#include "cmd/facts/reply_values.h"
#include "cmd/facts/reservation_conflicts.h"
#include "cmd/facts/time_frame.h"
#include "cmd/operands.h"
#include "cmd/reservation_bounds.h"
#include "cmd/setres_lists.h"
#include "model/placement.h"
#include "sched/reservations/host_expression.h"
#include "sched/reservations/reservation_fit.h"

namespace maui {
namespace {

/// Returns the name with '_' for each byte that no word has, since lists would escape it.
std::string as_word(std::string_view name) {
  auto word = percent_escaped(name);
  for (auto at = word.find('%'); at != word.npos; at = word.find('%', at)) word.replace(at, 3, "_");
  return word;
}

/// Returns the name of the reservation without its number.
Result<std::string> base_name(const Context& context, const ListsAsked& lists) {
  auto name = context.value("n", as_word(lists.first_name()));
  const bool one_word = std::all_of(name.begin(), name.end(),
                                    [](char c) { return static_cast<unsigned char>(c) > ' '; });
  if (name.empty() || !one_word || name.starts_with("x:"))
    return Error{
        fmt::format("invalid reservation name '{}': expected a word without blanks that "
                    "does not begin with x:",
                    name)};
  return name;
}

/// Returns NAME.k with the first free k.
std::string numbered(const Cluster& cluster, const std::string& base) {
  for (int k = 0;; ++k) {
    std::string name = fmt::format("{}.{}", base, k);
    if (!cluster.find_reservation(name).valid() && !cluster.find_job(name).valid()) return name;
  }
}

constexpr std::pair<std::string_view, ConsumableId> kTaskResources[] = {
    {"PROCS", kProcs}, {"MEM", kMemory}, {"SWAP", kSwap}, {"DISK", kDisk}};

/// Parses "PROCS=1:MEM=512", or release 3.3's "PROCS:1;MEM:512".  Default: all of the node.
Result<Resources> task_resources(const Context& context) {
  if (!context.has("r")) return Resources(-1);
  std::string text = context.value("r");
  for (char& c : text)
    if (c == '=' || c == ';' || c == ',') c = ':';
  std::vector<std::string_view> parts;
  for (const auto part : split(text, ':'))
    if (!trimmed(part).empty()) parts.push_back(trimmed(part));
  Resources each(0);
  for (std::size_t i = 0; i < parts.size(); i += 2) {
    const auto* const row =
        std::find_if(std::begin(kTaskResources), std::end(kTaskResources),
                     [&](const auto& name) { return same_word(name.first, parts[i]); });
    const auto amount =
        i + 1 < parts.size() ? parse_integer<Resources::Quantity>(parts[i + 1]) : std::nullopt;
    const bool whole = amount == -1 && row != std::end(kTaskResources) && row->second == kProcs;
    if (row == std::end(kTaskResources) || !amount || (*amount < 0 && !whole))
      return Error{
          fmt::format("-r: expected PROCS, MEM, SWAP or DISK and an amount for each, as in "
                      "PROCS=1:MEM=512, up to {}, not '{}'",
                      std::numeric_limits<Resources::Quantity>::max(), context.value("r"))};
    if (whole) return Resources(-1);
    each.set(row->second, *amount);
  }
  if (each.zero()) return Error{"-r: expected at least one resource above zero"};
  return each;
}

Result<std::vector<FeatureId>> features_asked(const Context& context) {
  if (!context.has("f")) return std::vector<FeatureId>{};
  auto features = features_named(context.cluster(), context.value("f"));
  if (!features) return Error{"-f: " + features.error().what};
  return features;
}

/// True if the brackets are those of a list of hosts, n[1-3,5]; [12] is the one or the other digit.
bool has_range(std::string_view expression) {
  for (auto open = expression.find('['); open != expression.npos;
       open = expression.find('[', open + 1)) {
    const auto inside = expression.substr(open + 1, expression.find(']', open) - open - 1);
    if (inside.find_first_of("-,") != inside.npos) return true;
  }
  return false;
}

/// Returns the nodes of an expression: host names, ranges, or else a regular expression over names.
/// Reduces the remaining numbers of regular expressions (`left`) and hosts (`hosts_left`), and adds
/// the names in ranges that no node has.
Result<std::vector<NodeId>> expressed_nodes(const Cluster& cluster, const std::string& expression,
                                            std::size_t& left, std::uint64_t& hosts_left,
                                            std::vector<std::string>& unknown) {
  std::vector<NodeId> nodes;
  const bool all = stands_for_all_nodes(cluster, expression);
  const std::uint64_t count = all ? cluster.nodes().size() : count_hosts(expression);
  if (count > hosts_left)
    return Error{
        count > cluster.nodes().size()
            ? fmt::format("'{}' expands to {} hosts, which is more than exist", expression, count)
            : fmt::format("'{}': with it, more hosts are listed than exist", expression)};
  hosts_left -= count;
  if (all) {
    for (const Node& node : listed_nodes(cluster)) nodes.push_back(node.id);
    if (nodes.empty()) return Error{"no nodes are known"};
    return nodes;
  }
  const auto names = expand_hosts(expression);
  if (names && (has_range(expression) || names->front() == expression)) {
    std::vector<std::string> others;
    for (const auto& name : *names)
      if (const NodeId id = cluster.find_node(name); id.valid() && !cluster.node(id).purged)
        nodes.push_back(id);
      else
        others.push_back(name);
    if (!nodes.empty()) {
      unknown.insert(unknown.end(), others.begin(), others.end());
      return nodes;
    }
  }
  if (left-- == 0)
    return Error{fmt::format("more than {} regular expressions in one command", kMostExpressions)};
  const auto pattern = NamePattern::of(expression);
  if (!pattern)
    return Error{
        fmt::format("expected ALL, TASKS==N, TASKS>=N, a list of hosts or a regular "
                    "expression: {}",
                    pattern.error().what)};
  for (const Node& node : listed_nodes(cluster))
    if (pattern->in(node.name)) nodes.push_back(node.id);
  if (nodes.empty())
    return Error{fmt::format("no matches found for node expression '{}'{}", expression,
                             expression.starts_with("TASKS") ? " (did you mean TASKS==N?)" : "")};
  return nodes;
}

struct WantedNodes {
  PartitionId partition;
  std::vector<FeatureId> features;
};

/// Places the reservation; ALL and host expressions apply despite other reservations (guide G).
Result<Placement> by_expression(const Context& context, const std::string& expression,
                                const WantedNodes& wanted, std::vector<std::string>& unknown) {
  const Cluster& cluster = context.cluster();
  Placement placement;
  std::vector<bool> listed(cluster.nodes().size(), false);
  std::size_t expressions_left = kMostExpressions;
  std::uint64_t hosts_left = most_hosts(cluster);
  for (const auto& item : split_hosts(expression)) {
    const auto nodes = expressed_nodes(cluster, item, expressions_left, hosts_left, unknown);
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
        fmt::format("no node of '{}' has the requested features and partition", expression)};
  return placement;
}

/// Returns a note about the nodes that have less than a task asks for; empty if there are none.
std::string note_on_small_nodes(const Cluster& cluster, const Reservation& r) {
  std::vector<std::string> small;
  std::string lacks;
  for (const auto& [name, resource] : kTaskResources) {
    const auto asked = r.per_task.get(resource);
    auto least = asked;
    for (const NodeTasks& share : r.nodes)
      least = std::min(least, cluster.node(share.node).configured.get(resource));
    if (least < asked)
      lacks += fmt::format("{}{} {} of {}", lacks.empty() ? "" : ", ", name, least, asked);
  }
  if (lacks.empty()) return {};
  for (const NodeTasks& share : r.nodes)
    if (const Node& node = cluster.node(share.node); node.configured.tasks_of(r.per_task) < 1)
      small.push_back(node.name);
  return fmt::format("{} {} less than a task asks for ({}{}): all that is there is reserved",
                     join(compress_hosts(small), ","), by_number(small.size(), "has", "have"),
                     small.size() > 1 ? "down to " : "", lacks);
}

/// Notes what the reservation has instead of what was asked for: its start, or fewer tasks.
void note_changes(const Reservation& r, Time asked, Time now, std::vector<std::string>& notes) {
  if (r.start != asked)
    notes.push_back(asked < now && r.start == now
                        ? fmt::format("the start {} lies in the past: the reservation begins now",
                                      format_date(asked, true))
                        : fmt::format("the reservation begins {} instead of {}",
                                      format_date(r.start, true), format_date(asked, true)));
  const auto missing = r.tasks_wanted - task_count(r.nodes);
  if (missing > 0)
    notes.push_back(fmt::format("{} of {} {} missing: the reservation grows when there is more",
                                missing, counted(r.tasks_wanted, "task"),
                                by_number(static_cast<std::size_t>(missing), "is", "are")));
}

/// True if a flag lets the scheduler choose nodes or times other than those free at the start.
bool chooses(const Reservation& r) {
  return has(r.flags, ReservationFlag::force) || has(r.flags, ReservationFlag::best_effort) ||
         has(r.flags, ReservationFlag::time_flex) || has(r.flags, ReservationFlag::slide_forward);
}

/// Returns the reservation as it would be if it admitted nobody.
Reservation for_nobody(Reservation r) {
  r.access = {};
  r.flags = 0;
  return r;
}

/// TASKS==N and TASKS>=N use only resources without other claims (guide G).
Status place_by_count(const Context& context, Reservation& r, const WantedNodes& wanted) {
  const std::string& expression = r.host_expression;
  const auto count = parse_integer<int>(trimmed(std::string_view(expression).substr(7)));
  if (!count || *count <= 0)
    return Error{fmt::format("expected a number of tasks from 1 to {} in '{}'",
                             std::numeric_limits<int>::max(), expression)};
  r.tasks_wanted = *count;
  r.partition = wanted.partition;
  r.features = wanted.features;
  if (chooses(r)) {
    Reservation there = fitted(context.cluster(), context.settings(), r, nullptr, context.now());
    const bool enough = has(r.flags, ReservationFlag::best_effort)
                            ? !there.nodes.empty()
                            : task_count(there.nodes) >= r.tasks_wanted;
    if (enough) {
      r = std::move(there);
      return Done{};
    }
  }
  // Nobody may use the nodes for all of its time, not even those whom it admits.
  const Reservation alone = for_nobody(r);
  auto nodes = fitted(context.cluster(), context.settings(), alone, nullptr, context.now()).nodes;
  const auto free = task_count(nodes);
  if (free < r.tasks_wanted) {
    // Conflicts are no reason if there would be too little without them, too.
    std::string why = too_many_for_cluster(context, alone);
    if (why.empty())
      if (const auto way = in_the_way(context, alone); !way.empty())
        why = "conflicts: " + join(way, "; ");
    return Error{fmt::format(
        "cannot select {} for the reservation{}: {} {} free for its whole duration{}{}",
        counted(r.tasks_wanted, "task"),
        r.per_task.procs() < 0 ? " (each is a whole node; -r PROCS=1 asks for processors)" : "",
        free, by_number(free, "is", "are"), why.empty() ? "" : "; ", why)};
  }
  r.nodes = std::move(nodes);
  return Done{};
}

Result<std::uint16_t> flags_asked(const Context& context) {
  std::uint16_t flags = 0;
  std::string text = context.value("x");
  std::replace(text.begin(), text.end(), ',', ':');
  for (const auto word : split(text, ':')) {
    if (word.empty()) continue;
    const auto flag =
        value_of(std::span<const EnumName<ReservationFlag>>(kReservationFlagNames), word);
    if (!flag) return Error{fmt::format("-x: unknown reservation flag '{}'", word)};
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
        fmt::format("user {} is not authorized to create reservations (requires ADMIN1 or "
                    "ADMIN2, or RESCTLPOLICY ANY)",
                    context.request.user)};
  Reservation r;
  const auto charge = charge_asked(context);
  if (!charge) return charge.error();
  r.charge_account = *charge;
  const auto flags = flags_asked(context);
  if (!flags) return flags.error();
  r.flags = *flags;
  auto owner = owner_asked(context, r.flags);
  if (!owner) return owner.error();
  r.owner = *std::move(owner);
  r.host_expression = context.request.operands.front();
  const auto frame = time_frame(context);
  if (!frame) return frame.error();
  r.end = frame->end;
  r.start = r.end > context.now() ? std::max(frame->start, context.now()) : frame->start;
  const auto each = task_resources(context);
  if (!each) return each.error();
  r.per_task = *each;
  WantedNodes wanted;
  const auto partition = partition_named(context, context.value("p"));
  if (!partition) return partition.error();
  wanted.partition = *partition;
  const auto features = features_asked(context);
  const auto sought = [&](const Error& why) { return Error{why.what + not_reported_yet(context)}; };
  if (!features) return sought(features.error());
  wanted.features = *features;

  const auto lists = ListsAsked::read(context);
  if (!lists) return lists.error();
  const auto base = base_name(context, *lists);
  if (!base) return base.error();
  r.name = numbered(context.cluster(), *base);
  r.access = lists->access(context.cluster());
  std::vector<std::string> unknown;  // hosts
  const std::string start = upper(r.host_expression.substr(0, 7));
  if (start == "TASKS==" || start == "TASKS>=") {
    if (const auto placed = place_by_count(context, r, wanted); !placed)
      return sought(placed.error());
  } else {
    auto nodes = by_expression(context, r.host_expression, wanted, unknown);
    if (!nodes) return sought(nodes.error());
    r.nodes = std::move(*nodes);
  }

  r.made_by = maker_of(context, r);
  if (const auto fits = check_bounds(context, r, lists->size()); !fits) return fits.error();
  r.access = lists->access(context.engine.names());
  ReservationCreatedReply reply{r.name, raw(r.start), raw(r.end), task_count(r.nodes),
                                shares_of(context.cluster(), r.nodes)};
  reply.conflicts = conflicts_of(context, r);
  note_changes(r, frame->start, context.now(), reply.notes);
  if (auto note = note_on_small_nodes(context.cluster(), r); !note.empty())
    reply.notes.push_back(std::move(note));
  for (const auto& hosts : compress_hosts(unknown))
    reply.notes.push_back("no node is named " + hosts);
  if (const auto made = context.engine.add_reservation(std::move(r)); !made) return made.error();
  return Reply(std::move(reply));
}

}  // namespace maui
