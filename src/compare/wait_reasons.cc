#include "compare/wait_reasons.h"

#include <algorithm>
#include <map>

namespace maui::compare {

std::vector<WaitReason> sums_of(const std::vector<WaitHistory::Period>& periods) {
  std::map<Reason, Seconds> sums;
  for (const auto& period : periods)
    sums[period.reason] = sums[period.reason] + (period.end - period.start);
  std::vector<WaitReason> found;
  for (const auto& [reason, how_long] : sums) found.push_back({reason, how_long});
  std::sort(found.begin(), found.end(), [](const WaitReason& a, const WaitReason& b) {
    return a.how_long != b.how_long ? a.how_long > b.how_long : a.reason < b.reason;
  });
  return found;
}

}  // namespace maui::compare
