// Attributes of jobs.
#include <algorithm>
#include <array>

#include "base/duration.h"
#include "base/enum_names.h"
#include "base/job_flag_names.h"
#include "model/job_extensions.h"
#include "rm/wiki_comment.h"
#include "rm/wiki_table.h"

namespace maui {
namespace wiki {
namespace {

constexpr std::string_view kTime = "seconds since the epoch";
// Slurm says with it that an amount is meant for each processor; DMEM tells that properly.
constexpr std::int64_t kPerProcessor = std::int64_t{1} << 31;

// The first name of a state is the one that is written.
constexpr std::array<EnumName<WikiState>, 13> kJobStates{{
    {WikiState::idle, "Idle"},
    {WikiState::hold, "Hold"},
    {WikiState::starting, "Starting"},
    {WikiState::running, "Running"},
    {WikiState::suspended, "Suspended"},
    {WikiState::completed, "Completed"},
    {WikiState::removed, "Removed"},
    {WikiState::unknown, "Unknown"},
    {WikiState::removed, "Vacated"},
    {WikiState::removed, "Failed"},
    {WikiState::removed, "NotRun"},
    {WikiState::hold, "BatchHold"},
    {WikiState::hold, "UserHold"},
}};

constexpr std::array<EnumName<Comparison>, 6> kComparisons{{
    {Comparison::at_least, ">="},
    {Comparison::more, ">"},
    {Comparison::equal, "="},
    {Comparison::equal, "=="},
    {Comparison::at_most, "<="},
    {Comparison::less, "<"},
}};

Requirement& requirement_of(WikiJob& job) { return job.report.request.requirements.front(); }
const Requirement& requirement_of(const WikiJob& job) {
  return job.report.request.requirements.front();
}

bool state(std::string_view value, WikiJob& job) {
  job.state = value_of<WikiState>(kJobStates, trimmed(wiki_text(value)));
  return job.state.has_value();
}

bool limit(std::string_view value, WikiJob& job) {
  const auto known = parse_duration(wiki_text(value));
  if (known) job.report.request.limit = *known;
  return known.has_value();
}

template <std::string JobReport::*Member>
bool name(std::string_view value, WikiJob& job) {
  return read_text(value, job.report.*Member);
}
template <std::string JobReport::*Member>
std::string name_of_job(const WikiJob& job) {
  return wiki_escaped(job.report.*Member);
}

template <std::string Requirement::*Member>
bool need(std::string_view value, WikiJob& job) {
  return read_text(value, requirement_of(job).*Member);
}
template <std::string Requirement::*Member>
std::string need_of(const WikiJob& job) {
  return wiki_escaped(requirement_of(job).*Member);
}

// A node of rubbish may have room for any number; a start names one for each task.
constexpr int kMostTasks = 1'000'000;
constexpr std::string_view kCount = "a whole number from 0 to 1000000";

template <int Requirement::*Member>
bool count(std::string_view value, WikiJob& job) {
  int& number = requirement_of(job).*Member;
  return read_amount(value, number) && number <= kMostTasks;
}
template <int Requirement::*Member>
std::string count_of(const WikiJob& job) {
  return number_text(requirement_of(job).*Member);
}

template <std::uint32_t What>
bool per_task(std::string_view value, WikiJob& job) {
  Resources::Quantity amount = 0;
  if (!read_amount(value, amount)) return false;
  requirement_of(job).per_task.set(ConsumableId(What), amount);
  return true;
}
template <std::uint32_t What>
std::string per_task_of(const WikiJob& job) {
  const auto amount = requirement_of(job).per_task.get(ConsumableId(What));
  return ConsumableId(What) == kProcs && amount == 1 ? std::string() : number_text(amount);
}

template <Bound Requirement::*Member>
bool configured(std::string_view value, WikiJob& job) {
  const auto amount = parse_integer<std::int64_t>(wiki_text(value));
  if (!amount || *amount < 0) return false;
  Bound& bound = requirement_of(job).*Member;
  bound = Bound{};
  if (*amount > 0 && *amount < kPerProcessor)
    bound = {Comparison::at_least, static_cast<Resources::Quantity>(*amount)};
  return true;
}
template <Bound Requirement::*Member>
std::string configured_of(const WikiJob& job) {
  const Bound& bound = requirement_of(job).*Member;
  return bound.compare == Comparison::any ? std::string() : std::to_string(bound.amount);
}

template <Bound Requirement::*Member>
bool comparison(std::string_view value, WikiJob& job) {
  const auto known = value_of<Comparison>(kComparisons, wiki_text(value));
  Bound& bound = requirement_of(job).*Member;
  if (known && bound.compare != Comparison::any) bound.compare = *known;
  return known.has_value();
}
template <Bound Requirement::*Member>
std::string comparison_of(const WikiJob& job) {
  const Bound& bound = requirement_of(job).*Member;
  if (bound.compare == Comparison::any) return {};
  return std::string(name_of<Comparison>(kComparisons, bound.compare));
}

template <Time Job::*Member>
bool time(std::string_view value, WikiJob& job) {
  return read_time(value, job.report.job.*Member, Job().*Member);
}
template <Time Job::*Member>
std::string time_of(const WikiJob& job) {
  return time_text(job.report.job.*Member);
}

bool features(std::string_view value, WikiJob& job) {
  std::string text(value);
  for (char& c : text)
    if (c == '[' || c == ']') c = ':';
  job.report.features = {wiki_list(text)};
  return true;
}
std::string features_of(const WikiJob& job) {
  return job.report.features.empty() ? std::string() : wiki_joined(job.report.features.front());
}

constexpr std::string_view kInitiators = "class:";

// "[batch:1]", "batch"; what goes beyond one initiator a task is asked for by name.
bool job_class(std::string_view value, WikiJob& job) {
  Counted classes;
  if (!read_counted(value, classes) || classes.size() > 1) return false;
  if (classes.empty()) return true;
  job.report.job_class = classes.front().first;
  if (classes.front().second > 1)
    job.report.generic.front().emplace_back(fmt::format("class:{}", classes.front().first),
                                            classes.front().second);
  return true;
}
std::string job_class_of(const WikiJob& job) {
  if (job.report.job_class.empty()) return {};
  int initiators = 1;
  for (const auto& [name, amount] : job.report.generic.front())
    if (name.starts_with(kInitiators)) initiators = amount;
  return bracketed({{wiki_escaped(job.report.job_class), initiators}});
}

bool generic(std::string_view value, WikiJob& job) {
  Counted wanted;
  if (!read_counted(value, wanted)) return false;
  auto& all = job.report.generic.front();
  all.insert(all.end(), wanted.begin(), wanted.end());
  return true;
}
std::string generic_of(const WikiJob& job) {
  Counted wanted;
  for (const auto& one : job.report.generic.front())
    if (!one.first.starts_with(kInitiators)) wanted.push_back(one);
  return counted_text(wanted);
}

bool task_list(std::string_view value, WikiJob& job) {
  job.task_list = wiki_list(value);
  return true;
}

// How the list binds is settled when the number of tasks is known.
bool host_list(std::string_view value, WikiJob& job) {
  auto text = wiki_text(value);
  if (text.ends_with('^') || text.ends_with('*')) {
    job.host_mark = text.substr(text.size() - 1);
    text.pop_back();
  }
  std::replace(text.begin(), text.end(), ',', ':');
  if (text.empty()) return true;
  auto hosts = parse_host_list(text, ':');
  if (!hosts) return false;
  job.report.host_list = *std::move(hosts);
  return true;
}
std::string host_list_of(const WikiJob& job) {
  return job.report.host_list.empty() ? std::string()
                                      : wiki_joined(job.report.host_list) + job.host_mark;
}

// "2", "2-4", "2,4": at most the last.
bool node_range(std::string_view value, WikiJob& job) {
  const auto text = wiki_text(value);
  return read_amount(text.substr(text.find_last_of(",-") + 1), job.most_nodes);
}

bool partitions(std::string_view value, WikiJob& job) {
  job.report.partition = wiki_text(value);
  return true;
}

bool flags(std::string_view value, WikiJob& job) {
  std::string text = wiki_text(value);
  for (char& c : text)
    if (c == '[' || c == ']' || c == ':') c = ',';
  for (const auto word : split(text, ','))
    if (!trimmed(word).empty() && !apply_flag(trimmed(word), job.report)) return false;
  return true;
}
std::string flags_of(const WikiJob& job) {
  std::string text;
  for (const auto& [flag, word] : kJobFlagNames)
    if (has(job.report.job.flags, flag) && flag != JobFlag::host_list)
      text += fmt::format("{}{}", text.empty() ? "" : ",", word);
  return text;
}

bool reservation(std::string_view value, WikiJob& job) {
  read_text(value, job.report.job.required_reservation);
  put(job.report.job.flags, JobFlag::adv_res, !job.report.job.required_reservation.empty());
  return true;
}

template <std::string Job::*Member>
bool words_of_job(std::string_view value, WikiJob& job) {
  job.report.job.*Member = wiki_text(value);
  return true;
}
template <std::string Job::*Member>
std::string words_from(const WikiJob& job) {
  return wiki_escaped(job.report.job.*Member);
}

const Table<WikiJob>& job_table() {
  constexpr auto procs = 0, memory = 1, swap = 2, disk = 3;
  using R = Requirement;
  static const Table<WikiJob> kTable({
      {"UPDATETIME"},
      {"STATE", "Idle, Hold, Starting, Running, Suspended, Completed, Removed or Unknown", state,
       [](const WikiJob& job) {
         return job.state ? std::string(name_of<WikiState>(kJobStates, *job.state)) : std::string();
       }},
      {"WCLIMIT", "seconds", limit,
       [](const WikiJob& job) { return number_text(job.report.request.limit.raw()); }},
      {"TASKS", kCount, count<&R::tasks>, count_of<&R::tasks>},
      {"NODES", kCount, count<&R::nodes>, count_of<&R::nodes>},
      {"MAXNODES", kAmount,
       [](std::string_view value, WikiJob& job) { return read_amount(value, job.most_nodes); },
       [](const WikiJob& job) { return number_text(job.most_nodes); }},
      {"NODERANGE", "MIN-MAX", node_range},
      {"TASKPERNODE", kCount, count<&R::tasks_per_node>, count_of<&R::tasks_per_node>},
      {"DPROCS", kAmount, per_task<procs>, per_task_of<procs>},
      {"DMEM", kAmount, per_task<memory>, per_task_of<memory>},
      {"DSWAP", kAmount, per_task<swap>, per_task_of<swap>},
      {"DDISK", kAmount, per_task<disk>, per_task_of<disk>},
      {"DGRES", "generic resources as TAPE:2,MATLAB:6", generic, generic_of},
      {"QUEUETIME", kTime, time<&Job::submitted>, time_of<&Job::submitted>},
      {"STARTDATE", kTime, time<&Job::earliest_start>, time_of<&Job::earliest_start>},
      {"ENDDATE", kTime, time<&Job::deadline>, time_of<&Job::deadline>},
      {"UNAME", {}, name<&JobReport::user>, name_of_job<&JobReport::user>},
      {"GNAME", {}, name<&JobReport::group>, name_of_job<&JobReport::group>},
      {"RMEM", kAmount, configured<&R::memory>, configured_of<&R::memory>},
      {"RMEMCMP", "one of >= > = <= <", comparison<&R::memory>, comparison_of<&R::memory>},
      {"RSWAP", kAmount, configured<&R::swap>, configured_of<&R::swap>},
      {"RSWAPCMP", "one of >= > = <= <", comparison<&R::swap>, comparison_of<&R::swap>},
      {"RDISK", kAmount, configured<&R::disk>, configured_of<&R::disk>},
      {"RDISKCMP", "one of >= > = <= <", comparison<&R::disk>, comparison_of<&R::disk>},
      {"RFEATURES", {}, features, features_of},
      {"ROPSYS", {}, need<&R::operating_system>, need_of<&R::operating_system>},
      {"RARCH", {}, need<&R::architecture>, need_of<&R::architecture>},
      {"RNETWORK", {}, need<&R::network>, need_of<&R::network>},
      {"ACCOUNT", {}, name<&JobReport::account>, name_of_job<&JobReport::account>},
      {"QOS", {}, name<&JobReport::qos>, name_of_job<&JobReport::qos>},
      {"RCLASS", "one class as [batch:1]", job_class, job_class_of},
      {"HOSTLIST", "names of hosts with colons between them", host_list, host_list_of},
      {"PARTITIONMASK", {}, partitions, [](const WikiJob& job) { return job.report.partition; }},
      {"FLAGS", "names of job flags with commas between them", flags, flags_of},
      {"REQRSV", {}, reservation, words_from<&Job::required_reservation>},
      {"EXEC", {}, words_of_job<&Job::executable>, words_from<&Job::executable>},
      {"COMMENT", {}, words_of_job<&Job::comment>, words_from<&Job::comment>},
      {"STARTTIME", kTime, time<&Job::started>, time_of<&Job::started>},
      {"SUSPENDTIME", kAmount,
       [](std::string_view value, WikiJob& job) {
         Resources::Quantity seconds = 0;
         const bool known = read_amount(value, seconds);
         job.report.job.suspended_time = Seconds(seconds);
         return known;
       },
       [](const WikiJob& job) { return number_text(job.report.job.suspended_time.raw()); }},
      {"COMPLETETIME", kTime, time<&Job::ended>, time_of<&Job::ended>},
      {"TASKLIST", {}, task_list, [](const WikiJob& job) { return wiki_joined(job.task_list); }},
      {"EXITCODE", "a whole number",
       [](std::string_view value, WikiJob& job) {
         const auto code = parse_integer<int>(wiki_text(value));
         job.exit_code = code.value_or(0);
         return code.has_value();
       },
       [](const WikiJob& job) { return job.ended() ? std::to_string(job.exit_code) : ""; }},
      {"REJMESSAGE",
       {},
       [](std::string_view value, WikiJob& job) { return read_text(value, job.message); },
       [](const WikiJob& job) { return wiki_escaped(job.message); }},
      {"PRIORITY"},
      {"NAME"},
      {"ARGS"},
      {"IWD"},
      {"ENV"},
      {"INPUT"},
      {"OUTPUT"},
      {"ERROR"},
      {"REJCODE"},
      {"REJCOUNT"},
      {"EVENT"},
      {"RESACCESS"},
      {"PREF"},
      {"SUBMITSTRING"},
  });
  return kTable;
}

// What several attributes say together.
void settle(WikiJob& job) {
  Requirement& one = requirement_of(job);
  const int each = std::max(1, one.tasks_per_node);
  if (one.tasks == 0 && one.nodes > 0) {  // so many nodes, and no word of tasks
    one.tasks = one.nodes * each;
    one.tasks_per_node = each;
  }
  // Servers that always tell a node count mean "at least" by it; of one node, all or nothing.
  if (job.most_nodes > 0)
    one.nodes = job.most_nodes;
  else if (one.nodes == 1 && one.tasks > 1)
    one.nodes = 0;
  if (job.report.host_list.empty()) return;
  put(job.report.job.flags, JobFlag::host_list);
  const auto hosts = static_cast<int>(job.report.host_list.size());
  const bool some = job.host_mark == "^" || (job.host_mark.empty() && one.tasks < hosts);
  job.report.host_list_use = some ? HostListUse::some_of : HostListUse::all_of;
  if (job.host_mark.empty() && !some) one.nodes = hosts;  // these and no others
}

}  // namespace
}  // namespace wiki

WikiJob::WikiJob() {
  report.request.limit = Seconds(0);
  report.request.requirements.front().tasks = 0;
  report.generic.resize(1);
}

Result<WikiJob> read_wiki_job(const WikiRecord& record, WikiNotes& notes) {
  WikiJob job;
  job.report.name = record.id;
  if (const auto status = wiki::job_table().read("job", record, job, notes); !status)
    return status.error();
  wiki::settle(job);
  job.report.job.qos_requested = job.report.qos;
  if (const auto wrong = apply_extensions(extensions_in(job.report.job.comment), job.report))
    notes.problems.push_back(fmt::format("job '{}': COMMENT: {}", record.id, *wrong));
  return job;
}

std::string missing_in(const WikiJob& job) {
  std::string names;
  const auto need = [&](bool there, std::string_view name) {
    if (!there) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  };
  need(!job.report.user.empty(), "UNAME");
  need(job.state.has_value(), "STATE");
  need(job.report.request.limit > Seconds(0), "WCLIMIT");
  need(wiki::requirement_of(job).tasks > 0, "TASKS");
  return names;
}

WikiRecord write_wiki_job(const WikiJob& job, Time updated) {
  WikiRecord record{job.report.name, {}};
  if (updated > Time(0)) record.set("UPDATETIME", std::to_string(updated.raw()));
  wiki::job_table().write(job, record);
  return record;
}

std::vector<std::string_view> wiki_job_attributes() { return wiki::job_table().names(); }

}  // namespace maui
