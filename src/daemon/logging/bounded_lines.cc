#include "daemon/logging/bounded_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/text.h"

namespace maui {
namespace {

using Duration = TokenBucket::Clock::duration;

constexpr std::chrono::hours kDay{24};
// The level from which on the log is for finding a fault, and grows with the queue in any case.
constexpr int kDetailed = 5;
constexpr std::size_t kLongestName = 64;
// The bytes that a line has besides its text, and those of a line about suppressed lines.
constexpr std::size_t kFrame = 26;
constexpr std::int64_t kToldLine = 192;
// The most that a line of clients has for one of its number.
constexpr std::int64_t kLineOfClients = 200;

/// The parts of the kept log that lines of one cause may take, at once and further in a day.  Each
/// party may take half of them.
struct Share {
  LineCause cause;
  double at_once, in_a_day;
};
// Together 85 %; lines of clients, of 200 bytes each, take less than 10 % of the default.
constexpr Share kShares[] = {{LineCause::job, 0.10, 0.35},
                             {LineCause::refusal, 0.05, 0.05},
                             {LineCause::report, 0.10, 0.20}};

LineAllowance allowance_of(const Share& share, double kept) {
  const auto at_once = std::max<std::int64_t>(2, static_cast<std::int64_t>(kept * share.at_once));
  const Duration again(static_cast<Duration::rep>(static_cast<double>(Duration(kDay).count()) /
                                                  std::max(1.0, kept * share.in_a_day)));
  return {at_once / 2, at_once, 2 * again, again};
}

/// Returns what a line takes of its budget: bytes; of clients, lines.
std::int64_t amount_of(LineCause cause, std::size_t text) {
  const auto length = static_cast<std::int64_t>(std::min(text + kFrame, kLongestLine));
  return cause == LineCause::client ? 1 + length / kLineOfClients : length;
}

std::int64_t amount_of_told(LineCause cause) { return cause == LineCause::client ? 1 : kToldLine; }

/// Returns the words for a party in a line about suppressed lines.
std::string about(LineCause cause, std::string_view party) {
  party = party.substr(0, kLongestName);
  switch (cause) {
    case LineCause::job:
      return fmt::format("jobs of user {}", party);
    case LineCause::refusal:
      return fmt::format("refused requests about jobs of user {}", party);
    case LineCause::client:
    case LineCause::report:
      break;
  }
  return std::string(party);
}

}  // namespace

void BoundedLines::configure(const LogSettings& settings) {
  const double kept = static_cast<double>(settings.max_size) * std::max(1, settings.roll_depth);
  if (kept == kept_) return;
  kept_ = kept;
  for (const Share& share : kShares) budget_of(share.cause).change(allowance_of(share, kept));
}

void BoundedLines::write(LineCause cause, std::string_view party, int level,
                         std::string_view facility, std::string_view text, Moment now) {
  if (!log_.wants(level, facility, text)) return;
  const bool all = std::max(level, log_.level()) >= kDetailed || log_.trapped(facility, text);
  if (cause != LineCause::client && all) return log_.write(level, facility, text);
  LineBudget& budget = budget_of(cause);
  const auto whose = about(cause, party);
  const auto withheld = budget.take(whose, now, amount_of(cause, text.size()));
  if (!withheld) return;
  log_.write(level, facility, text);
  if (*withheld == 0) return;
  budget.charge(whose, now, amount_of_told(cause));
  write_withheld({whose, *withheld});
}

void BoundedLines::tell(Moment now) {
  for (std::size_t cause = 0; cause < kLineCauses; ++cause)
    for (const auto& withheld :
         budgets_[cause].take_untold(now, amount_of_told(static_cast<LineCause>(cause))))
      write_withheld(withheld);
}

/// The line has level 0 only where no line of a higher level can have been left out.
void BoundedLines::write_withheld(const LineBudget::Withheld& withheld) {
  log_.write(std::min(log_.level(), 1), "fCORE",
             fmt::format("{} about {} {} not written", counted(withheld.lines, "line"),
                         withheld.party, by_number(withheld.lines, "was", "were")));
}

}  // namespace maui
