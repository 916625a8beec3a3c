// Limits the log lines that others can cause at will.
//
// Each party (a user, a host, a resource manager) has a budget that is refilled over time, and so
// have all parties together, so that no party can roll the log away.  Suppressed lines are counted.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/token_bucket.h"

namespace maui {

/// Amounts of lines, in a unit of the owner's choice.
struct LineAllowance {
  std::int64_t each = 50, all = 500;  // at once
  TokenBucket::Clock::duration each_again = std::chrono::seconds(60),
                               all_again = std::chrono::seconds(10);  // until one more is allowed
};

class LineBudget {
 public:
  using Moment = TokenBucket::Clock::time_point;
  struct Withheld {
    std::string party;
    std::int64_t lines = 0;
  };

  explicit LineBudget(LineAllowance allowance = {})
      : allowance_(allowance), all_(allowance.all, allowance.all_again) {}
  /// Replaces the allowance: nothing of the new one is used up.
  void change(const LineAllowance& allowance);

  /// Takes a line that the party caused.  Returns nullopt if it must not be written, else the
  /// number of the party's lines suppressed since the last that was written.
  std::optional<std::int64_t> take(const std::string& party, Moment now, std::int64_t amount = 1);
  /// Takes a line about the party that must be written, such as one about suppressed lines.
  void charge(const std::string& party, Moment now, std::int64_t amount = 1);
  /// Takes the numbers of suppressed lines of parties of which none was suppressed for a minute, as
  /// far as all parties together may have lines of `amount` each.
  std::vector<Withheld> take_untold(Moment now, std::int64_t amount = 1);

 private:
  struct Party {
    TokenBucket lines;
    std::int64_t withheld = 0;
    Moment last{};  // suppressed line
  };
  void forget(Moment now);

  LineAllowance allowance_;
  TokenBucket all_;
  std::map<std::string, Party> parties_;
  std::int64_t untold_ = 0;  // suppressed lines in all, with those of forgotten parties
  Party others_{{1, {}}};    // forgotten ones
};

}  // namespace maui
