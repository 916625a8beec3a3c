// showstats -l: one line per user and per class.
#include "base/text.h"
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

std::string cell(double value) {
  return value < 0 ? std::string(7, '-') : fmt::format("{:>7.2f}", value);
}

void heading(Lines& out, std::string_view kind) {
  out.line(
      "          |--- Limits ---|---------- Expected Ends ---------|----- Expected Starts ----|");
  out.line("{:<9}   Jobs   %Used     Jobs %Within   ErrH  LimErrH   Jobs    ErrH  LimErrH", kind);
}

void row_line(Lines& out, const LearningRow& row) {
  out.line("{:<9} {:>6} {}   {:>6} {} {} {} {:>6} {}  {}", row.name, row.jobs, cell(row.limit_used),
           row.ends, cell(row.within), cell(row.end_error), cell(row.limit_end_error), row.starts,
           cell(row.start_error), cell(row.limit_start_error));
}

}  // namespace

std::string as_text(const LearningReply& reply) {
  Lines out;
  out.line("statistics initialized {}", date(reply.since));
  out.blank();
  if (!reply.learning) out.line("RUNTIMELEARNING is NONE: nothing is learned");
  if (reply.all)
    out.line("run times of {} of jobs of {} are known", counted(reply.kinds, "kind"),
             counted(reply.users, "user"));
  if (!reply.learning || reply.all) out.blank();
  heading(out, "user");
  for (const auto& row : reply.by_user) row_line(out, row);
  if (reply.all) {
    row_line(out, *reply.all);
    if (!reply.by_class.empty()) {
      out.blank();
      heading(out, "class");
    }
    for (const auto& row : reply.by_class) row_line(out, row);
    out.blank();
    out.line("Similar Jobs   Ended  %Within  (recent jobs; the aim is 90)");
    for (const auto& row : reply.intervals)
      out.line("{:<12} {:>7}  {}", row.similar, row.jobs, cell(row.within));
  }
  out.blank();
  return out.take();
}

}  // namespace maui
