// checkjob: the request of a job, its state, and why it does not run.
#include <algorithm>

#include "base/text.h"
#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

std::string bound(const AmountBound& b, bool megabytes) {
  return fmt::format("{} {}{}", b.compare, b.amount, megabytes && b.amount > 0 ? "M" : "");
}

void share_lines(Lines& out, const std::vector<NodeShare>& shares) {
  constexpr std::size_t kPerLine = 4;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    out.part("[{}:{}]", shares[i].node, shares[i].tasks);
    if (i % kPerLine == kPerLine - 1 || i + 1 == shares.size()) out.end_line();
  }
}

// Lists the host of each task; cuts a long list, since the allocated nodes contain the same.
std::string distribution(const std::vector<NodeShare>& shares) {
  constexpr std::size_t kMost = 11;
  std::string text;
  std::size_t shown = 0;
  for (const auto& share : shares)
    for (std::int64_t task = 0; task < share.tasks; ++task, ++shown) {
      if (shown == kMost) return text + ",...";
      text += (text.empty() ? "" : ",") + share.node;
    }
  return text;
}

// Returns "[node001:1][node002:2]": the listed hosts with their counts.
std::string host_list(const std::vector<std::string>& hosts) {
  std::string text;
  for (std::size_t i = 0, next = 0; i < hosts.size(); i = next) {
    while (next < hosts.size() && hosts[next] == hosts[i]) ++next;
    text += fmt::format("[{}:{}]", hosts[i], next - i);
  }
  return text;
}

// Returns the number of allocated nodes, or the requested range: "2", "2-4", "2 or more".
std::string node_counts(const JobRequirement& req) {
  if (!req.allocated.empty()) return std::to_string(req.allocated.size());
  if (req.least_nodes == 0 || req.least_nodes == req.nodes) return std::to_string(req.nodes);
  if (req.nodes == 0) return fmt::format("{} or more", req.least_nodes);
  return fmt::format("{}-{}", req.least_nodes, req.nodes);
}

// Returns "PROCS: 1.00  MEM: 256": the use of all tasks, divided by their number.
std::string per_task(const UsedAmounts& used, std::int64_t tasks) {
  const auto share = [&](double amount) { return amount / static_cast<double>(tasks); };
  std::string text = fmt::format("PROCS: {:.2f}", share(used.procs));
  const std::pair<std::string_view, std::int64_t> amounts[] = {
      {"MEM", used.memory}, {"SWAP", used.swap}, {"DISK", used.disk}};
  for (const auto& [name, amount] : amounts)
    if (amount > 0) text += fmt::format("  {}: {:.0f}", name, share(static_cast<double>(amount)));
  return text;
}

void use_lines(Lines& out, const JobReply& job) {
  if (!job.use || job.tasks <= 0) return;
  UsedAmounts average;
  average.procs = job.use->average_procs;
  out.line("Utilized Resources Per Task:  {}", per_task(job.use->now, job.tasks));
  out.line("Avg Util Resources Per Task:  {}", per_task(average, job.tasks));
  out.line("Max Util Resources Per Task:  {}", per_task(job.use->most, job.tasks));
  out.line("Average Utilized Procs: {:.2f}", job.use->average_procs);
}

void requirement_lines(Lines& out, const JobReply& job, std::size_t index) {
  const JobRequirement& req = job.requirements[index];
  out.line("Req[{}]  TaskCount: {}  Partition: {}", index, req.tasks, req.partition);
  out.line("Network: {}  Memory {}  Disk {}  Swap {}", req.network, bound(req.memory, true),
           bound(req.disk, true), bound(req.swap, true));
  out.line("Opsys: {}  Arch: {}  Features: {}", req.opsys, req.arch, bracketed(req.features));
  if (job.verbose) {
    // No resource manager reports ExecSize and ImageSize.
    out.line("Exec:  {}  ExecSize: 0  ImageSize: 0",
             job.executable.empty() ? "[NONE]" : fmt::format("'{}'", job.executable));
    if (req.procs.compare != "NC") out.line("Procs {}", bound(req.procs, false));
    out.line("Dedicated Resources Per Task: {}", amounts(req.per_task));
    if (job.started >= 0 && index == 0) use_lines(out, job);
    out.line("NodeAccess: {}", job.node_access);
  }
  if (req.tasks_per_node > 0) out.line("TasksPerNode: {}", req.tasks_per_node);
  const bool counts = req.nodes > 0 || req.least_nodes > 0 || !req.allocated.empty();
  if (job.verbose || counts) out.line("NodeCount: {}", node_counts(req));
  if (req.allocated.empty()) return;
  out.line("Allocated Nodes:");
  share_lines(out, req.allocated);
  if (job.verbose) out.line("Task Distribution: {}", distribution(req.allocated));
}

std::string expected(const ExpectedEnd& when) {
  return fmt::format("{}  (90%: {} to {}; from {})", date(when.end), date(when.earliest),
                     date(when.latest), counted(when.similar, "similar job"));
}

void head_lines(Lines& out, const JobReply& job) {
  out.blank(2);
  out.line("checking job {}", job.name);
  out.blank();
  out.line("State: {}", job.state);
  out.line("Creds:  user:{}  group:{}  account:{}  class:{}  qos:{}", job.user, job.group,
           job.account, job.job_class, job.qos);
  out.line("WallTime: {} of {}{}", length(job.run_time), length(job.limit),
           job.recorded_run_time < 0
               ? ""
               : fmt::format("  (Recorded WallTime: {})", length(job.recorded_run_time)));
  out.line("SubmitTime: {}", date(job.submitted));
  out.line("  (Time Queued  Total: {}  Eligible: {})", length(job.queue_time),
           length(job.eligible_time));
  out.blank();
  if (job.started >= 0) out.line("StartTime: {}", date(job.started));
  if (job.expected_end) out.line("Expected End: {}", expected(*job.expected_end));
  if (job.expected_start >= 0) out.line("Expected Start: {}", date(job.expected_start));
  if (job.promised_start >= 0) out.line("Promised Start: {}", date(job.promised_start));
  if (job.earliest_start > 0) out.line("StartDate: {}", date(job.earliest_start));
  out.line("Total Tasks: {}", job.tasks);
  out.blank();
}

void attribute_lines(Lines& out, const JobReply& job) {
  out.line("IWD: [NONE]  Executable:  {}", job.executable.empty() ? "[NONE]" : job.executable);
  out.line("Bypass: {}  StartCount: {}", job.bypass, job.start_count);
  out.line("PartitionMask: {}", job.partitions.empty() ? "[ALL]" : bracketed(job.partitions));
  if (!job.flags.empty()) out.line("Flags:       {}", join(job.flags, " "));
  if (std::find(job.flags.begin(), job.flags.end(), "PREEMPTEE") != job.flags.end()) {
    out.line("Attr:        PREEMPTEE");
    out.blank();
  }
  if (!job.required_reservation.empty())
    out.line("RequiredReservation: {}", job.required_reservation);
  const std::pair<std::string_view, const std::string*> named[] = {
      {"QOS Requested", &job.qos_requested},
      {"NodeSet", &job.node_set},
      {"SystemID", &job.system_id},
      {"JobGroup", &job.job_group},
      {"Display", &job.display}};
  for (const auto& [what, value] : named)
    if (!value->empty()) out.line("{}: {}", what, *value);
  for (const std::string& dependency : job.dependencies) out.line("Depends On: {}", dependency);
  if (!job.host_list.empty()) {
    out.line("HostList:");
    out.line("  {}", host_list(job.host_list));
  }
  if (!job.not_followed.empty()) out.line("Not Followed: {}", join(job.not_followed, "  "));
  if (!job.told.empty()) out.line("Reported: {}", join(job.told, "  "));
  if (job.reservation)
    out.line("Reservation '{}' ({} -> {}  Duration: {})", job.reservation->name,
             ahead(job.reservation->start, job.now), ahead(job.reservation->end, job.now),
             job.reservation->end == -1 ? length(-1)
                                        : length(job.reservation->end - job.reservation->start));
  if (job.access) {
    out.blank();
    out.line("NOTE:  job {} access to reservation '{}'",
             job.access->admitted ? "granted" : "denied", job.access->reservation);
  }
  if (!job.holds.empty()) out.line("Holds:    {}", join(job.holds, "  "));
  if (!job.hold_reason.empty()) out.line("hold reason: {}", job.hold_reason);
  out.part("PE:  {:.2f}  StartPriority:  {}", job.pe, job.priority);
  if (job.system_priority != 0) out.part("  SystemPriority:  {}", job.system_priority);
  out.end_line();
}

std::string why(const JobVerdict& verdict) {
  if (verdict.reason == kInsufficientProcs)
    return fmt::format("{} available: {} < {}", verdict.reason, verdict.idle_procs,
                       verdict.needed_procs);
  if (verdict.reason == kUnmetRequirements)
    return fmt::format("{} : {} of {} procs found", verdict.reason, verdict.feasible_procs,
                       verdict.needed_procs);
  return verdict.reason;
}

void verdict_lines(Lines& out, const std::string& job, const JobVerdict& verdict) {
  if (!verdict.limit.empty()) {
    out.line("cannot select job {} for partition {} (job {} {})", job, verdict.partition, job,
             verdict.limit);
    if (verdict.nodes.empty()) return;
  } else if (verdict.reason.empty()) {
    out.line("job can run in partition {} ({} procs available.  {} procs required)",
             verdict.partition, verdict.feasible_procs, verdict.needed_procs);
  } else {
    if (verdict.reason == kUnmetRequirements) out.blank();
    out.line("job cannot run in partition {} ({})", verdict.partition, why(verdict));
  }
  if (verdict.reason == kUnmetRequirements || !verdict.nodes.empty())
    out.line("idle procs: {:>3}  feasible procs: {:>3}", verdict.idle_procs,
             verdict.feasible_procs);
  if (!verdict.rejections.empty()) {
    out.blank();
    out.part("Rejection Reasons: ");
    for (const auto& [reason, nodes] : verdict.rejections)
      out.part("[{:<13}:{:>5}]", reason, nodes);
    out.end_line();
  }
  if (verdict.nodes.empty()) return;
  out.blank();
  for (const auto& [node, reason, tasks] : verdict.nodes)
    if (reason.empty())
      out.line("{:<20} available : {}", node, counted(tasks, "task"));
    else
      out.line("{:<20} rejected : {}", node, reason);
}

// -A: returns one line that programs split at the semicolons.
std::string pairs(const JobReply& job) {
  static const std::vector<std::string> kNone;
  const bool any = !job.requirements.empty();
  return fmt::format(
      "\n\nNAME={};STATE={};UNAME={};GNAME={};ACCOUNT={};RCLASS={};WCLIMIT={};QUEUETIME={};"
      "STARTTIME={};TASKS={};NODES={};RFEATURES={};FLAGS={};\n\n",
      job.name, job.state, job.user, job.group, job.account, job.job_class, job.limit,
      job.submitted, std::max<std::int64_t>(job.started, 0), job.tasks,
      any ? job.requirements[0].nodes : 0, bracketed(any ? job.requirements[0].features : kNone),
      join(job.flags, ":"));
}

}  // namespace

std::string as_text(const JobReply& job) {
  if (job.pairs) return pairs(job);
  Lines out;
  head_lines(out, job);
  for (std::size_t i = 0; i < job.requirements.size(); ++i) {
    requirement_lines(out, job, i);
    out.blank();
  }
  out.blank();
  attribute_lines(out, job);
  if (job.verbose) wait_lines(out, job.waits);
  if (job.verbose && !job.lifted_by.empty())
    out.line("waits until {}{}", job.lifted_by,
             job.lifted_at < 0 ? std::string() : ": " + moment(job.lifted_at));
  for (const auto& verdict : job.verdicts) verdict_lines(out, job.name, verdict);
  out.blank(job.verdicts.empty() ? 1 : 2);
  return out.take();
}

namespace {

// Adds lines like "with 12:00:00 instead of 1:00:00:00: in 00:10:00 on Sun Sep  9 01:59:40".
void alternative_lines(Lines& out, const StartReply& reply) {
  for (const auto& alternative : reply.alternatives) {
    std::string less;
    if (alternative.procs != reply.procs)
      less = fmt::format("{} instead of {}", counted(alternative.procs, "proc"), reply.procs);
    if (alternative.limit != reply.limit)
      less += fmt::format("{}{} instead of {}", less.empty() ? "" : " and ",
                          length(alternative.limit), length(reply.limit));
    out.line("With {}: start in {} on {}", less, ahead(alternative.start, reply.now),
             date(alternative.start));
  }
}

}  // namespace

std::string as_text(const StartReply& reply) {
  Lines out;
  const std::string name =
      reply.job.empty() ? fmt::format("{}@{}", reply.procs, length(reply.limit)) : reply.job;
  out.line("job {} requires {} for {}", name, counted(reply.procs, "proc"), length(reply.limit));
  out.line("Earliest {} in {:>{}} on {}", reply.resumes ? "resumption" : "start",
           ahead(reply.start, reply.now), reply.resumes ? 11 : 16, date(reply.start));
  if (reply.completion < 0)
    out.line("Earliest completion in {:>11}", "INFINITY");
  else
    out.line("Earliest completion in {:>11} on {}", ahead(reply.completion, reply.now),
             date(reply.completion));
  out.line("Best Partition: {}", reply.partition);
  if (reply.expected_start >= 0)
    out.line("Expected start in {:>16} on {}", ahead(reply.expected_start, reply.now),
             date(reply.expected_start));
  if (reply.promised_start >= 0)
    out.line("Promised start in {:>16} on {}", ahead(reply.promised_start, reply.now),
             date(reply.promised_start));
  if (!reply.limited_by.empty()) out.line("Limited by: {}", reply.limited_by);
  if (!reply.not_counted.empty()) out.line("Not counting: {}", reply.not_counted);
  if (!reply.lifted_by.empty()) out.line("Until: {}", reply.lifted_by);
  alternative_lines(out, reply);
  for (const auto& option : reply.unknown) out.line("WARNING: '{}' is ignored", option);
  out.blank();
  return out.take();
}

std::string as_text(const HoldsReply& reply) {
  Lines out;
  out.line("{:>16} {:>10}", "JOBNAME", "HOLDS");
  out.blank();
  for (const auto& job : reply.jobs) {
    const auto cell = [&](const char* type) {
      const bool placed = std::find(job.holds.begin(), job.holds.end(), type) != job.holds.end();
      return placed ? type : "";
    };
    out.line("{:>16} {:>13} {:>6} {:>6} {:>6}", job.name, cell("User"), cell("System"),
             cell("Batch"), cell("Defer"));
  }
  return out.take();
}

namespace {

// Returns the line for each job; empty: one sentence for all jobs together.
std::string_view done_to_each(JobAction action) {
  switch (action) {
    case JobAction::cancelled:
      return "job '{}' cancelled";
    case JobAction::started:
      return "job '{}' successfully started";
    case JobAction::preempted:
    case JobAction::suspended:
    case JobAction::requeued:
    case JobAction::checkpointed:
      return "job {} successfully preempted";
    case JobAction::resumed:
      return "job {} successfully resumed";
    case JobAction::modified:
      return "job '{}' modified";
    case JobAction::cleared:
      return "job '{}' cleared";
    case JobAction::holds_set:
    case JobAction::holds_released:
    case JobAction::priority_set:
    case JobAction::qos_set:
      break;
  }
  return {};
}

std::string_view done_to_all(JobAction action) {
  if (action == JobAction::priority_set) return "job system priority adjusted";
  return action == JobAction::qos_set ? "job QOS adjusted" : "job holds adjusted";
}

// The numbers of empty lines above and below the answer of a command about jobs.
struct Margins {
  std::string_view command;
  std::size_t above = 1, below = 0;
};
constexpr Margins kMargins[] = {
    {"canceljob", 2, 1},
    {"runjob", 2, 1},
    {"mjobctl", 1, 1},
};

Margins margins_of(std::string_view command) {
  for (const Margins& row : kMargins)
    if (row.command == command) return row;
  return {command};
}

}  // namespace

std::string as_text(const JobsReply& reply) {
  Lines out;
  const auto each = done_to_each(reply.action);
  const Margins margins = margins_of(reply.command);
  bool any = false;
  out.blank(margins.above);
  for (const auto& job : reply.jobs) {
    any = any || job.done;
    if (!job.reason.empty()) out.line("ERROR:  {}", job.reason);
    if (!job.done) continue;
    if (!each.empty()) out.line("{}", fmt::format(fmt::runtime(each), job.name));
  }
  if (any && each.empty()) out.line("{}", done_to_all(reply.action));
  out.blank(margins.below);
  return out.take();
}

}  // namespace maui
