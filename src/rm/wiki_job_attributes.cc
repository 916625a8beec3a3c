// The reader and the writer of each job attribute.
#include "rm/wiki_job_attributes.h"

#include <algorithm>
#include <array>

#include "base/access_names.h"
#include "base/duration.h"
#include "base/enum_names.h"
#include "base/job_flag_names.h"
#include "maui/initiators.h"
#include "model/job_extensions.h"
#include "rm/wiki_job_hosts.h"

namespace maui::wiki {
namespace {

constexpr std::string_view kTime = "seconds since the epoch";
// Slurm sets this bit in an amount per processor; DMEM expresses that properly.
constexpr std::int64_t kPerProcessor = std::int64_t{1} << 31;

// Writers use the first name of a state.
constexpr std::array<EnumName<WikiState>, 15> kJobStates{{
    {WikiState::idle, "Idle"},
    {WikiState::hold, "Hold"},
    {WikiState::system_hold, "SystemHold"},
    {WikiState::both_holds, "UserSystemHold"},
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

/// Slurm's WIKI reports a year for a job without limit; such a job, like one without WCLIMIT, gets
/// SYSTEMDEFAULTJOBWALLTIME.
constexpr Seconds kNoLimit{365 * kDaySeconds};

bool state(std::string_view value, WikiJob& job) {
  job.state = value_of<WikiState>(kJobStates, trimmed(wiki_text(value)));
  return job.state.has_value();
}

bool limit(std::string_view value, WikiJob& job) {
  const auto known = parse_duration(wiki_text(value));
  if (!known || *known < Seconds(0)) return false;
  const bool none = *known == kNoLimit || *known >= kUnlimited;
  job.report.request.limit = none ? Seconds(0) : *known;
  return true;
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

constexpr std::string_view kCount = "a whole number from 0 to 1000000";
constexpr std::string_view kCompare = "one of >= > = <= <";
constexpr std::string_view kHosts = "host names separated by colons, not too many";

template <int Requirement::*Member>
bool count(std::string_view value, WikiJob& job) {
  int number = 0;
  if (!read_amount(value, number) || number > kMostJobTasks) return false;
  requirement_of(job).*Member = number;
  return true;
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

bool bind_to_set(std::string_view text, JobReport& job) {
  job.job.node_set = text;
  job.job.node_set_binds = !text.empty();
  return true;
}

// "[batch:1]", "batch"; more than one initiator per task becomes a named generic resource.  With
// several classes, the job is in the first, and its nodes must all be in one of the classes, unless
// it has a node set of its own: a job has one node set.
bool job_class(std::string_view value, WikiJob& job) {
  Counted classes;
  if (!read_counted(value, classes)) return false;
  if (classes.empty()) return true;
  job.report.job_class = classes.front().first;
  if (classes.size() > 1 && job.report.job.node_set.empty()) {
    std::string names;
    for (const auto& [name, count] : classes) names += (names.empty() ? "" : ",") + name;
    job.report.any_class = true;
    return bind_to_set("ONEOF:CLASS:" + names, job.report);
  }
  if (classes.front().second > 1)
    job.report.generic.front().emplace_back(initiator_name(classes.front().first),
                                            classes.front().second);
  return true;
}
std::string job_class_of(const WikiJob& job) {
  if (job.report.job_class.empty()) return {};
  if (job.report.any_class) {
    const std::string& set = job.report.job.node_set;
    Counted classes;
    for (const auto name : split(std::string_view(set).substr(set.rfind(':') + 1), ','))
      classes.emplace_back(wiki_escaped(name), 1);
    return bracketed(classes);
  }
  int initiators = 1;
  for (const auto& [name, amount] : job.report.generic.front())
    if (name.starts_with(kInitiatorPrefix)) initiators = amount;
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
  for (const auto& resource : job.report.generic.front())
    if (!resource.first.starts_with(kInitiatorPrefix)) wanted.push_back(resource);
  return counted_text(wanted);
}

bool task_list(std::string_view value, WikiJob& job) {
  job.task_list = wiki_list(value);
  return true;
}

bool only_host(std::string_view value, WikiJob& job) {
  return read_text(value, job.report.requirement_hosts.front());
}
std::string only_host_of(const WikiJob& job) {
  return wiki_escaped(job.report.requirement_hosts.front());
}

// "2-4", "2,4", or "2" for exactly two nodes.
bool node_range(std::string_view value, WikiJob& job) {
  const auto text = wiki_text(value);
  const auto last = text.find_last_of(",-");
  int least = 0, most = 0;
  if (!read_amount(text.substr(0, text.find_first_of(",-")), least) ||
      !read_amount(text.substr(last == std::string::npos ? 0 : last + 1), most) ||
      least > kMostJobTasks || (most > 0 && most < least))
    return false;
  requirement_of(job).least_nodes = least;
  requirement_of(job).nodes = most;
  return true;
}

bool partitions(std::string_view value, WikiJob& job) {
  job.report.partition_mask = wiki_text(value);
  for (char& c : job.report.partition_mask)
    if (c == ',') c = ':';
  return true;
}

bool flags(std::string_view value, WikiJob& job) {
  std::string text = wiki_text(value);
  for (char& c : text)
    if (c == '[' || c == ']' || c == ':') c = ',';
  for (const auto word : split(text, ','))
    if (!trimmed(word).empty() && !apply_flag(trimmed(word), job.report))
      job.unknown_flags.emplace_back(trimmed(word));
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

template <auto Job::*Member>
bool words_of_job(std::string_view value, WikiJob& job) {
  job.report.job.*Member = wiki_text(value);
  return true;
}
template <auto Job::*Member>
std::string words_from(const WikiJob& job) {
  return wiki_escaped(job.report.job.*Member);
}

// Reads an amount in use, which may have a fraction; CPU time may be written as H:MM:SS.
template <auto JobUse::*Member>
bool used(std::string_view value, WikiJob& job) {
  const auto text = wiki_text(value);
  auto number = parse_number(text);
  if (!number)
    if (const auto time = parse_duration(text); time && *time < kUnlimited)
      number = static_cast<double>(time->raw());
  if (!number || *number < 0 || *number > 1e15) return false;
  if (!job.use) job.use.emplace();
  if constexpr (std::is_same_v<decltype(Member), std::int64_t JobUse::*>)
    *job.use.*Member = static_cast<std::int64_t>(*number);
  else
    *job.use.*Member = *number;
  return true;
}
template <auto JobUse::*Member>
std::string used_of(const WikiJob& job) {
  if (!job.use || *job.use.*Member <= 0) return {};
  return fmt::format("{}", *job.use.*Member);
}

}  // namespace

const Table<WikiJob>& job_table() {
  constexpr auto procs = 0, memory = 1, swap = 2, disk = 3;
  using R = Requirement;
  using enum Weight;
  static const Table<WikiJob> kTable({
      {"UPDATETIME"},
      {"STATE",
       "Idle, Hold, SystemHold, UserSystemHold, Starting, Running, Suspended, Completed, "
       "Removed or Unknown",
       state,
       [](const WikiJob& job) {
         return job.state ? std::string(name_of<WikiState>(kJobStates, *job.state)) : std::string();
       },
       decides},
      {"WCLIMIT", "seconds", limit,
       [](const WikiJob& job) { return number_text(job.report.request.limit.raw()); }, decides},
      {"TASKS", kCount, count<&R::tasks>, count_of<&R::tasks>, decides},
      {"NODES", kCount, count<&R::least_nodes>, count_of<&R::least_nodes>, decides},
      {"MAXNODES", kAmount,
       [](std::string_view value, WikiJob& job) {
         job.max_nodes_given = true;
         return read_amount(value, requirement_of(job).nodes);
       },
       count_of<&R::nodes>, decides},
      {"NODERANGE", "MIN-MAX", node_range, nullptr, decides},
      {"TASKPERNODE", kCount, count<&R::tasks_per_node>, count_of<&R::tasks_per_node>, decides},
      {"DPROCS", kAmount, per_task<procs>, per_task_of<procs>, decides},
      {"DMEM", kAmount, per_task<memory>, per_task_of<memory>, decides},
      {"DSWAP", kAmount, per_task<swap>, per_task_of<swap>, decides},
      {"DDISK", kAmount, per_task<disk>, per_task_of<disk>, decides},
      {"DGRES", "generic resources such as TAPE:2,MATLAB:6", generic, generic_of, decides},
      {"QUEUETIME", kTime, time<&Job::submitted>, time_of<&Job::submitted>},
      {"STARTDATE", kTime, time<&Job::earliest_start>, time_of<&Job::earliest_start>, decides},
      {"ENDDATE", kTime, time<&Job::deadline>, time_of<&Job::deadline>, decides},
      {"UNAME", {}, name<&JobReport::user>, name_of_job<&JobReport::user>},
      {"GNAME", {}, name<&JobReport::group>, name_of_job<&JobReport::group>},
      {"RMEM", kAmount, configured<&R::memory>, configured_of<&R::memory>, decides},
      {"RMEMCMP", kCompare, comparison<&R::memory>, comparison_of<&R::memory>, decides},
      {"RSWAP", kAmount, configured<&R::swap>, configured_of<&R::swap>, decides},
      {"RSWAPCMP", kCompare, comparison<&R::swap>, comparison_of<&R::swap>, decides},
      {"RDISK", kAmount, configured<&R::disk>, configured_of<&R::disk>, decides},
      {"RDISKCMP", kCompare, comparison<&R::disk>, comparison_of<&R::disk>, decides},
      {"RFEATURES", {}, features, features_of},
      {"ROPSYS", {}, need<&R::operating_system>, need_of<&R::operating_system>},
      {"RARCH", {}, need<&R::architecture>, need_of<&R::architecture>},
      {"RNETWORK", {}, need<&R::network>, need_of<&R::network>},
      {"ACCOUNT", {}, name<&JobReport::account>, name_of_job<&JobReport::account>},
      {"QOS", {}, name<&JobReport::qos>, name_of_job<&JobReport::qos>},
      {"RCLASS", "classes such as [batch:1]", job_class, job_class_of, decides},
      {"NODESET",
       {},
       [](std::string_view value, WikiJob& job) {
         const auto set = wiki_text(value);
         if (set.empty()) return true;
         job.report.any_class = false;
         return bind_to_set(set, job.report);
       },
       [](const WikiJob& job) {
         return job.report.any_class ? std::string() : wiki_escaped(job.report.job.node_set);
       }},
      {"LAYOUT", "PACKED",
       [](std::string_view value, WikiJob& job) {
         requirement_of(job).packed = same_word(wiki_text(value), "PACKED");
         return requirement_of(job).packed;
       },
       [](const WikiJob& job) {
         return requirement_of(job).packed ? std::string("PACKED") : std::string();
       }},
      {"APART", "TRUE or FALSE",
       [](std::string_view value, WikiJob& job) {
         const auto word = wiki_text(value);
         job.apart = !same_word(word, "FALSE");
         return !job.apart || same_word(word, "TRUE");
       },
       [](const WikiJob& job) {
         const auto& request = job.report.request;
         const bool mixed = request.requirements.size() > 1 && !request.apart;
         return mixed ? std::string("FALSE") : std::string();
       },
       decides},
      {"NODEACCESS", "one of SHARED DEDICATED SINGLEUSER SINGLETASK",
       [](std::string_view value, WikiJob& job) {
         job.report.job.access_asked = value_of<NodeAccess>(kNodeAccessNames, wiki_text(value));
         return job.report.job.access_asked.has_value();
       },
       [](const WikiJob& job) {
         const auto& asked = job.report.job.access_asked;
         return asked ? std::string(name_of<NodeAccess>(kNodeAccessNames, *asked)) : std::string();
       },
       decides},
      {"HOSTLIST", kHosts, host_list, host_list_of, decides},
      {"REQHOST", "a host name", only_host, only_host_of, decides},
      {"EXCLUDE_HOSTLIST", kHosts, exclude, excluded_of, decides},
      {"PARTITIONMASK",
       {},
       partitions,
       [](const WikiJob& job) { return job.report.partition_mask; }},
      {"FLAGS", "job flags separated by commas", flags, flags_of},
      {"REQRSV", {}, reservation, words_from<&Job::required_reservation>},
      {"NAME", {}, words_of_job<&Job::title>, words_from<&Job::title>},
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
      {"UCPUTIME", "seconds", used<&JobUse::cpu_seconds>,
       [](const WikiJob& job) {
         return job.use && job.use->cpu_seconds ? fmt::format("{}", *job.use->cpu_seconds) : "";
       }},
      {"UTIME", kTime,
       [](std::string_view value, WikiJob& job) {
         const auto when = parse_integer<std::int64_t>(wiki_text(value));
         if (!when || *when < 0) return false;
         if (*when > 0) job.used_until = Time(*when);
         return true;
       },
       [](const WikiJob& job) {
         return job.use && job.used_until < kForever ? std::to_string(job.used_until.raw()) : "";
       }},
      {"UPROCS", "a number of processors", used<&JobUse::procs>, used_of<&JobUse::procs>},
      {"UMEM", kAmount, used<&JobUse::memory>, used_of<&JobUse::memory>},
      {"USWAP", kAmount, used<&JobUse::swap>, used_of<&JobUse::swap>},
      {"UDISK", kAmount, used<&JobUse::disk>, used_of<&JobUse::disk>},
      {"REJMESSAGE",
       {},
       [](std::string_view value, WikiJob& job) { return read_text(value, job.message); },
       [](const WikiJob& job) { return wiki_escaped(job.message); }},
      {"PRIORITY", "a number",
       [](std::string_view value, WikiJob& job) {
         const auto number = parse_number(wiki_text(value));
         job.barred = number == 0.0;
         return number.has_value();
       }},
      {"ARGS"},
      {"IWD"},
      {"ENV"},
      {"INPUT"},
      {"OUTPUT"},
      {"ERROR"},
      {"REJCODE", "a whole number",
       [](std::string_view value, WikiJob& job) {
         const auto code = parse_integer<int>(wiki_text(value));
         job.reject_code = code.value_or(0);
         return code.has_value();
       },
       [](const WikiJob& job) { return number_text(job.reject_code); }},
      {"REJCOUNT", kAmount,
       [](std::string_view value, WikiJob& job) { return read_amount(value, job.rejections); },
       [](const WikiJob& job) { return number_text(job.rejections); }},
      {"WAITREASON", {}, name<&JobReport::waits_for>, name_of_job<&JobReport::waits_for>},
      {"HOLDREASON", {}, name<&JobReport::problem>, name_of_job<&JobReport::problem>},
      {"EVENT"},
      {"RESACCESS", {}, nullptr, nullptr, asks},
      {"PREF", {}, nullptr, nullptr, asks},
      {"RSOFTWARE", {}, nullptr, nullptr, asks},
      {"GEOMETRY", {}, nullptr, nullptr, asks},
      {"GRES", {}, nullptr, nullptr, asks},
      {"SUBMITSTRING"},
      {"SUBMITHOST"},
      {"WCKEY"},
  });
  return kTable;
}

}  // namespace maui::wiki
