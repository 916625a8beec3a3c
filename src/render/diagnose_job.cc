// diagnose -j, -q and -p.
#include <cmath>
#include <map>

#include "render/as_text.h"
#include "render/cells.h"

namespace maui {
namespace {

std::string bound(const AmountBound& b) { return fmt::format("{}{}", b.compare, b.amount); }

// Formats a number in the table's five characters: "1000." for 1000.0; longer if it is larger.
std::string five(double value) {
  const auto whole = fmt::format("{:.0f}", std::trunc(value));
  return whole.size() > 5 ? whole : fmt::format("{:.1f}", value).substr(0, 5);
}

template <class Cell>
void component_cells(Lines& out, const PriorityReply& reply, Cell cell) {
  std::size_t at = 0;
  for (std::size_t c = 0; c < reply.components.size(); ++c) {
    const auto& component = reply.components[c];
    out.part(" {:>5}(", cell(c, -1));
    for (std::size_t s = 0; s < component.subcomponents.size(); ++s, ++at)
      out.part("{}{:>5}", s == 0 ? "" : ":", cell(c, static_cast<int>(at)));
    out.part(")");
  }
  out.end_line();
}

// Returns the subcomponents of all components in one list.
std::vector<std::pair<std::size_t, PrioritySubcomponent>> flat(const PriorityReply& reply) {
  std::vector<std::pair<std::size_t, PrioritySubcomponent>> all;
  for (std::size_t c = 0; c < reply.components.size(); ++c)
    for (const auto& s : reply.components[c].subcomponents) all.emplace_back(c, s);
  return all;
}

void heading(Lines& out, const PriorityReply& reply) {
  const auto subs = flat(reply);
  const auto index = [](int s) { return static_cast<std::size_t>(s); };
  out.part("{:<18} {:>12}* ", "Job", "PRIORITY");
  component_cells(out, reply, [&](std::size_t c, int s) {
    return std::string(head(s < 0 ? reply.components[c].label : subs[index(s)].second.label, 5));
  });
  out.part("{:>20}   --------  ", "Weights");
  component_cells(out, reply, [&](std::size_t c, int s) {
    return fmt::format("{:g}", s < 0 ? reply.components[c].weight : subs[index(s)].second.weight);
  });
}

// Adds each part's share of the whole, over all jobs shown.  Negative parts count with their
// absolute values, so that no share exceeds the whole.
void contribution_line(Lines& out, const PriorityReply& reply) {
  const auto subs = flat(reply);
  std::vector<double> components(reply.components.size()), parts(subs.size());
  double total = 0;
  for (const auto& job : reply.jobs) {
    std::vector<double> sizes(components.size());
    for (std::size_t s = 0; s < parts.size(); ++s) {
      const double part = reply.components[subs[s].first].weight * job.weighted[s];
      parts[s] += part;
      sizes[subs[s].first] += std::abs(part);
    }
    for (std::size_t c = 0; c < components.size(); ++c) {
      components[c] += job.contributions[c];
      total += std::max(sizes[c], std::abs(job.contributions[c]));
    }
  }
  out.part("{:<20}   --------  ", "Percent Contribution");
  component_cells(out, reply, [&](std::size_t c, int s) {
    return five(percent(s < 0 ? components[c] : parts[static_cast<std::size_t>(s)], total));
  });
}

bool complete(const PriorityReply& reply, const PriorityJob& job) {
  return job.contributions.size() == reply.components.size() &&
         job.weighted.size() == flat(reply).size();
}

void job_line(Lines& out, const PriorityReply& reply, const PriorityJob& job) {
  double total = 0;
  for (const double c : job.contributions) total += std::abs(c);
  out.part("{:<18} {:>12}{} ", job.name, job.priority, job.system_priority ? '*' : ' ');
  component_cells(out, reply, [&](std::size_t c, int s) {
    return five(s < 0 ? percent(job.contributions[c], total)
                      : job.weighted[static_cast<std::size_t>(s)]);
  });
}

// Lists the active queue in order of end, with each job's line in the table above.
void active_queue_lines(Lines& out, const JobsDiagnosisReply& reply) {
  if (reply.active_queue.empty()) return;
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < reply.jobs.size(); ++i) places[reply.jobs[i].name] = i + 1;
  out.blank();
  out.line("MAQ table ({} job slots)", reply.active_queue.size());
  for (std::size_t i = 0; i < reply.active_queue.size(); ++i)
    out.line("MAQ[{:02}] --> Job[{:03}] '{}'", i, places[reply.active_queue[i]],
             reply.active_queue[i]);
  out.blank();
}

}  // namespace

std::string as_text(const JobsDiagnosisReply& reply) {
  Lines out;
  out.line(
      "Name                  State Par Proc QOS     WCLimit R  Min     User    Group  Account  "
      "QueuedTime  Network  Opsys   Arch    Mem   Disk  Procs       Class Features");
  out.blank();
  for (const auto& j : reply.jobs) {
    out.line(
        "{:<18} {:>8} {:>3} {:>4} {:>3} {:>11} {:d} {:>4} {:>8} {:>8} {:>8} {:>11} {:>8} {:>6} "
        "{:>6} {:>6} {:>6} {:>6} {:>11} {}",
        j.name, j.state, head(j.partition, 3), j.procs, head(j.qos, 3), length(j.limit), j.reserved,
        j.min_procs, j.user, j.group, j.account, length(j.queue_time), j.network, j.opsys, j.arch,
        bound(j.memory), bound(j.disk), bound(j.node_procs),
        fmt::format("[{}:{}]", j.job_class, j.initiators), bracketed(j.features));
    for (const auto& warning : j.warnings) out.line("WARNING:  {}", warning);
  }
  out.blank();
  if (reply.all) {
    active_queue_lines(out, reply);
    for (const auto& warning : reply.general_warnings) out.line("WARNING:  {}", warning);
    out.blank();
    out.line("Total Jobs: {}  Active Jobs: {}", reply.jobs.size(), reply.active_jobs);
    out.blank();
  }
  return out.take();
}

std::string as_text(const BlockedJobsReply& reply) {
  Lines out;
  out.line("Diagnosing blocked jobs (policylevel {}  partition {})", reply.policy_level,
           reply.partition);
  out.blank();
  for (const auto& job : reply.jobs) out.line("job {} {}", job.name, job.reason);
  out.blank();
  return out.take();
}

std::string as_text(const PriorityReply& reply) {
  Lines out;
  out.line("diagnosing job priority information (partition: {})", reply.partition);
  out.blank();
  PriorityReply shown{reply.partition, reply.components, {}};
  for (const auto& job : reply.jobs)
    if (complete(reply, job)) shown.jobs.push_back(job);
  heading(out, shown);
  out.blank();
  for (const auto& job : shown.jobs) job_line(out, shown, job);
  if (!shown.jobs.empty()) {
    out.blank();
    contribution_line(out, shown);
  }
  out.blank();
  out.line("* indicates system prio set on job");
  out.blank();
  return out.take();
}

}  // namespace maui
