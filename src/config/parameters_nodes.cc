// Nodes: which jobs may share them, which are allocated first, and how their state is determined
// (guide 5.2, 8.3, 10, 12).
#include "base/node_set_names.h"
#include "config/apply.h"
#include "config/names.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

constexpr EnumName<NodeAllocation> kAllocation[] = {
    {NodeAllocation::first_available, "FIRSTAVAILABLE"},
    {NodeAllocation::last_available, "LASTAVAILABLE"},
    {NodeAllocation::min_resource, "MINRESOURCE"},
    {NodeAllocation::cpu_load, "CPULOAD"},
    {NodeAllocation::machine_prio, "MACHINEPRIO"},
    {NodeAllocation::machine_prio, "PRIORITY"},
    {NodeAllocation::local, "LOCAL"},
    {NodeAllocation::contiguous, "CONTIGUOUS"},
    {NodeAllocation::max_balance, "MAXBALANCE"},
    {NodeAllocation::fastest, "FASTEST"}};

constexpr EnumName<NodeLoadPolicy> kLoadPolicies[] = {
    {NodeLoadPolicy::adjust_state, "ADJUSTSTATE"}, {NodeLoadPolicy::adjust_procs, "ADJUSTPROCS"}};

constexpr EnumName<Availability> kAvailability[] = {{Availability::combined, "COMBINED"},
                                                    {Availability::dedicated, "DEDICATED"},
                                                    {Availability::utilised, "UTILIZED"}};

constexpr std::array<std::string_view, 4> kAvailable{"PROC", "MEM", "SWAP", "DISK"};

// A policy without a resource applies to all resources, except those with a policy of their own.
void set_availability(Settings& settings, const std::string&, const Words& value) {
  auto& policies = settings.node.availability;
  policies = {};
  for (const bool of_one : {false, true})
    for (const auto& word : value) {
      const auto parts = split(word, ':');
      const auto policy =
          value_of(std::span<const EnumName<Availability>>(kAvailability), parts[0]);
      if (!policy || (parts.size() > 1) != of_one) continue;
      for (std::size_t i = 0; i < policies.size(); ++i)
        if (!of_one || same_word(parts[1], kAvailable[i])) policies[i] = *policy;
    }
}

// [NONE] removes the policy or attribute.
template <class E, std::size_t N, class Get>
auto into_choice(const EnumName<E> (&table)[N], Get get) {
  return [&table, get](Settings& settings, const std::string&, const Words& value) {
    get(settings) =
        value.empty() ? std::nullopt : value_of(std::span<const EnumName<E>>(table), value.front());
  };
}

// Parses POLICY[:RESOURCE].
Result<std::string> availability(std::string_view word) {
  const auto parts = split(word, ':');
  auto policy = choice("COMBINED DEDICATED UTILIZED").canonical({std::string(parts[0])});
  if (!policy) return policy.error();
  if (parts.size() == 1) return policy->front();
  if (parts.size() > 2) return Error{"more than one resource"};
  if (same_word(parts[1], "[DEFAULT]")) return policy->front();  // as showconfig of 3.3 writes it
  auto resource = choice("PROC|PROCS MEM SWAP DISK").canonical({std::string(parts[1])});
  if (!resource) return resource.error();
  return policy->front() + ":" + resource->front();
}

ValueType availability_policy() {
  return {"COMBINED, DEDICATED or UTILIZED, each alone or with :PROC, :MEM, :SWAP or :DISK",
          [](const Words& words) -> Result<Words> {
            Words out;
            for (const auto& word : words) {
              auto canonical = availability(word);
              if (!canonical) return canonical.error();
              out.push_back(std::move(canonical).value());
            }
            if (out.empty()) return Error{"no value"};
            return out;
          }};
}

std::vector<Parameter> node_set_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"NODESETPOLICY", "", none, or_none(choice(kNodeSetPolicies)), "[NONE]", at_runtime,
       Landed::yes, "How jobs are kept within sets of similar nodes.",
       into_choice(
           kNodeSetPolicies, [](Settings & s) -> auto& { return s.node.set_policy; })},
      {"NODESETATTRIBUTE", "", none, or_none(choice(kNodeSetAttributes)), "[NONE]", at_runtime,
       Landed::yes, "Attribute that the nodes of a set have in common.",
       into_choice(
           kNodeSetAttributes, [](Settings & s) -> auto& { return s.node.set_attribute; })},
      {"NODESETLIST", "", none, list("values of the attribute", " ,:"), "[NONE]", at_runtime,
       Landed::yes, "Which sets are considered, in this order.",
       into([](Settings & s) -> auto& { return s.node.set.list; })},
      {"NODESETDELAY", "", none, duration(), "0:00:00", at_runtime, Landed::yes,
       "How long a job waits for a node set while nodes outside node sets are idle.",
       into([](Settings & s) -> auto& { return s.node.set.delay; })},
      {"NODESETPRIORITYTYPE", "", none, choice(kNodeSetPriorities), "MINLOSS", at_runtime,
       Landed::yes, "Which of several feasible node sets a job gets.",
       into(
           kNodeSetPriorities, [](Settings & s) -> auto& { return s.node.set.priority; })},
      {"NODESETTOLERANCE", "", none, number(), "0.0", at_runtime, Landed::yes,
       "How far the processor speeds of a set may differ, as a fraction of the lowest.",
       into([](Settings & s) -> auto& { return s.node.set.tolerance; })},
      {"FEATURENODETYPEHEADER", "", none, text("a prefix"), "[NONE]", at_runtime, Landed::yes,
       "Prefix of node features that give a node's type.",
       into([](Settings & s) -> auto& { return s.node.type_header; })},
      {"FEATUREPARTITIONHEADER", "", none, text("a prefix"), "[NONE]", at_runtime, Landed::yes,
       "Prefix of node features that give a node's partition.",
       into([](Settings & s) -> auto& { return s.node.partition_header; })},
      {"FEATUREPROCSPEEDHEADER", "", none, text("a prefix"), "[NONE]", at_runtime, Landed::yes,
       "Prefix of node features that give processor speed; with a trailing $, digits must follow.",
       into([](Settings & s) -> auto& { return s.node.speed_header; })},
  };
}

}  // namespace

std::vector<Parameter> node_parameters() {
  using enum Index;
  using enum Change;
  std::vector<Parameter> rows{
      {"NODEACCESSPOLICY", "", none, choice(kNodeAccessNames), "DEDICATED", at_runtime, Landed::yes,
       "Whether tasks of different jobs may share a node.",
       into(
           kNodeAccessNames, [](Settings & s) -> auto& { return s.node_access; })},
      {"NODEALLOCATIONPOLICY", "ALLOCATIONPOLICY", optional_name, choice(kAllocation),
       "LASTAVAILABLE", at_runtime, Landed::yes,
       "Which of the feasible nodes a job gets; with an index, for the nodes of that partition.",
       into_partition(kAllocation, &Settings::node_allocation,
                      &PartitionPolicies::node_allocation)},
      {"NODELOADPOLICY", "", none, choice(kLoadPolicies), "ADJUSTSTATE", at_runtime, Landed::yes,
       "Whether load makes a node busy (ADJUSTSTATE) or reduces its available processors "
       "(ADJUSTPROCS).",
       into(
           kLoadPolicies, [](Settings & s) -> auto& { return s.node.load_policy; })},
      {"NODEMAXLOAD", "", none, number(), "0.0", at_runtime, Landed::yes,
       "Load at which a node counts as busy; 0: never.",
       into([](Settings & s) -> auto& { return s.node.max_load; })},
      {"NODEUNTRACKEDLOADFACTOR", "", none, number(), "1.2", at_runtime, Landed::yes,
       "Factor applied to load that no job accounts for, with NODELOADPOLICY ADJUSTPROCS.",
       into([](Settings & s) -> auto& { return s.node.untracked_load_factor; })},
      {"PARTITIONMODE", "", none, boolean(), "OFF", at_runtime, Landed::without_effect,
       "Whether partitions are enabled; in this release they always are."},
      {"NODEPOLLFREQUENCY", "", none, integer(0), "0", at_runtime, Landed::yes,
       "Iterations between two queries for nodes; 0: nodes are queried in every iteration.",
       into([](Settings & s) -> auto& { return s.node_poll_frequency; })},
      {"NODEDOWNSTATEDELAYTIME", "", none, duration(), "0:00:00", at_runtime, Landed::yes,
       "How long a node that is down is assumed to stay down; 0: DOWNNODEDELAYTIME applies.",
       into([](Settings & s) -> auto& { return s.node.down_state_delay; })},
      {"DOWNNODEDELAYTIME", "", none, duration(), "24:00:00", at_runtime, Landed::yes,
       "How long a node that is down or drained is assumed to stay unavailable.",
       into([](Settings & s) -> auto& { return s.node.down_node_delay; })},
      {"NODESYNCTIME", "NODESYNCDEADLINE", none, duration(), "00:10:00", at_runtime, Landed::yes,
       "How long a node's reported state may differ from its expected state before the reported "
       "state is accepted.",
       into([](Settings & s) -> auto& { return s.node.sync_time; })},
      {"NODEPURGETIME", "", none, duration(), "0", at_runtime, Landed::yes,
       "How long a node is kept after the last resource manager stopped reporting it; 0: PURGETIME "
       "applies.",
       into([](Settings & s) -> auto& { return s.node.purge_time; })},
      {"RESOURCEAVAILABILITYPOLICY", "NODEAVAILABILITYPOLICY", none, availability_policy(),
       "COMBINED", at_runtime, Landed::yes,
       "Whether the resources taken are those dedicated to jobs (DEDICATED), those in use "
       "(UTILIZED), or the larger of both (COMBINED).",
       set_availability},
      {"DEFAULTCLASSLIST", "", none, list("names of classes", " ,"), "[NONE]", at_runtime,
       Landed::yes, "Classes of nodes whose resource manager reports none.",
       into([](Settings & s) -> auto& { return s.default_classes; })},
      {"TASKDISTRIBUTIONPOLICY", "", none, choice("DEFAULT LOCAL"), "DEFAULT", at_runtime,
       Landed::yes,
       "How a job's tasks are distributed over its nodes: as many per node as fit, or by "
       "NODEALLOCATIONPROGRAM.",
       [](Settings& settings, const std::string&, const Words& value) {
         settings.node.local_tasks = value.at(0) == "LOCAL";
       }},
      {"NODEALLOCATIONPROGRAM", "", none, text("a program"), "[NONE]", at_runtime, Landed::yes,
       "Program that chooses nodes and distributes tasks where the policies are LOCAL; in the home "
       "directory unless absolute.",
       into([](Settings & s) -> auto& { return s.node.allocation_program; })},
  };
  for (auto& row : node_set_parameters()) rows.push_back(std::move(row));
  rows.push_back({"NODECFG",
                  "",
                  name,
                  {},
                  "[NONE]",
                  at_runtime,
                  Landed::yes,
                  "Attributes of one node: access, limits, speed, place, features.",
                  {},
                  &node_attributes()});
  return rows;
}

}  // namespace maui::config
