// Prints what a command would have changed (--dry-run), after the command's own answer.
#include "render/dry_run.h"

#include <algorithm>

#include "base/text.h"
#include "render/cells.h"

namespace maui {
namespace {

/// At most a screenful of lines; the table of --limit shows as many as the user wants.
constexpr std::size_t kLines = 40;

std::string start_cell(std::int64_t when, std::int64_t now) {
  if (when == -1) return "never";
  return when == kShiftBeyond ? "later" : ahead(when, now);
}

std::string shift_cell(std::int64_t seconds) {
  return seconds < 0 ? "-" + length(-seconds) : "+" + length(seconds);
}

// Lists expected starts and how they move.
void shift_lines(Lines& out, const DryRun& run) {
  out.blank();
  out.line("{:>18} {:>10} {:>11} {:>11} {:>12}", "JobName", "User", "Start", "Then", "Shift");
  out.blank();
  for (std::size_t i = 0; i < std::min(run.shifts.size(), kLines); ++i) {
    const auto& shift = run.shifts[i];
    out.line("{:>18} {:>10} {:>11} {:>11} {:>12}", shift.job, shift.user,
             start_cell(shift.before, run.now), start_cell(shift.after, run.now),
             shift.before < 0 || shift.after < 0 ? std::string()
                                                 : shift_cell(shift.after - shift.before));
  }
  if (run.shifts.size() > kLines)
    out.line("... and {} more; use --limit to show more", run.shifts.size() - kLines);
}

void sum_lines(Lines& out, std::string_view title, const std::vector<ShiftSummary>& sums) {
  if (sums.empty()) return;
  out.blank();
  out.line("{:>18} {:>8} {:>8} {:>8} {:>12}", title, "Jobs", "Earlier", "Later", "MeanShift");
  out.blank();
  for (std::size_t i = 0; i < std::min(sums.size(), kLines); ++i) {
    const auto& sum = sums[i];
    out.line("{:>18} {:>8} {:>8} {:>8} {:>12}", sum.name, sum.jobs, sum.earlier, sum.later,
             sum.measured == 0 ? std::string() : shift_cell(sum.shift / sum.measured));
  }
  if (sums.size() > kLines) out.line("... and {} more", sums.size() - kLines);
}

}  // namespace

std::string as_text(const DryRun& run) {
  Lines out;
  out.blank();
  out.line("{} of the {}{} would start at a different time", run.shifts.size(),
           run.complete ? "" : "first ", counted(run.jobs, "waiting job"));
  if (run.shifts.empty()) return out.take();
  shift_lines(out, run);
  sum_lines(out, "User", run.users);
  sum_lines(out, "Account", run.accounts);
  return out.take();
}

}  // namespace maui
