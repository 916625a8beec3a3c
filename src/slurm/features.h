// What a job wants of its nodes' features (sbatch --constraint).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"
#include "slurm/cluster.h"

namespace maui::slurm {

struct FeatureWish {
  std::vector<std::string> all;           // each node must have all of these
  std::vector<std::string> same;          // all nodes must have the same one of these
  std::vector<std::string> alternatives;  // the nodes that will do, where the wish has an "or"
  bool has_alternatives = false;
};

/// "ib&fast", "[rack1|rack2]", "(ib|opa)&fast".  Counts ("ib*2") are refused.
Result<FeatureWish> read_features(std::string_view text, const std::vector<Node>& nodes);

}  // namespace maui::slurm
