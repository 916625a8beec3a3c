#include "engine/reports/entitle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/sorted.h"
#include "engine/reports/in_use.h"
#include "model/partition_names.h"
#include "sched/reservations/access.h"
#include "sched/rules/job_flags.h"

namespace maui {
namespace {

constexpr std::string_view kNoQosAccess = "no QOS access";
constexpr std::string_view kNoPartitionAccess = "no partition access";
constexpr std::string_view kNoNodeSet = "no node set";
constexpr std::string_view kViolation = "policy violation";

// EXACTNODE: exactly the requested number of nodes, with tasks spread evenly.  EXACTPROC: nodes
// with exactly the processors that the job uses on each.  Replaces the effects of earlier policies.
void match_nodes(Requirement& requirement, const Settings& settings) {
  const bool one_count =
      requirement.least_nodes == 0 || requirement.least_nodes == requirement.nodes;
  requirement.exact_nodes = settings.exact_node && requirement.tasks_per_node == 0 &&
                            requirement.nodes > 0 && requirement.nodes <= requirement.tasks &&
                            one_count;
  requirement.procs = {};
  if (!settings.exact_proc) return;
  int tasks = requirement.tasks_per_node;
  if (tasks == 0)
    tasks = requirement.nodes > 0 && requirement.tasks % requirement.nodes == 0
                ? requirement.tasks / requirement.nodes
                : 1;
  const auto procs = std::int64_t{tasks} * requirement.per_task.procs();
  constexpr std::int64_t kMost = std::numeric_limits<Resources::Quantity>::max();
  requirement.procs = {Comparison::equal, static_cast<Resources::Quantity>(std::min(procs, kMost))};
}

void entitle_to_qos(const Job& job, const AccessRules& rules, Cluster& names, Entitled& out) {
  if (job.qos_set) {
    out.qos = job.credentials.qos;
    return;
  }
  const bool may =
      !job.qos_requested.empty() && rules.may_use_qos(job.credentials, job.qos_requested);
  out.qos = names.qos.intern(may ? *job.qos_requested : rules.default_qos(job.credentials));
  if (!may && !job.qos_requested.empty())
    out.refused = fmt::format("{}: QOS '{}' is in no QLIST or QDEF of the job's credentials",
                              kNoQosAccess, *job.qos_requested);
}

// Returns the partitions of the job's own request, or else those of its queue.
const std::vector<PartitionId>& partitions_wanted(const Job& job, const Cluster& cluster) {
  static const std::vector<PartitionId> kAny;
  if (!job.partitions_asked.empty()) return job.partitions_asked;
  return partitions_in_use(cluster) ? job.partitions_reported : kAny;
}

void entitle_to_partitions(const Job& job, const Credentials& who, const AccessRules& rules,
                           Cluster& names, Entitled& out) {
  const auto access = rules.partitions(who);
  const auto& wanted = partitions_wanted(job, names);
  Request& request = out.request;
  request.partitions.clear();
  for (const std::string& name : access.names)
    add_sorted(request.partitions, names.partitions.intern(name));
  if (access.all) {
    request.partitions = wanted;
  } else if (!wanted.empty()) {
    std::vector<PartitionId> both;
    std::set_intersection(request.partitions.begin(), request.partitions.end(), wanted.begin(),
                          wanted.end(), std::back_inserter(both));
    request.partitions = std::move(both);
  }
  const auto& mine = request.partitions;
  const PartitionId first = names.partitions.find(access.first);
  const bool usable = mine.empty() || std::binary_search(mine.begin(), mine.end(), first);
  request.first_partition = usable ? first : PartitionId();
  if (access.all || !mine.empty()) return;
  request.partitions = {PartitionId()};  // no node, even if the hold is released; empty means any
  if (!out.refused.empty()) return;
  out.refused = wanted.empty()
                    ? fmt::format("{}: no PLIST grants the job a partition", kNoPartitionAccess)
                    : fmt::format("{}: partition {} is in no PLIST of the job's credentials",
                                  kNoPartitionAccess, partition_names(names, wanted));
}

// Applies the job's own node set, or else that of the NODESET parameters.
void entitle_to_node_set(const Job& job, const NodeParameters& node, Entitled& out) {
  NodeSet set = node.set;
  if (node.set_attribute) set.attribute = *node.set_attribute;
  if (node.set_policy) set.policy = *node.set_policy;
  out.request.node_set.reset();
  if (job.node_set.empty() || job.node_set == "[NONE]") {
    if (node.set_policy && node.set_attribute) out.request.node_set = std::move(set);
    return;
  }
  if (!node.set_attribute) set.list.clear();
  if (job.node_set_binds) set.delay = kUnlimited;
  auto own = parse_node_set(job.node_set, std::move(set));
  if (own)
    out.request.node_set = std::move(own).value();
  else if (out.refused.empty())
    out.refused = fmt::format("{}: {}", kNoNodeSet, own.error().what);
}

// A job may ask for less than `policy`, NODEACCESSPOLICY.  DEDICATED, of the job or its QOS, makes
// nothing less strict.
JobAccess access_of(const Job& job, bool dedicated, NodeAccess policy) {
  const NodeAccess least = dedicated ? NodeAccess::dedicated : NodeAccess::shared;
  return {stricter(job.access_asked.value_or(policy), least),
          stricter(job.access_asked.value_or(NodeAccess::shared), least)};
}

void entitle_to_shape(const Job& job, const JobSettings& jobs, Entitled& out) {
  const auto& all = out.request.requirements;
  const auto refuse = [&](std::string_view what, std::string_view parameter) {
    if (out.refused.empty())
      out.refused =
          fmt::format("{}: the job asks for {}, and {} is FALSE", kViolation, what, parameter);
  };
  if (!jobs.multi_requirement && all.size() > 1 && !job.kinds_accepted)
    refuse("several kinds of nodes", "ENABLEMULTIREQJOBS");
  const bool spans = all.size() > 1 || all.front().nodes > 1 || all.front().least_nodes > 1;
  if (!jobs.multi_node && spans) refuse("several nodes", "ENABLEMULTINODEJOBS");
}

void entitle_to_features(const CredentialTable& qos, Cluster& names, Entitled& out) {
  out.request.qos_features.clear();
  const auto& name = names.qos[out.qos];
  auto at = qos.find(name);
  if (at == qos.end()) at = qos.find("DEFAULT");
  if (at == qos.end()) return;
  for (const std::string& feature : at->second.features)
    add_sorted(out.request.qos_features, names.features.intern(feature));
}

}  // namespace

Entitled entitle(const Job& job, Request request, const Settings& settings, Cluster& names) {
  const AccessRules rules(names, settings);
  Entitled out{{}, std::move(request), {}};
  entitle_to_qos(job, rules, names, out);
  Credentials who = job.credentials;
  who.qos = out.qos;
  entitle_to_partitions(job, who, rules, names, out);
  const auto flags = rules.granted_flags(who) | own_flags(job.flags);
  out.request.span = has(flags, JobFlag::span);
  out.request.access = access_of(job, has(flags, JobFlag::dedicated), settings.node_access);
  for (Requirement& requirement : out.request.requirements) match_nodes(requirement, settings);
  out.request.by_speed = settings.node.machine_speed;
  entitle_to_node_set(job, settings.node, out);
  entitle_to_shape(job, settings.jobs, out);
  entitle_to_features(settings.qos, names, out);
  return out;
}

HoldReason refusal(std::string refused) {
  if (refused.empty()) return {};
  return {std::move(refused), HoldCause::refused};
}

}  // namespace maui
