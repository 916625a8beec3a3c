// showgrid: a field for each size and wallclock limit of jobs.
#include "render/as_text.h"
#include "render/cells.h"
#include "render/statistic_lines.h"

namespace maui {
namespace {

enum class Field { average, whole, count };  // "   1.05    2", "      0    2", "         2  "

/// The form of a statistic; `summary` writes the lines below the grid except the last.
struct GridStyle {
  std::string_view statistic, title;
  Field field;
  void (*summary)(Lines& out, const GridReply& grid);
};

constexpr GridStyle kStyles[] = {
    {"AVGXFACTOR", "Average XFactor Grid", Field::average,
     [](Lines& out, const GridReply& g) {
       out.line("{:<26} {:>8.4f}", "Job Weighted XFactor:", g.overall);
       out.line("{:<26} {:>8.4f}", "Proc Weighted XFactor:", g.proc_weighted);
       out.line("{:<26} {:>8.4f}", "PS Weighted XFactor:", g.proc_second_weighted);
     }},
    {"MAXXFACTOR", "Maximum XFactor", Field::average,
     [](Lines& out, const GridReply& g) {
       out.line("{:<26} {:>8.4f}", "Overall Max XFactor:", g.overall);
     }},
    {"AVGQTIME", "Average QueueTime (hours)", Field::average,
     [](Lines& out, const GridReply& g) {
       out.line("{:<26} {:>8.4f}", "Job Weighted QueueTime:", g.overall);
     }},
    {"AVGBYPASS", "Average Bypass (bypass count)", Field::average,
     [](Lines& out, const GridReply& g) {
       out.line("{:<26} {:>8.4f}", "Job Weighted X Bypass:", g.overall);
     }},
    {"MAXBYPASS", "Maximum Bypass (bypass count)", Field::whole,
     [](Lines& out, const GridReply& g) {
       out.line("{:<26} {:>8.0f}", "Overall Max Bypass:", g.overall);
     }},
    {"JOBCOUNT", "Job Count (jobs)", Field::count,
     [](Lines& out, const GridReply& g) { out.line("{:<26} {:>8}", "Total Jobs:", g.samples); }},
    {"PHREQUEST", "ProcHour Request (percent of total)", Field::average,
     [](Lines& out, const GridReply& g) {
       out.line("{:<26} {:>8.2f}", "Total PH Requested:", g.whole);
     }},
    {"PHRUN", "ProcHour Run (percent of total)", Field::average,
     [](Lines& out, const GridReply& g) { out.line("{:<26} {:>8.2f}", "Total PH Run", g.whole); }},
    {"WCACCURACY", "WallClock Accuracy (percent)", Field::average,
     [](Lines& out, const GridReply& g) {
       out.line("{:<26} {:>8.3f}", "Overall WallClock Accuracy:", g.overall);
     }},
    {"BFCOUNT", "BackFill (percent of jobs run)", Field::average,
     [](Lines& out, const GridReply& g) {
       out.line("Job Weighted BackFill Job Percent: {:>8.4f} ({:.0f} / {:.0f})", g.overall, g.part,
                g.whole);
     }},
    {"BFPHRUN", "BackFill (percent of prochours delivered)", Field::average,
     [](Lines& out, const GridReply& g) {
       out.line("PS Weighted BackFill PS Percent: {:>8.4f} ({:.2f} / {:.2f})", g.overall, g.part,
                g.whole);
     }},
    {"JOBEFFICIENCY", "Average Job Efficiency (percent CPU utilization)", Field::average,
     [](Lines& out, const GridReply& g) {
       out.line("PS Weighted Job Efficiency Percent: {:>8.4f} ({:>6.2f} / {:>6.2f})", g.overall,
                g.part, g.whole);
     }},
    {"QOSDELIVERED", "Quality of Service Delivered (percent of jobs meeting QOS)", Field::average,
     [](Lines& out, const GridReply& g) {
       out.line("Job Weighted QOS Success Rate: {:>8.4f} ({:.0f} / {:.0f})", g.overall, g.part,
                g.whole);
     }},
};

const GridStyle& style_of(std::string_view statistic) {
  for (const GridStyle& style : kStyles)
    if (style.statistic == statistic) return style;
  return kStyles[0];
}

/// Formats hours without days.
std::string hours(std::int64_t seconds) {
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string field(Field kind, const GridCell& cell) {
  if (cell.jobs == 0) return "[------------]";
  switch (kind) {
    case Field::average:
      return fmt::format("[{:>7.2f} {:>4}]", cell.value, cell.jobs);
    case Field::whole:
      return fmt::format("[{:>7.0f} {:>4}]", cell.value, cell.jobs);
    case Field::count:
      return fmt::format("[{:>10}  ]", cell.jobs);
  }
  return {};
}

}  // namespace

std::string as_text(const GridReply& reply) {
  const GridStyle& style = style_of(reply.statistic);
  Lines out;
  out.blank(2);
  statistics_line(out, "since", reply.since, reply.until);
  out.blank();
  out.line("{}", style.title);
  out.blank();
  out.part("[ PROCS ]");
  for (const std::int64_t limit : reply.limits) out.part("[{:>10}  ]", hours(limit));
  out.line("[     TOTAL  ]");
  for (const auto& row : reply.rows) {
    out.part("[ {:>4}  ]", row.procs);
    for (const auto& cell : row.cells) out.part("{}", field(style.field, cell));
    out.line("{}", field(style.field, row.total));
  }
  out.part("[ TOTAL ]");
  for (const auto& cell : reply.totals) out.part("{}", field(style.field, cell));
  out.end_line();
  style.summary(out, reply);
  out.line("{:<26} {:>8}", "Total Samples:", reply.samples);
  if (reply.outside > 0) out.line("{:<26} {:>8}", "Jobs Outside the Grid:", reply.outside);
  out.blank(3);
  return out.take();
}

}  // namespace maui
