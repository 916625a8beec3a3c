// The attributes that say what a job asks of nodes.
#include <algorithm>

#include "base/access_names.h"
#include "base/comparison_names.h"
#include "base/duration.h"
#include "maui/initiators.h"
#include "model/job_extensions.h"
#include "rm/wiki_job_attributes.h"
#include "rm/wiki_job_hosts.h"
#include "rm/wiki_job_rows.h"

namespace maui::wiki {
namespace {

// Slurm sets this bit in an amount per processor; DMEM expresses that properly.
constexpr std::int64_t kPerProcessor = std::int64_t{1} << 31;

/// Slurm's WIKI reports a year for a job without limit; such a job, like one without WCLIMIT, gets
/// SYSTEMDEFAULTJOBWALLTIME.
constexpr Seconds kNoLimit{365 * kDaySeconds};

bool limit(std::string_view value, WikiJob& job) {
  const auto known = parse_duration(wiki_text(value));
  if (!known || *known < Seconds(0)) return false;
  const bool none = *known == kNoLimit || *known >= kUnlimited;
  job.report.request.limit = none ? Seconds(0) : *known;
  return true;
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
constexpr std::string_view kBound = "a whole number of MB, 0 or more";  // per processor beyond 2^31
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
  const auto known = value_of<Comparison>(kComparisonSigns, wiki_text(value));
  if (!known || known == Comparison::any) return false;
  Bound& bound = requirement_of(job).*Member;
  if (bound.compare != Comparison::any) bound.compare = *known;
  return true;
}
template <Bound Requirement::*Member>
std::string comparison_of(const WikiJob& job) {
  const Bound& bound = requirement_of(job).*Member;
  if (bound.compare == Comparison::any) return {};
  return std::string(name_of<Comparison>(kComparisonSigns, bound.compare));
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

}  // namespace

JobRows request_rows() {
  constexpr auto procs = 0, memory = 1, swap = 2, disk = 3;
  using R = Requirement;
  using enum Weight;
  return {
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
      {"DGRES", kGenericResources, generic, generic_of, decides},
      {"RMEM", kBound, configured<&R::memory>, configured_of<&R::memory>, decides},
      {"RMEMCMP", kCompare, comparison<&R::memory>, comparison_of<&R::memory>, decides},
      {"RSWAP", kBound, configured<&R::swap>, configured_of<&R::swap>, decides},
      {"RSWAPCMP", kCompare, comparison<&R::swap>, comparison_of<&R::swap>, decides},
      {"RDISK", kBound, configured<&R::disk>, configured_of<&R::disk>, decides},
      {"RDISKCMP", kCompare, comparison<&R::disk>, comparison_of<&R::disk>, decides},
      {"RFEATURES", {}, features, features_of},
      {"ROPSYS", {}, need<&R::operating_system>, need_of<&R::operating_system>},
      {"RARCH", {}, need<&R::architecture>, need_of<&R::architecture>},
      {"RNETWORK", {}, need<&R::network>, need_of<&R::network>},
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
  };
}

}  // namespace maui::wiki
