#include "compare/submission.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "compare/report_files.h"
#include "programs/inquiry.h"
#include "proto/checksum.h"

namespace maui::compare {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeading = "maui comparison 2";
constexpr std::chrono::seconds kPatience{60};  // with sbatch or qsub

std::optional<std::string> text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// Returns a checksum that identifies the content of a file.
std::string print_of(const fs::path& path) {
  const auto text = text_of(path);
  return text ? checksum("comparison", *text) : "-";
}

/// Quotes any text as a word of a shell.
std::string shell_word(std::string_view word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string found_in_path(std::string_view name) {
  if (name.find('/') != std::string_view::npos) return std::string(name);
  const char* const path = std::getenv("PATH");
  for (const auto folder : split(path != nullptr ? path : "/usr/bin:/bin", ':')) {
    const auto at = fs::path(folder) / name;
    if (::access(at.c_str(), X_OK) == 0 && fs::is_regular_file(at)) return at.string();
  }
  return {};
}

Result<std::string> ask(const std::string& program, std::vector<std::string> arguments) {
  return inquire_and_wait({program, std::move(arguments), Whose::ours}, "", {kPatience});
}

/// Returns qsub's option for a job array: -J for PBS Pro and OpenPBS, -t for TORQUE.
std::string array_option(const std::string& qsub) {
  const auto version = ask(qsub, {"--version"});
  return version && version->find("pbs_version") == std::string::npos ? "-t" : "-J";
}

}  // namespace

std::string outcome_file(const std::string& directory, int run) {
  return fs::path(directory) / fmt::format("outcome.{}", run);
}

int parts_of(int runs) { return std::min(runs, kMostParts); }

Status write_submission(const std::string& directory, const Submission& submission, int runs,
                        const std::string& program) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    return Error{fmt::format("the directory '{}' cannot be made: {}", directory, error.message())};
  if (!fs::is_empty(directory, error) || error)
    return Error{fmt::format("'{}' is not empty: expected a new directory", directory)};
  std::string text = fmt::format("{}\nplace {}\n", kHeading, submission.place);
  const auto add = [&text](std::string_view what, const std::string& name) -> Status {
    if (name.find('\n') != std::string::npos)
      return Error{fmt::format("'{}' contains a line end", name)};
    text += fmt::format("{} {}\n", what, name);
    return Done{};
  };
  const fs::path place = submission.place;
  for (const auto& file : submission.workload)
    if (auto status = add("workload " + print_of(place / file), file); !status) return status;
  for (const auto& file : submission.others)
    if (auto status = add("file " + print_of(place / file), file); !status) return status;
  for (const auto& word : submission.words)
    if (auto status = add("word", word); !status) return status;
  const fs::path in = fs::absolute(directory);
  if (auto status = write_file(in / "comparison", text); !status) return status;
  return write_file(
      in / "array.sh",
      fmt::format("#!/bin/sh\n# Part of a comparison of {} runs.\n"
                  "exec {} compare --merge {} "
                  "--part \"${{SLURM_ARRAY_TASK_ID:-${{PBS_ARRAY_INDEX:-$PBS_ARRAYID}}}}\"\n",
                  runs, shell_word(program), shell_word(in.string())));
}

Result<Submission> read_submission(const std::string& directory) {
  const auto path = fs::path(directory) / "comparison";
  const auto text = text_of(path);
  if (!text)
    return Error{
        fmt::format("'{}' cannot be read: expected a file written by --submit", path.string())};
  Submission submission;
  int number = 0;
  for (const auto line : split(*text, '\n')) {
    const auto what = line.substr(0, line.find(' '));
    const auto rest = line.substr(std::min(line.size(), what.size() + 1));
    if (++number == 1 && line != kHeading)
      return Error{fmt::format("{}:1: expected '{}'", path.string(), kHeading)};
    if (number == 1 || line.empty()) continue;
    if (what == "place") {
      submission.place = rest;
    } else if (what == "word") {
      submission.words.emplace_back(rest);
    } else if (what == "workload" || what == "file") {
      const auto print = rest.substr(0, rest.find(' '));
      const auto file = std::string(rest.substr(std::min(rest.size(), print.size() + 1)));
      (what == "file" ? submission.others : submission.workload).push_back(file);
      if (print_of(fs::path(submission.place) / file) != print)
        return Error{fmt::format(
            "'{}' has changed since --submit: all parts of a comparison must read the same files",
            file)};
    } else {
      return Error{fmt::format("{}:{}: invalid value '{}': expected place, workload, file or word",
                               path.string(), number, what)};
    }
  }
  return submission;
}

Result<std::string> submit_array(const std::string& directory, std::string_view submitter,
                                 int runs) {
  auto words_of_it = words(submitter);
  std::string program;
  if (words_of_it.empty()) {
    program = found_in_path("sbatch");
    if (program.empty()) program = found_in_path("qsub");
    if (program.empty())
      return Error{
          "neither sbatch nor qsub is installed: name the command that submits jobs with "
          "--submitter"};
  } else {
    program = found_in_path(words_of_it.front());
    if (program.empty()) return Error{fmt::format("'{}' does not exist", words_of_it.front())};
    words_of_it.erase(words_of_it.begin());
  }
  const fs::path in = fs::absolute(directory);
  // PBS does not accept an array of one task; a part without a run ends at once.
  const auto tasks = fmt::format("0-{}", std::max(1, parts_of(runs) - 1));
  std::vector<std::string> arguments(words_of_it.begin(), words_of_it.end());
  const auto add = [&](std::initializer_list<std::string> more) {
    arguments.insert(arguments.end(), more);
  };
  if (fs::path(program).filename() == "sbatch")
    add({"--parsable", "--array=" + tasks, "--job-name=maui-compare",
         "--output=" + (in / "log.%a").string()});
  else
    add({array_option(program), tasks, "-N", "maui-compare", "-j", "oe", "-o", in.string() + "/"});
  add({(in / "array.sh").string()});
  const auto outcome = run_and_wait({program, std::move(arguments), Whose::ours}, "", {kPatience});
  if (outcome.failure.empty() && outcome.status == 0)
    return fmt::format("{}", trimmed(outcome.output));
  return Error{fmt::format("'{}' did not accept the jobs: {}", program,
                           !outcome.complaint.empty() ? outcome.complaint
                           : !outcome.failure.empty()
                               ? outcome.failure
                               : fmt::format("it exited with status {}", outcome.status))};
}

Status write_outcome(const std::string& directory, int run, std::string_view text) {
  const auto path = outcome_file(directory, run);
  const auto beside = path + ".new";
  if (auto status = write_file(beside, text); !status) return status;
  std::error_code error;
  fs::rename(beside, path, error);  // so that an existing file is always complete
  if (error) return Error{fmt::format("'{}' cannot be written: {}", path, error.message())};
  return Done{};
}

Result<std::string> read_outcome(const std::string& directory, int run, int runs) {
  auto text = text_of(outcome_file(directory, run));
  if (text) return *std::move(text);
  return Error{
      fmt::format("part {} has not written '{}': it has not ended, or its log in that directory "
                  "gives the reason",
                  run % parts_of(runs), outcome_file(directory, run))};
}

}  // namespace maui::compare
