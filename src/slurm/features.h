// The node features that a job requests (sbatch --constraint).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "maui/result.h"
#include "slurm/cluster.h"

namespace maui::slurm {

struct FeatureWish {
  std::vector<std::string> all;   // each node must have all of these
  std::vector<std::string> same;  // all nodes must share one of these
  /// Suitable nodes if a list of names cannot express the request; as ranges, n[1-9].
  std::vector<std::string> alternatives;
  bool has_alternatives = false;
  /// Sets of features that a node must have together, with the number of such nodes.  With several
  /// sets, any nodes beyond these numbers must be among `with_counted`, as ranges.
  std::vector<std::pair<std::vector<std::string>, int>> counted;
  std::vector<std::string> with_counted;
  std::int64_t counted_nodes() const;
};

/// "ib&fast", "ib&!old", "(ib|opa)&fast", "[rack1|rack2]&fast", "ib*2", "[(ib&fast)*1&opa*1]".
Result<FeatureWish> read_features(std::string_view text, const std::vector<Node>& nodes);

}  // namespace maui::slurm
