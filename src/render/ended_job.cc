// checkjob for an ended job: how it ended, and how well its limit fitted.
#include <algorithm>
#include <string_view>

#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

// Advice on the wallclock limit, polite and only if it matters.
std::string advice(const EndedJobReply& reply) {
  constexpr double kLittle = 50;  // per cent
  const CompletedRow& job = reply.job;
  std::string text;
  if (reply.limit_used >= 0 && reply.limit_used < kLittle)
    text = fmt::format("job used {:.0f}% of its limit", reply.limit_used);
  if (job.shorter_limit > 0)
    text += fmt::format("{}with a limit of {} it would probably have started {} earlier",
                        text.empty() ? "" : "; ", length(job.shorter_limit),
                        length(job.started - job.shorter_start));
  return text;
}

std::string pairs(const CompletedRow& job) {
  return fmt::format(
      "\n\nNAME={};STATE={};UNAME={};GNAME={};ACCOUNT={};RCLASS={};WCLIMIT={};QUEUETIME={};"
      "STARTTIME={};COMPLETIONTIME={};COMPLETIONCODE={};\n\n",
      job.name, job.state, job.user, job.group, job.account, job.job_class, job.limit,
      job.submitted, std::max<std::int64_t>(job.started, 0), job.ended, completion_code(job));
}

}  // namespace

std::string as_text(const EndedJobReply& reply) {
  const CompletedRow& job = reply.job;
  if (reply.pairs) return pairs(job);
  const bool ran = job.started >= 0;
  Lines out;
  out.blank(2);
  out.line("checking job {}", job.name);
  out.blank();
  out.line("State: {}  (CompletionCode: {})", job.state, completion_code(job));
  out.line("Creds:  user:{}  group:{}  account:{}  class:{}  qos:{}", job.user, job.group,
           job.account, job.job_class, job.qos);
  out.line("WallTime: {} of {}", length(job.run_time), length(job.limit));
  out.line("SubmitTime: {}", date(job.submitted));
  out.line("  (Time Queued  Total: {})",
           length(std::max<std::int64_t>((ran ? job.started : job.ended) - job.submitted, 0)));
  out.blank();
  if (ran) out.line("StartTime: {}", date(job.started));
  out.line("EndTime: {}", date(job.ended));
  if (!reply.cancelled.empty()) out.line("Cancelled by the scheduler: {}", reply.cancelled);
  out.line("Total Procs: {}", job.procs);
  if (ran) {
    out.line("Nodes: {}  MainHost: {}  Partition: {}", job.nodes, or_dash(job.main_host),
             or_dash(job.partition));
    out.line("Efficiency: {:.2f}%  XFactor: {:.1f}{}", job.efficiency, job.xfactor,
             job.backfilled ? "  (backfilled)" : "");
  }
  wait_lines(out, reply.waits);
  if (const std::string text = advice(reply); !text.empty()) {
    out.blank();
    out.line("NOTE:  {}", text);
  }
  out.blank();
  return out.take();
}

}  // namespace maui
