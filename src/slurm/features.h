// The features that a job asks of its nodes (sbatch --constraint).
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
  std::vector<std::string> same;  // all nodes must have the same one of these
  /// The nodes that will do, where names do not say it; as ranges, n[1-9].
  std::vector<std::string> alternatives;
  bool has_alternatives = false;
  /// Features that a node needs together, with the number of such nodes.  Where several are
  /// counted, nodes beyond these numbers are out of `with_counted`, as ranges.
  std::vector<std::pair<std::vector<std::string>, int>> counted;
  std::vector<std::string> with_counted;
  std::int64_t counted_nodes() const;
};

/// "ib&fast", "ib&!old", "(ib|opa)&fast", "[rack1|rack2]&fast", "ib*2", "[(ib&fast)*1&opa*1]".
Result<FeatureWish> read_features(std::string_view text, const std::vector<Node>& nodes);

}  // namespace maui::slurm
