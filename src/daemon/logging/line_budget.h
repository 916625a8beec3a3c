// Limits the log lines that clients without rights can cause at will.
//
// Each party (user or host) has a budget that is refilled over time, and so have all parties
// together, so that no client can roll the log away.  Suppressed lines are counted.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/token_bucket.h"

namespace maui {

struct LineAllowance {
  int each = 50, all = 500;                            // lines in a row
  std::chrono::seconds each_again{60}, all_again{10};  // until one line more is allowed
};

class LineBudget {
 public:
  using Moment = TokenBucket::Clock::time_point;

  explicit LineBudget(LineAllowance allowance = {})
      : allowance_(allowance), all_(allowance.all, allowance.all_again) {}

  /// Takes a line that the party caused.  Returns nullopt if it must not be written, else the
  /// number of the party's lines suppressed since the last that was written.
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
