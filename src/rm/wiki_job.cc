// Reads job records: combines related attributes, and reads the requirements beyond the first.
#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "model/job_extensions.h"
#include "rm/wiki_comment.h"
#include "rm/wiki_job_attributes.h"

namespace maui {
namespace wiki {
namespace {

// Applies rules that involve several attributes.
void settle(WikiJob& job) {
  if (job.barred && job.state == WikiState::idle) job.state = WikiState::hold;
  Requirement& requirement = requirement_of(job);
  const int each = std::max(1, requirement.tasks_per_node);
  const auto note_problem = [&](std::string what) {  // unless there is a problem already
    if (job.report.problem.empty()) job.report.problem = std::move(what);
  };
  const auto listed = std::min<std::size_t>(job.report.host_list.size(), kMostJobTasks);
  if (requirement.tasks == 0 && requirement.least_nodes == 0 && listed > 0)  // a task on each
    requirement.tasks = job.host_mark == "^" ? 1 : static_cast<int>(listed);
  if (requirement.tasks == 0 &&
      requirement.least_nodes > 0) {  // a number of nodes, but no number of tasks
    const auto tasks = std::int64_t{requirement.least_nodes} * each;
    if (tasks > kMostJobTasks)
      note_problem(fmt::format("{} of {} each, expected at most {} tasks",
                               counted(requirement.least_nodes, "node"), counted(each, "task"),
                               kMostJobTasks));
    requirement.tasks = static_cast<int>(std::min<std::int64_t>(tasks, kMostJobTasks));
    requirement.tasks_per_node = each;
  }
  const int tasks = std::max({requirement.tasks, requirement.tasks_per_node, 1});
  const int most = std::numeric_limits<int>::max() / tasks;
  struct Amount {
    ConsumableId what;
    std::string_view too_much, unit;
  };
  constexpr Amount kAmounts[] = {{kProcs, "too many processors", "processors"},
                                 {kMemory, "too much memory", "MB"},
                                 {kSwap, "too much swap", "MB"},
                                 {kDisk, "too much disk", "MB"}};
  for (const auto& [what, too_much, unit] : kAmounts) {
    if (requirement.per_task.get(what) <= most) continue;
    note_problem(fmt::format("{}: {} of {} {} each", too_much, counted(tasks, "task"),
                             requirement.per_task.get(what), unit));
    requirement.per_task.set(what, most);
  }
  if (requirement.tasks > 0)
    requirement.tasks = std::max(requirement.tasks, requirement.least_nodes);
  if (requirement.least_nodes == 1) requirement.least_nodes = 0;  // like a job that does not ask
  if (job.report.host_list.empty()) return;
  put(job.report.job.flags, JobFlag::host_list);
  const auto hosts = static_cast<int>(job.report.host_list.size());
  const bool some = job.host_mark == "^" || (job.host_mark.empty() && requirement.tasks < hosts);
  job.report.host_list_use = some ? HostListUse::some_of : HostListUse::all_of;
  const bool others = job.max_nodes_given || requirement.least_nodes > hosts;
  job.report.only_hosts = job.host_mark.empty() && !some && !others;
}

}  // namespace
}  // namespace wiki

WikiJob::WikiJob(std::size_t most) : most_hosts(most) {
  report.request.limit = Seconds(0);
  report.request.requirements.front().tasks = 0;
  report.generic.resize(1);
  report.requirement_hosts.resize(1);
}

namespace {

/// Reads the further requirements of a job, whose attributes have number suffixes: "TASKS.1".
void read_further(const WikiRecord& record, WikiJob& job, WikiNotes& notes) {
  std::map<int, WikiRecord> parts;
  for (const auto& [name, value] : record.attributes) {
    const auto dot = name.rfind('.');
    const auto number =
        dot == std::string::npos ? std::nullopt : parse_integer<int>(name.substr(dot + 1));
    if (number && *number > 0) parts[*number].attributes.emplace_back(name.substr(0, dot), value);
  }
  job.report.request.apart = job.apart;
  job.report.job.kinds_accepted = true;
  for (auto& [number, part] : parts) {
    part.id = record.id;
    WikiJob further;
    if (const auto status = wiki::job_table().read("job", part, further, notes); !status)
      job.report.problem = status.error().what;
    wiki::settle(further);
    if (job.report.problem.empty()) job.report.problem = further.report.problem;
    if (job.report.problem.empty() && wiki::requirement_of(further).tasks <= 0)
      job.report.problem =
          fmt::format("expected a number of tasks, TASKS.{0}, or of nodes, NODES.{0}", number);
    job.report.request.requirements.push_back(wiki::requirement_of(further));
    job.report.features.resize(job.report.request.requirements.size() - 1);
    job.report.features.push_back(further.report.features.empty()
                                      ? std::vector<std::string>()
                                      : std::move(further.report.features.front()));
    job.report.generic.push_back(std::move(further.report.generic.front()));
    job.report.requirement_hosts.push_back(std::move(further.report.requirement_hosts.front()));
  }
}

void write_further(const WikiJob& job, WikiRecord& record) {
  const auto& report = job.report;
  for (std::size_t i = 1; i < report.request.requirements.size(); ++i) {
    WikiJob further;
    wiki::requirement_of(further) = report.request.requirements[i];
    if (i < report.features.size()) further.report.features = {report.features[i]};
    if (i < report.generic.size()) further.report.generic = {report.generic[i]};
    if (i < report.requirement_hosts.size())
      further.report.requirement_hosts = {report.requirement_hosts[i]};
    WikiRecord part;
    wiki::job_table().write(further, part);
    for (auto& [name, value] : part.attributes)
      record.attributes.emplace_back(fmt::format("{}.{}", name, i), std::move(value));
  }
}

WikiRecord without_further(const WikiRecord& record) {
  WikiRecord first{record.id, {}};
  for (const auto& attribute : record.attributes)
    if (attribute.first.find('.') == std::string::npos) first.attributes.push_back(attribute);
  return first;
}

/// Reads the extensions in the comment; returns what is wrong with them.  If they name a node set,
/// a job with several classes is for the first of them: a job has one node set.
std::optional<ExtensionFaults> read_extensions(std::string_view comment, std::size_t most_hosts,
                                               JobReport& report) {
  const auto of_classes = std::string(report.job.node_set);
  auto wrong = apply_extensions(extensions_in(comment), report, most_hosts);
  if (report.any_class && report.job.node_set != of_classes)
    report.any_class = report.job.node_set_binds = false;
  return wrong;
}

}  // namespace

WikiJob read_wiki_job(const WikiRecord& record, WikiNotes& notes, std::size_t most_hosts) {
  WikiJob job(most_hosts);
  job.report.name = record.id;
  const bool several =
      std::any_of(record.attributes.begin(), record.attributes.end(),
                  [](auto& attribute) { return attribute.first.find('.') != std::string::npos; });
  if (const auto status =
          wiki::job_table().read("job", several ? without_further(record) : record, job, notes);
      !status)
    job.report.problem = status.error().what;
  // The ignored attributes may be requirements, without which the job must not start.
  if (record.cut)
    job.report.problem =
        fmt::format("its record has more than {} attributes, which are not read", kMostAttributes);
  for (const auto& flag : job.unknown_flags) notes.unknown.insert("FLAGS=" + flag);
  wiki::settle(job);
  if (several) read_further(record, job, notes);
  job.report.job.qos_requested = job.report.qos;
  std::string_view comment = job.report.job.comment;
  job.report.job.dependencies = certain_dependencies(take_dependencies_of_slurm(comment));
  if (auto wrong = read_extensions(comment, most_hosts, job.report)) {
    notes.problems.push_back(fmt::format("job '{}': COMMENT: {}", record.id, wrong->what));
    if (wrong->decides && job.waits() && job.report.problem.empty())
      job.report.problem = fmt::format("COMMENT: {}", wrong->what);
    job.ignored_extensions = std::move(wrong->what);
  }
  return job;
}

std::string missing_in(const WikiJob& job) {
  std::string names;
  const auto need = [&](bool there, std::string_view name) {
    if (!there) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  };
  need(!job.report.user.empty(), "UNAME");
  need(job.state.has_value(), "STATE");
  need(wiki::requirement_of(job).tasks > 0, "TASKS");
  return names;
}

WikiRecord write_wiki_job(const WikiJob& job, Time updated) {
  WikiRecord record{job.report.name, {}};
  if (updated > Time(0)) record.set("UPDATETIME", std::to_string(updated.raw()));
  wiki::job_table().write(job, record);
  write_further(job, record);
  return record;
}

std::vector<UnusedAttribute> unused_job_attributes(const WikiRecord& record,
                                                   std::size_t most_hosts) {
  auto all = wiki::job_table().unused_attributes(record);
  WikiNotes notes;
  auto job = read_wiki_job(record, notes, most_hosts);
  for (auto& flag : job.unknown_flags) all.push_back({"FLAGS", std::move(flag), true});
  if (!job.ignored_extensions.empty())
    all.push_back({"COMMENT", std::move(job.ignored_extensions), true});
  if (const auto* priority = record.find("PRIORITY");
      priority != nullptr && parse_number(wiki_text(*priority)) != 0.0)
    all.push_back({"PRIORITY", wiki_text(*priority), true});
  return all;
}

std::vector<std::string_view> wiki_job_attributes() { return wiki::job_table().names(); }

}  // namespace maui
