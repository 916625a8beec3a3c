#include "daemon/programs/local_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "base/enum_names.h"
#include "base/outside_text.h"
#include "base/text.h"
#include "daemon/programs/program_settings.h"

namespace maui {
namespace {

constexpr EnumName<LocalHook> kHooks[] = {
    {LocalHook::attributes, "attributes"},
    {LocalHook::priority, "priority"},
    {LocalHook::fairness, "fairness"},
    {LocalHook::backfill, "backfill"},
};

std::string_view state_of(const LocalJob& job) {
  if (job.state == JobState::running || job.state == JobState::starting) return "Running";
  if (job.state == JobState::suspended) return "Suspended";
  return job.held ? "Hold" : "Idle";
}

/// Returns the name as one word of a line.
std::string word_of(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }, '_');
  return printable(name);
}

void add_word(std::string& line, std::string_view name, const std::string& value) {
  if (!value.empty()) fmt::format_to(std::back_inserter(line), " {}={}", name, word_of(value));
}

std::string job_line(const LocalJob& job) {
  std::string line = fmt::format("job {} state={}", word_of(job.name), state_of(job));
  add_word(line, "user", job.user);
  add_word(line, "group", job.group);
  add_word(line, "account", job.account);
  add_word(line, "class", job.job_class);
  add_word(line, "qos", job.qos);
  fmt::format_to(std::back_inserter(line), " procs={} nodes={} limit={} submitted={} queued={}",
                 job.procs, job.nodes, job.limit.raw(), job.submitted.raw(), job.queued.raw());
  if (job.started > Time(0))
    fmt::format_to(std::back_inserter(line), " started={}", job.started.raw());
  return line + "\n";
}

}  // namespace

std::string question_text(const LocalQuestion& question) {
  std::string text =
      fmt::format("hook {}\nnow {}\nprocs {} {}\n", name_of<LocalHook>(kHooks, question.hook),
                  question.now.raw(), question.free_procs, question.procs);
  for (const LocalJob& job : question.jobs) text += job_line(job);
  return text;
}

Result<std::vector<LocalAnswer>> read_local_answer(const LocalQuestion& question,
                                                   std::string_view text) {
  std::unordered_map<std::string, std::string_view> asked;  // names by their words
  for (const LocalJob& job : question.jobs) asked.emplace(word_of(job.name), job.name);
  std::vector<LocalAnswer> answers;
  int number = 0;
  for (const auto whole : split(text, '\n')) {
    ++number;
    const auto line = trimmed(whole);
    if (line.empty()) continue;
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    LocalAnswer answer{std::string(line.substr(0, end)), std::string(trimmed(line.substr(end)))};
    const auto job = asked.find(answer.job);
    if (job == asked.end())
      return Error{fmt::format("line {}: no job '{}' was asked about", number, answer.job)};
    answer.job = job->second;
    const bool bare = question.hook == LocalHook::backfill;
    if (bare != answer.words.empty())
      return Error{fmt::format("line {}: expected JOB{}", number, bare ? "" : " and its value")};
    if (question.hook == LocalHook::priority && !parse_number(answer.words))
      return Error{fmt::format("line {}: invalid number '{}'", number, answer.words)};
    answers.push_back(std::move(answer));
  }
  return answers;
}

void LocalPrograms::configure(const LocalSettings& settings, const std::string& home) {
  for (const auto& row : kLocalPrograms) {
    auto& path = paths_[static_cast<std::size_t>(row.hook)];
    path.clear();
    const auto& name = settings.*row.member;
    if (name.empty()) continue;
    auto place = find_program(name, home);
    if (place)
      path = *std::move(place);
    else
      log_(0, fmt::format("WARNING: {} has no effect: {}", row.parameter, place.error().what));
  }
}

void LocalPrograms::ask(LocalQuestion question, Answered answered) {
  const auto& program = path(question.hook);
  if (program.empty()) return answered(std::nullopt);
  auto text = question_text(question);
  inquire(io_, {program}, std::move(text), limits_,
          [this, program, question = std::move(question),
           answered = std::move(answered)](Result<std::string> said) {
            auto read = said ? read_local_answer(question, *said)
                             : Result<std::vector<LocalAnswer>>(said.error());
            if (read) return answered(*std::move(read));
            log_(0, fmt::format("WARNING: {}: {}; this iteration continues without it", program,
                                read.error().what));
            answered(std::nullopt);
          });
}

}  // namespace maui
