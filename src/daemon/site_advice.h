// Advice on settings that look wrong for this cluster, which is possible once its nodes are known.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "maui/cluster.h"

namespace maui {

/// Returns one sentence per finding: nodes of several processors without a setting that says
/// whether they are shared; nodes, partitions, features and classes that do not exist.  Empty until
/// a node is known.
std::vector<std::string> site_advice(const Configuration& configuration, const Cluster& cluster);

/// Returns what to say of nodes of several processors if no setting says whether they are shared.
std::optional<std::string> sharing_advice(const Configuration& configuration);

/// Gives each piece of advice once.
class SiteAdviser {
 public:
  /// Looks at the configuration again, as it has changed.
  void look_again() { due_ = true; }
  bool due() const { return due_; }
  /// Returns new advice; remains due until a node is known.
  std::vector<std::string> advise(const Configuration& configuration, const Cluster& cluster);

 private:
  bool due_ = true;
  std::set<std::string> given_;
};

}  // namespace maui
