#include "sched/placement/node_scores.h"

#include <algorithm>

namespace maui {
namespace {

double value_of(NodeTerm term, const Node& node, const NodeStanding& standing) {
  switch (term) {
    case NodeTerm::priority:
      return node.policy.priority;
    case NodeTerm::speed:
      return node.speed;
    case NodeTerm::proc_speed:
      return node.proc_speed;
    case NodeTerm::load:
      return node.load;
    case NodeTerm::configured_procs:
      return node.configured.procs();
    case NodeTerm::configured_memory:
      return node.configured.memory();
    case NodeTerm::configured_swap:
      return node.configured.swap();
    case NodeTerm::configured_disk:
      return node.configured.disk();
    case NodeTerm::available_procs:
      return standing.free.procs();
    case NodeTerm::available_memory:
      return standing.free.memory();
    case NodeTerm::available_swap:
      return standing.free.swap();
    case NodeTerm::available_disk:
      return standing.free.disk();
    case NodeTerm::jobs:
      return standing.jobs;
    case NodeTerm::index:
      return static_cast<double>(node.id.index());
  }
  return 0;
}

}  // namespace

double idle_power(const Node& node, const NodeStanding& standing) {
  return std::min<double>(standing.free.procs(), node.configured.procs() - node.load);
}

NodePriorities::NodePriorities(const Cluster& cluster, const Settings& settings)
    : cluster_(cluster), settings_(settings), common_(function_named("DEFAULT", kNoFunction)) {}

NodePriorities::Number NodePriorities::function_named(std::string_view name, Number otherwise) {
  const auto row = settings_.nodes.find(name);
  if (row == settings_.nodes.end() || !row->second.priority_function) return otherwise;
  const PriorityFunction& source = *row->second.priority_function;
  const auto [at, is_new] = numbers_.emplace(&source, static_cast<Number>(functions_.size()));
  if (is_new) functions_.push_back(resolved(source));
  return at->second;
}

NodePriorities::Function NodePriorities::resolved(const PriorityFunction& source) const {
  Function made{&source, {}};
  for (const auto& step : source.steps)
    made.features.push_back(step.feature.empty() ? FeatureId()
                                                 : cluster_.features.find(step.feature));
  return made;
}

double NodePriorities::of(NodeId id, const NodeStanding& standing) {
  const auto& node = cluster_.node(id);
  if (id.index() >= function_of_.size()) function_of_.resize(cluster_.nodes().size(), kNotLookedUp);
  auto& function = function_of_[id.index()];
  if (function == kNotLookedUp) function = function_named(node.name, common_);
  return function == kNoFunction ? node.policy.priority
                                 : value(functions_[function], node, standing);
}

double NodePriorities::value(const Function& function, const Node& node,
                             const NodeStanding& standing) const {
  using Operation = PriorityFunction::Operation;
  std::vector<double> stack;
  const auto join = [&](auto how) {
    const double right = stack.back();
    stack.pop_back();
    stack.back() = how(stack.back(), right);
  };
  for (std::size_t i = 0; i < function.source->steps.size(); ++i) {
    const auto& step = function.source->steps[i];
    switch (step.operation) {
      case Operation::number:
        stack.push_back(step.number);
        break;
      case Operation::term:
        stack.push_back(value_of(step.term, node, standing));
        break;
      case Operation::feature:
        stack.push_back(node.has(function.features[i]) ? 1 : 0);
        break;
      case Operation::add:
        join([](double a, double b) { return a + b; });
        break;
      case Operation::subtract:
        join([](double a, double b) { return a - b; });
        break;
      case Operation::multiply:
        join([](double a, double b) { return a * b; });
        break;
      case Operation::divide:  // a node without the resource gains nothing
        join([](double a, double b) { return b == 0 ? 0 : a / b; });
        break;
    }
  }
  return stack.empty() ? 0 : stack.back();
}

}  // namespace maui
