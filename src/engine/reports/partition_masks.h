// PARTITIONMASK of jobs when no node is in a partition: a mask common to all jobs has no meaning,
// but different masks point to a mistake.
#pragma once
#include <optional>
#include <string>
#include <utility>

namespace maui {

class PartitionMasks {
 public:
  /// Notes the mask of a job, which has no effect.  Returns the first mask and this one, once, when
  /// they differ.
  std::optional<std::pair<std::string, std::string>> note(const std::string& mask) {
    if (mask.empty() || mask == first_ || warned_) return std::nullopt;
    if (first_.empty()) {
      first_ = mask;
      return std::nullopt;
    }
    warned_ = true;
    return std::pair(first_, mask);
  }

 private:
  std::string first_;
  bool warned_ = false;
};

}  // namespace maui
