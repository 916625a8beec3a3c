// Nodes: who may share them, which are taken first, what their state means (guide 5.2, 8.3, 10,
// 12).
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
    {NodeAllocation::local, "LOCAL"},
    {NodeAllocation::contiguous, "CONTIGUOUS"},
    {NodeAllocation::max_balance, "MAXBALANCE"},
    {NodeAllocation::fastest, "FASTEST"}};

ValueType allocation() {
  auto type = choice(kAllocation);
  type.later = {"CPULOAD", "MACHINEPRIO", "LOCAL", "CONTIGUOUS", "MAXBALANCE", "FASTEST"};
  return type;
}

// POLICY[:RESOURCE]
Result<std::string> availability(std::string_view word) {
  const auto parts = split(word, ':');
  auto policy = choice("COMBINED DEDICATED UTILIZED").canonical({std::string(parts[0])});
  if (!policy) return policy.error();
  if (parts.size() == 1) return policy->front();
  if (parts.size() > 2) return Error{"more than one resource"};
  auto resource = choice("PROC|PROCS MEM SWAP DISK").canonical({std::string(parts[1])});
  if (!resource) return resource.error();
  return policy->front() + ":" + resource->front();
}

ValueType availability_policy() {
  return {"COMBINED, DEDICATED or UTILIZED, each alone or with :PROC, :MEM, :SWAP or :DISK",
          [](const Words& words) -> Result<Words> {
            Words out;
            for (const auto& word : words) {
              auto one = availability(word);
              if (!one) return one.error();
              out.push_back(std::move(one).value());
            }
            if (out.empty()) return Error{"no value"};
            return out;
          }};
}

std::vector<Parameter> node_set_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"NODESETPOLICY", "", none, or_none(choice("ONEOF FIRSTOF ANYOF")), "[NONE]", at_runtime,
       Landed::no, "How jobs are kept within sets of nodes that are alike."},
      {"NODESETATTRIBUTE", "", none, or_none(choice("FEATURE NETWORK PROCSPEED")), "[NONE]",
       at_runtime, Landed::no, "What nodes of a set have in common."},
      {"NODESETLIST", "", none, list("values of the attribute", " ,:"), "[NONE]", at_runtime,
       Landed::no, "Which sets are considered, in this order."},
      {"NODESETDELAY", "", none, duration(), "0:00:00", at_runtime, Landed::no,
       "How long a job waits for a node set while nodes outside of one are idle."},
      {"NODESETPRIORITYTYPE", "", none, choice("BESTFIT WORSTFIT BESTRESOURCE MINLOSS"), "MINLOSS",
       at_runtime, Landed::no, "Which of several feasible sets is taken."},
      {"NODESETTOLERANCE", "", none, number(), "0.0", at_runtime, Landed::no,
       "How far the processor speeds of a set may differ, as a part of the lowest."},
      {"FEATURENODETYPEHEADER", "", none, text("a prefix"), "[NONE]", at_restart, Landed::no,
       "Prefix of node features that tell a node's type."},
      {"FEATUREPARTITIONHEADER", "", none, text("a prefix"), "[NONE]", at_restart, Landed::no,
       "Prefix of node features that tell a node's partition."},
      {"FEATUREPROCSPEEDHEADER", "", none, text("a prefix"), "[NONE]", at_restart, Landed::no,
       "Prefix of node features that tell processor speed; with a trailing $, digits must follow."},
  };
}

}  // namespace

std::vector<Parameter> node_parameters() {
  using enum Index;
  using enum Change;
  std::vector<Parameter> rows{
      {"NODEACCESSPOLICY", "", none, choice(kNodeAccess), "DEDICATED", at_runtime, Landed::yes,
       "Whether tasks of different jobs may share a node; SINGLEJOB is another word for DEDICATED.",
       into(
           kNodeAccess, [](Settings & s) -> auto& { return s.node_access; })},
      {"NODEALLOCATIONPOLICY", "ALLOCATIONPOLICY", none, allocation(), "LASTAVAILABLE", at_runtime,
       Landed::yes, "Which of the feasible nodes a job gets.",
       into(
           kAllocation, [](Settings & s) -> auto& { return s.node_allocation; })},
      {"NODELOADPOLICY", "", none, choice("ADJUSTSTATE ADJUSTPROCS"), "ADJUSTSTATE", at_runtime,
       Landed::no, "Whether load makes a node busy or takes from its processors."},
      {"NODEMAXLOAD", "", none, number(), "0.0", at_runtime, Landed::no,
       "Load at which a node counts as busy; 0: never."},
      {"NODEUNTRACKEDLOADFACTOR", "", none, number(), "1.2", at_runtime, Landed::no,
       "Factor on load that no job explains, with NODELOADPOLICY ADJUSTPROCS."},
      {"NODEPOLLFREQUENCY", "", none, integer(0), "0", at_runtime, Landed::no,
       "Iterations between two queries to node managers; 0: each iteration."},
      {"NODEDOWNSTATEDELAYTIME", "", none, duration(), "0:00:00", at_runtime, Landed::no,
       "How long a node that is down is taken to stay so, at least."},
      {"DOWNNODEDELAYTIME", "", none, duration(), "24:00:00", at_runtime, Landed::no,
       "How long a node that is down or drained is planned without."},
      {"NODESYNCTIME", "NODESYNCDEADLINE", none, duration(), "00:10:00", at_runtime, Landed::no,
       "After what time a node's state as reported is believed against the one expected."},
      {"NODEPURGETIME", "", none, duration(), "INFINITY", at_runtime, Landed::no,
       "How long a node is remembered that no resource manager reports."},
      {"RESOURCEAVAILABILITYPOLICY", "NODEAVAILABILITYPOLICY", none, availability_policy(),
       "COMBINED", at_runtime, Landed::no,
       "Whether resources count as taken when dedicated, when used, or by what is more."},
      {"DEFAULTCLASSLIST", "", none, list("names of classes", " ,"), "[NONE]", at_runtime,
       Landed::yes, "Classes of every node whose resource manager does not tell.",
       into([](Settings & s) -> auto& { return s.default_classes; })},
      {"TASKDISTRIBUTIONPOLICY", "", none, choice("DEFAULT LOCAL"), "DEFAULT", at_runtime,
       Landed::no, "How a job's tasks are laid over its nodes."},
  };
  for (auto& row : node_set_parameters()) rows.push_back(std::move(row));
  rows.push_back({"NODECFG",
                  "",
                  name,
                  {},
                  "[NONE]",
                  at_runtime,
                  Landed::yes,
                  "What is said of one node: access, limits, speed, place, features.",
                  {},
                  &node_attributes()});
  return rows;
}

}  // namespace maui::config
