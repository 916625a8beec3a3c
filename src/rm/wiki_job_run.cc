// The attributes of a job's run: when and where it runs, what it uses and how it ended.
#include "base/duration.h"
#include "rm/wiki_job_rows.h"

namespace maui::wiki {
namespace {

bool task_list(std::string_view value, WikiJob& job) {
  job.task_list = wiki_list(value);
  return true;
}

constexpr std::string_view kUsed = "a number from 0 to 1e15";

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

JobRows run_rows() {
  return {
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
      {"UMEM", kUsed, used<&JobUse::memory>, used_of<&JobUse::memory>},
      {"USWAP", kUsed, used<&JobUse::swap>, used_of<&JobUse::swap>},
      {"UDISK", kUsed, used<&JobUse::disk>, used_of<&JobUse::disk>},
      {"REJMESSAGE",
       {},
       [](std::string_view value, WikiJob& job) { return read_text(value, job.message); },
       [](const WikiJob& job) { return wiki_escaped(job.message); }},
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
  };
}

}  // namespace maui::wiki
