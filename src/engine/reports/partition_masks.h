// PARTITIONMASK of jobs where no node is said to be in a partition: one mask for all means nothing,
// different ones mean that something is amiss.
#pragma once
#include <optional>
#include <string>
#include <utility>

namespace maui {

class PartitionMasks {
 public:
  /// Notes the mask of a job that counts for nothing.  Returns it with the first one, once, when
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
