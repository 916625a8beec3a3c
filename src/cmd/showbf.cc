// showbf: the backfill windows that are open now, by user and request.
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "base/date.h"
#include "base/duration.h"
#include "base/state_names.h"
#include "base/text.h"
#include "cmd/facts/reply_values.h"
#include "cmd/operands.h"

namespace maui {
namespace {

constexpr auto kMostAmount = std::numeric_limits<Resources::Quantity>::max();

/// Parses "[CMP]MEMORY" in MB; without a comparison, "at least".
Result<Bound> memory_bound(std::string_view text) {
  constexpr std::pair<std::string_view, Comparison> kSigns[] = {
      {">=", Comparison::at_least}, {"<=", Comparison::at_most}, {"==", Comparison::equal},
      {">", Comparison::more},      {"<", Comparison::less},     {"=", Comparison::equal},
  };
  Bound bound{Comparison::at_least, 0};
  std::string_view number = text;
  for (const auto& [sign, compare] : kSigns) {
    if (!text.starts_with(sign)) continue;
    bound.compare = compare;
    number = trimmed(text.substr(sign.size()));
    break;
  }
  const auto amount = parse_integer<Resources::Quantity>(number);
  if (!amount || *amount < 0)
    return Error{fmt::format("-m: invalid value '{}': expected [>=|>|==|<=|<]MEGABYTES up to {}",
                             text, kMostAmount)};
  bound.amount = *amount;
  return bound;
}

Result<int> count(const Context& context, std::string_view flag) {
  if (!context.has(flag)) return 0;
  const auto number = parse_integer<int>(context.value(flag));
  if (!number || *number <= 0)
    return Error{fmt::format("-{}: invalid value '{}': expected a number from 1 to {}", flag,
                             context.value(flag), std::numeric_limits<int>::max())};
  return *number;
}

template <class IdType>
Status known(const Names<IdType>& names, const Context& context, std::string_view flag,
             std::string_view what, IdType& into) {
  if (!context.has(flag)) return Done{};
  into = names.find(context.value(flag));
  if (!into.valid())
    return Error{fmt::format("-{}: unknown {} '{}'", flag, what, context.value(flag))};
  return Done{};
}

/// Sets the credentials; those that no job has yet are treated like any that no access list names.
/// The job may have any credential of a kind that is not named (guide G).
Status fill_who(const Context& context, WindowQuery& query) {
  const Cluster& cluster = context.cluster();
  Credentials& who = query.who;
  if (!context.has("a")) query.any.push_back(CredentialKind::account);
  if (!context.has("c")) query.any.push_back(CredentialKind::job_class);
  if (!context.has("q")) query.any.push_back(CredentialKind::qos);
  who.user = cluster.users.find(context.value("u", context.request.user));
  who.group = cluster.groups.find(context.value("g", context.request.group));
  who.account = cluster.accounts.find(context.value("a"));
  if (auto ok = known(cluster.classes, context, "c", "class", who.job_class); !ok) return ok;
  if (context.settings().qos.contains(context.value("q"))) {
    who.qos = cluster.qos.find(context.value("q"));
    return Done{};
  }
  return known(cluster.qos, context, "q", "QOS", who.qos);
}

Status fill_requirement(const Context& context, WindowQuery& query) {
  const Cluster& cluster = context.cluster();
  query.requirement.job_class = query.who.job_class;
  if (context.has("m")) {
    const auto bound = memory_bound(context.value("m"));
    if (!bound) return bound.error();
    query.requirement.memory = *bound;
  }
  if (context.has("M")) {
    const auto memory = parse_integer<Resources::Quantity>(context.value("M"));
    if (!memory || *memory < 0)
      return Error{fmt::format("-M: invalid value '{}': expected megabytes from 0 to {}",
                               context.value("M"), kMostAmount)};
    query.requirement.per_task = Resources(1, *memory);
  }
  if (context.has("f")) {
    auto features = features_named(cluster, context.value("f"));
    if (!features) return Error{"-f: " + features.error().what};
    query.requirement.features = *std::move(features);
  }
  if (context.has("d")) {
    const auto duration = parse_duration_ahead(context.value("d"), context.now());
    if (!duration) return Error{"-d: " + duration.error().what};
    query.at_least = *duration;
  }
  return Done{};
}

bool several_have_nodes(const Cluster& cluster) {
  std::optional<PartitionId> first;
  for (const Node& node : cluster.nodes()) {
    if (node.purged) continue;
    if (!first) first = node.partition;
    if (node.partition != *first) return true;
  }
  return false;
}

WindowNodeRow node_row(const Cluster& cluster, const WindowNode& node) {
  return {cluster.node(node.node).name,
          std::string(state_name(cluster.state(node.node))),
          std::string(reason_words(node.reason)),
          node.blocked_by.valid() ? cluster.reservation(node.blocked_by).name : "",
          node.procs,
          raw(node.duration),
          node.free.memory(),
          node.free.disk(),
          node.free.swap()};
}

}  // namespace

Answer showbf(const Context& context) {
  const Cluster& cluster = context.cluster();
  WindowQuery query;
  query.everything = context.has("A");
  const auto partition = partition_named(context, context.value("p"));
  if (!partition) return partition.error();
  query.partition = *partition;
  if (auto ok = fill_who(context, query); !ok) return ok.error();
  if (auto ok = fill_requirement(context, query); !ok) return ok.error();
  const auto procs = count(context, "r"), nodes = count(context, "n");
  if (!procs) return procs.error();
  if (!nodes) return nodes.error();

  WindowsReply reply;
  reply.now = context.now().raw();
  reply.user = query.everything ? "[ALL]" : context.value("u", context.request.user);
  reply.group = query.everything ? "[ALL]" : context.value("g", context.request.group);
  reply.partition = partition->valid() ? cluster.partitions[*partition] : "ALL";
  reply.verbose = context.has("v");
  Questions questions(cluster, context.settings(), context.now());
  for (const auto& w : questions.backfill_windows(query))
    if (w.procs >= *procs && w.nodes >= *nodes && w.procs > 0)
      reply.windows.push_back({cluster.partitions[w.partition], w.procs, w.nodes, raw(w.duration)});
  reply.by_node = context.has("S");
  reply.several_partitions = several_have_nodes(cluster);
  if (reply.verbose || reply.by_node)
    for (const auto& node : questions.window_nodes(query))
      reply.nodes.push_back(node_row(cluster, node));
  return Reply(std::move(reply));
}

}  // namespace maui
