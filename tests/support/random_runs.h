// Generates random runs of nodes.
#pragma once
#include <algorithm>
#include <cstdint>
#include <random>

#include "model/node_runs.h"

namespace maui::test {

class RandomRuns {
 public:
  explicit RandomRuns(unsigned seed) : engine_(seed) {}

  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(engine_()) % bound; }
  /// Returns a run of at most twenty of the first `nodes` nodes.
  NodeRun run(std::uint32_t nodes) {
    const auto first = below(nodes);
    return {first, first + 1 + below(std::min(nodes - first, 1 + below(20)))};
  }
  /// Returns the nodes of at most `most` such runs.
  NodeRuns runs(std::uint32_t nodes, std::uint32_t most) {
    NodeRuns some;
    for (auto left = below(most + 1); left > 0; --left) some.add(run(nodes));
    return some;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace maui::test
