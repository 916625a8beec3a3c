// The last reports of each node, for when NODECFG changes.  Copies share it until one of them takes
// a report.
#pragma once
#include <deque>
#include <memory>
#include <utility>

#include "maui/resource_manager.h"
#include "maui/units.h"

namespace maui {

class NodeReports {
 public:
  /// By node; one that was given up has a report without a name.
  const std::deque<NodeReport>& all() const { return *all_; }
  void keep(NodeId node, NodeReport report) { of(node) = std::move(report); }
  /// The node is in that state, as a command has it.
  void set_state(NodeId node, NodeState reported) {
    if (node.index() < all_->size()) of(node).node.reported = reported;
  }

 private:
  NodeReport& of(NodeId node) {
    if (all_.use_count() > 1) all_ = std::make_shared<std::deque<NodeReport>>(*all_);
    if (node.index() >= all_->size()) all_->resize(node.index() + 1);
    return (*all_)[node.index()];
  }

  std::shared_ptr<std::deque<NodeReport>> all_ = std::make_shared<std::deque<NodeReport>>();
};

}  // namespace maui
