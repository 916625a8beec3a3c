// The table of job attributes: those of the job itself, its request and its run.
#include "rm/wiki_job_attributes.h"

#include <array>
#include <iterator>

#include "base/enum_names.h"
#include "base/job_flag_names.h"
#include "model/job_extensions.h"
#include "rm/wiki_job_rows.h"

namespace maui::wiki {
namespace {

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

bool state(std::string_view value, WikiJob& job) {
  job.state = value_of<WikiState>(kJobStates, trimmed(wiki_text(value)));
  return job.state.has_value();
}

template <std::string JobReport::*Member>
bool name(std::string_view value, WikiJob& job) {
  return read_text(value, job.report.*Member);
}
template <std::string JobReport::*Member>
std::string name_of_job(const WikiJob& job) {
  return wiki_escaped(job.report.*Member);
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

/// Returns the attributes of the job itself: its state, dates, credentials, flags and texts.
JobRows own_rows() {
  using enum Weight;
  return {
      {"UPDATETIME"},
      {"STATE",
       "Idle, Hold, SystemHold, UserSystemHold, Starting, Running, Suspended, Completed, "
       "Removed or Unknown",
       state,
       [](const WikiJob& job) {
         return job.state ? std::string(name_of<WikiState>(kJobStates, *job.state)) : std::string();
       },
       decides},
      {"QUEUETIME", kTime, time<&Job::submitted>, time_of<&Job::submitted>},
      {"STARTDATE", kTime, time<&Job::earliest_start>, time_of<&Job::earliest_start>, decides},
      {"ENDDATE", kTime, time<&Job::deadline>, time_of<&Job::deadline>, decides},
      {"UNAME", {}, name<&JobReport::user>, name_of_job<&JobReport::user>},
      {"GNAME", {}, name<&JobReport::group>, name_of_job<&JobReport::group>},
      {"ACCOUNT", {}, name<&JobReport::account>, name_of_job<&JobReport::account>},
      {"QOS", {}, name<&JobReport::qos>, name_of_job<&JobReport::qos>},
      {"PARTITIONMASK",
       {},
       partitions,
       [](const WikiJob& job) { return job.report.partition_mask; }},
      {"FLAGS", "job flags separated by commas", flags, flags_of},
      {"REQRSV", {}, reservation, words_from<&Job::required_reservation>},
      {"NAME", {}, words_of_job<&Job::title>, words_from<&Job::title>},
      {"EXEC", {}, words_of_job<&Job::executable>, words_from<&Job::executable>},
      {"COMMENT", {}, words_of_job<&Job::comment>, words_from<&Job::comment>},
      {"PRIORITY", "a number",
       [](std::string_view value, WikiJob& job) {
         const auto number = parse_number(wiki_text(value));
         job.barred = number == 0.0;
         return number.has_value();
       }},
      {"WAITREASON", {}, name<&JobReport::waits_for>, name_of_job<&JobReport::waits_for>},
      {"HOLDREASON", {}, name<&JobReport::problem>, name_of_job<&JobReport::problem>},
  };
}

/// Returns attributes that are known but not read.
JobRows unread_rows() {
  using enum Weight;
  return {
      {"ARGS"},
      {"IWD"},
      {"ENV"},
      {"INPUT"},
      {"OUTPUT"},
      {"ERROR"},
      {"EVENT"},
      {"RESACCESS", {}, nullptr, nullptr, asks},
      {"PREF", {}, nullptr, nullptr, asks},
      {"RSOFTWARE", {}, nullptr, nullptr, asks},
      {"GEOMETRY", {}, nullptr, nullptr, asks},
      {"GRES", {}, nullptr, nullptr, asks},
      {"SUBMITSTRING"},
      {"SUBMITHOST"},
      {"WCKEY"},
  };
}

}  // namespace

const Table<WikiJob>& job_table() {
  static const Table<WikiJob> kTable([] {
    JobRows all = own_rows();
    for (const auto& rows : {request_rows(), run_rows(), unread_rows()})
      all.insert(all.end(), rows.begin(), rows.end());
    return all;
  }());
  return kTable;
}

}  // namespace maui::wiki
