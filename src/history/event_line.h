// Lines that STATDIR keeps beside the guide's records, in history.YYYY_MM_DD:
//
//   JOB NAME SUBMITTED ENDED EXITCODE REASON:START-END,...   how a job ended, and why it had waited
//   RES NAME TYPE START END NODES PROCS                      a reservation that has ended
//   USE START SECONDS BUSY UP ACTIVE WAITING                 sums over a minute, second by second
//
// Times are seconds since the epoch.  Names contain no blanks: %XX stands for such a byte.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "history/wait_history.h"
#include "maui/result.h"
#include "maui/units.h"

namespace maui::history {

struct Wait {
  std::string reason;  // as checkjob displays it (guide G)
  Time start{0}, end{0};
  friend bool operator==(const Wait&, const Wait&) = default;
};

struct JobEnding {
  std::string name;
  Time submitted{0}, ended{0};
  std::int64_t exit_code = 0;
  std::vector<Wait> waits;
  friend bool operator==(const JobEnding&, const JobEnding&) = default;
};

struct PastReservation {
  std::string name, type;
  Time start{0}, end{0};
  std::int64_t nodes = 0, procs = 0;
  friend bool operator==(const PastReservation&, const PastReservation&) = default;
};

struct MinuteOfUse {
  Time start{0};
  std::int64_t seconds = 0;                                // during which the scheduler ran
  std::int64_t busy = 0, up = 0, active = 0, waiting = 0;  // processors and jobs, times seconds
  friend bool operator==(const MinuteOfUse&, const MinuteOfUse&) = default;
};

using Event = std::variant<JobEnding, PastReservation, MinuteOfUse>;

std::string event_line(const Event& event);
Result<Event> parse_event_line(std::string_view line);

/// Formats waits as "insufficient_idle_procs:100-200,..."; "-" if there are none.
std::string waits_text(const std::vector<Wait>& waits);
std::string waits_text(const std::vector<WaitHistory::Period>& periods);
Result<std::vector<Wait>> parse_waits(std::string_view text);
std::vector<Wait> waits_of(const std::vector<WaitHistory::Period>& periods);

}  // namespace maui::history
