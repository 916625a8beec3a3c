// How much of the log clients may fill: lines that somebody without rights can cause at will.
//
// Each party, a user or a host, has some lines at once and one more now and then, and so have all
// of them together, so that nobody can roll the log away.  What is not written is counted.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/token_bucket.h"

namespace maui {

struct LineAllowance {
  int each = 50, all = 500;                            // lines at once
  std::chrono::seconds each_again{60}, all_again{10};  // until there is one more
};

class LineBudget {
 public:
  using Moment = TokenBucket::Clock::time_point;

  explicit LineBudget(LineAllowance allowance = {})
      : allowance_(allowance), all_(allowance.all, allowance.all_again) {}

  /// Takes a line that this party caused, if it is to be written: nothing if not, or else how many
  /// of its lines were not, since the last that was.
  std::optional<std::int64_t> take(const std::string& party, Moment now);

 private:
  struct Party {
    TokenBucket lines;
    std::int64_t withheld = 0;
  };
  void forget_quiet(Moment now);

  LineAllowance allowance_;
  TokenBucket all_;
  std::map<std::string, Party> parties_;
};

}  // namespace maui
