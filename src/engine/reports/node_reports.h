// The last report of each node, which is applied anew when NODECFG changes.  Copies share the
// reports until one of them takes a new report.
#pragma once
#include <deque>
#include <memory>
#include <utility>

#include "maui/resource_manager.h"
#include "maui/units.h"

namespace maui {

class NodeReports {
 public:
  /// By node; a node that was given up has a report without a name.
  const std::deque<NodeReport>& all() const { return *all_; }
  void keep(NodeId node, NodeReport report) { of(node) = std::move(report); }
  /// Sets the reported state of the node, as changed by a command.
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
