#include "compare/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/text.h"
#include "compare/comparison.h"
#include "compare/options.h"
#include "compare/outcome_text.h"
#include "compare/processes.h"
#include "compare/report_files.h"
#include "compare/report_text.h"
#include "compare/run_variant.h"
#include "compare/submission.h"
#include "proto/output.h"
#include "sim/sacct.h"

namespace maui::compare {
namespace {

constexpr int kFailed = 1, kWrongUsage = 2, kNotMet = 3;
constexpr std::size_t kTerminalWidth = 80;
constexpr std::size_t kNamed = 10;  // jobs and problems listed one by one

/// The first letter of a task's result.
constexpr char kMade = '+', kRefused = '-';

std::string hand_back(const Result<Outcome>& outcome) {
  return outcome ? kMade + outcome_text(*outcome) : kRefused + outcome.error().what;
}

Result<Outcome> unpack(const Result<std::string>& parcel) {
  if (!parcel) return parcel.error();
  if (parcel->empty() || parcel->front() != kMade)
    return Error{parcel->empty() ? "it returned nothing" : parcel->substr(1)};
  return read_outcome_text(std::string_view(*parcel).substr(1));
}

/// Returns the statistics files of each directory, or all its files if it has none, sorted.
Result<std::vector<std::string>> files_of(const std::vector<std::string>& places) {
  std::vector<std::string> files;
  for (const auto& place : places) {
    std::error_code error;
    if (!std::filesystem::is_directory(place, error)) {
      files.push_back(place);
      continue;
    }
    std::vector<std::string> all, records;
    for (const auto& entry : std::filesystem::directory_iterator(place, error)) {
      if (!entry.is_regular_file()) continue;
      all.push_back(entry.path().string());
      if (entry.path().filename().string().starts_with("stats.")) records.push_back(all.back());
    }
    auto& found = records.empty() ? all : records;
    if (found.empty()) return Error{fmt::format("{}: the directory contains no files", place)};
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// Returns the progress of all runs together, with the time of the run that began last.
Progress progress_of(std::span<const Progress> all) {
  Progress sum;
  std::int64_t jobs = 0;
  for (const Progress& progress : all) {
    jobs = std::max(jobs, progress.jobs);
    sum.ended += progress.ended;
    if (progress.now > Time(0)) sum.now = progress.now;
  }
  sum.jobs = jobs * static_cast<std::int64_t>(all.size());
  return sum;
}

/// Returns the workload's name in headings.
std::string name_of(const std::vector<std::string>& workload) {
  const auto first = std::filesystem::path(workload.front());
  const auto name = first.has_filename() ? first.filename() : first.parent_path().filename();
  return workload.size() == 1 ? name.string()
                              : fmt::format("{} and {} more", name.string(), workload.size() - 1);
}

/// Returns the values of measures(), in their order, as text.
std::string hand_back_values(const Result<Outcome>& outcome) {
  if (!outcome) return kRefused + outcome.error().what;
  if (outcome->unfinished) return kRefused + std::string("interrupted");
  const auto of = measures_of(*outcome);
  std::string text(1, kMade);
  for (const Measure& measure : measures()) text += fmt::format(" {}", measure.of(of));
  return text + "\n";
}

Result<std::vector<double>> unpack_values(const Result<std::string>& parcel) {
  if (!parcel) return parcel.error();
  if (parcel->starts_with(kRefused)) return Error{parcel->substr(1)};
  std::vector<double> values;
  if (parcel->starts_with(kMade) && parcel->ends_with('\n'))
    for (const auto word : words(std::string_view(*parcel).substr(1)))
      if (const auto value = parse_number(word)) values.push_back(*value);
  if (values.size() == measures().size()) return values;
  return Error{fmt::format("expected a line of {} numbers", measures().size())};
}

/// Returns what is wrong with the stored result of a run; empty: nothing.
std::string damage_of(const std::string& parcel, bool drawn) {
  if (parcel.starts_with(kRefused)) return {};  // the text has its own reason
  if (drawn) {
    const auto values = unpack_values(parcel);
    return values ? "" : values.error().what;
  }
  const auto outcome = unpack(parcel);
  return outcome ? "" : outcome.error().what;
}

/// Returns all tasks: each variant on the workload, then on each resampled workload.
std::vector<Task> tasks_of(const Variants& variants, const ReplayFiles& files, int resamples) {
  std::vector<Task> tasks;
  for (int seed = 0; seed <= resamples; ++seed)
    for (const Variant& variant : variants.all) {
      ReplayFiles drawn = files;
      drawn.resample = static_cast<std::uint64_t>(seed);
      drawn.keep_classes = seed == 0;  // for resampled workloads, only whole runs are measured
      tasks.emplace_back([&variant, drawn](const auto& report_progress) {
        const auto outcome =
            run_variant(variant.name, variant.configuration.settings(), drawn, report_progress);
        return drawn.resample == 0 ? hand_back(outcome) : hand_back_values(outcome);
      });
    }
  return tasks;
}

std::vector<Result<std::string>> run_tasks(const std::vector<Task>& tasks, int processes) {
  ProgressLine line;
  const auto watch = [&line](std::span<const Progress> all) {
    if (line.due()) line.show(progress_of(all));
  };
  return run_in_processes(tasks, {processes, watch});
}

Result<std::vector<Outcome>> outcomes_of(const Variants& variants,
                                         std::span<const Result<std::string>> parcels) {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < variants.all.size(); ++i) {
    auto outcome = unpack(parcels[i]);
    if (outcome)
      outcomes.push_back(*std::move(outcome));
    else if (was_interrupted())
      warn_user("WARNING:  {}: {}\n", variants.all[i].name, outcome.error().what);
    else
      return Error{fmt::format("{}: {}", variants.all[i].name, outcome.error().what)};
  }
  if (outcomes.empty()) return Error{"interrupted before the first run"};
  return outcomes;
}

/// Returns the workloads that finished under all variants; warns about the others.
std::vector<Resample> resamples_of(const Variants& variants,
                                   std::span<const Result<std::string>> parcels) {
  const auto count = variants.all.size();
  std::vector<Resample> resamples;
  for (std::size_t at = count; at + count <= parcels.size(); at += count) {
    Resample resample;
    for (std::size_t i = 0; i < count; ++i) {
      auto values = unpack_values(parcels[at + i]);
      if (values)
        resample.push_back(*std::move(values));
      else if (!was_interrupted())
        warn_user("WARNING:  resampled workload {} is left out: {}: {}\n", at / count,
                  variants.all[i].name, values.error().what);
    }
    if (resample.size() == count) resamples.push_back(std::move(resample));
  }
  return resamples;
}

Result<Comparison> comparison_of(const Variants& variants, const Options& options,
                                 std::span<const Result<std::string>> parcels) {
  auto outcomes = outcomes_of(variants, parcels);
  if (!outcomes) return outcomes.error();
  const auto& plot = variants.all.front().configuration.settings().display.plot;
  auto comparison = compare_outcomes(name_of(options.workload), *std::move(outcomes), plot);
  if (options.resamples == 0 || comparison.runs.size() != variants.all.size()) return comparison;
  comparison.redrawn = redrawn_part(comparison.runs.front().outcome);
  if (*comparison.redrawn > 0) comparison.resamples = resamples_of(variants, parcels);
  if (was_interrupted())
    warn_user("WARNING:  interrupted: {} of {} resampled workloads were run\n",
              comparison.resamples.size(), options.resamples);
  return comparison;
}

Result<ReplayFiles> replay_files(const Options& options) {
  auto workload = files_of(options.workload);
  if (!workload) return workload.error();
  return ReplayFiles{*std::move(workload), options.machine, 0, true, true};
}

Result<Comparison> run_all(const Variants& variants, const Options& options) {
  const auto files = replay_files(options);
  if (!files) return files.error();
  const auto parcels = run_tasks(tasks_of(variants, *files, options.resamples), options.processes);
  return comparison_of(variants, options, parcels);
}

int count_of(const Variants& variants, const Options& options) {
  return static_cast<int>(variants.all.size()) * (options.resamples + 1);
}

/// Submits the runs to the resource manager.
int submit(const Variants& variants, const Options& options, std::span<const std::string> words) {
  const auto files = replay_files(options);
  if (!files) return complain(files.error().what);
  auto others = options.configurations;
  if (!options.machine.empty()) others.push_back(options.machine);
  for (const auto& list : {files->workload, others})
    for (const auto& file : list)
      if (::access(file.c_str(), R_OK) != 0) return complain(file + ": cannot be read");
  const int runs = count_of(variants, options);
  const Submission submission{std::filesystem::current_path().string(),
                              {words.begin(), words.end()},
                              files->workload,
                              others};
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  if (auto status = write_submission(options.submit, submission, runs, program); !status)
    return complain(status.error().what);
  const auto job = submit_array(options.submit, options.submitter, runs);
  if (!job) return complain(job.error().what);
  return say("{} in {} submitted as job {}. When they have ended:\n\n    maui compare --merge {}\n",
             counted(runs, "run"), counted(parts_of(runs), "part"), *job, options.submit)
             ? 0
             : kFailed;
}

/// Continues a submitted comparison: sets what is compared in `options`, and keeps its settings for
/// the result.
Status take_up(Options& options) {
  options.merge = std::filesystem::absolute(options.merge).string();
  if (!options.report.empty()) options.report = std::filesystem::absolute(options.report).string();
  const auto submission = read_submission(options.merge);
  if (!submission) return submission.error();
  std::error_code error;
  std::filesystem::current_path(submission->place, error);
  if (error) return Error{fmt::format("'{}': {}", submission->place, error.message())};
  auto given = parse_command_line(submission->words);
  if (!given) return given.error();
  options.workload = submission->workload;
  options.machine = given->machine;
  options.choices = given->choices;
  options.configurations = given->configurations;
  options.resamples = given->resamples;
  if (options.report.empty()) options.report = given->report;
  options.expectations.insert(options.expectations.begin(), given->expectations.begin(),
                              given->expectations.end());
  return Done{};
}

/// Performs the runs of one part in turn; keeps the result of each run that ends.
int run_part(const Variants& variants, const Options& options) {
  const auto files = replay_files(options);
  if (!files) return complain(files.error().what);
  const auto tasks = tasks_of(variants, *files, options.resamples);
  const int runs = count_of(variants, options);
  for (int run = options.part; run < runs; run += parts_of(runs)) {
    const auto made = run_tasks({tasks[static_cast<std::size_t>(run)]}, 1);
    if (!made.front()) return complain(made.front().error().what);
    if (was_interrupted()) return complain("interrupted");
    if (auto status = write_outcome(options.merge, run, *made.front()); !status)
      return complain(status.error().what);
  }
  return 0;
}

Result<Comparison> merge(const Variants& variants, const Options& options) {
  const int runs = count_of(variants, options);
  const auto count_of_variants = static_cast<int>(variants.all.size());
  std::vector<Result<std::string>> parcels;
  for (int run = 0; run < runs; ++run) {
    parcels.push_back(read_outcome(options.merge, run, runs));
    if (!parcels.back()) return parcels.back().error();
    if (const auto why = damage_of(*parcels.back(), run >= count_of_variants); !why.empty())
      return Error{fmt::format("'{}' is damaged: {}", outcome_file(options.merge, run), why)};
  }
  return comparison_of(variants, options, parcels);
}

/// Warns once about unused parts of the input, which are the same for all runs.
void warn_of_unused(const Outcome& base) {
  for (std::size_t i = 0; i < std::min(kNamed, base.problems.size()); ++i)
    warn_user("WARNING:  {}\n", printable(base.problems[i]));
  if (base.bad_lines > 0)
    warn_user("WARNING:  {} could not be used\n", counted(base.bad_lines, "line"));
  if (base.skipped > 0)
    warn_user("WARNING:  {} of the workload did not take part\n", counted(base.skipped, "job"));
  for (const auto& [reason, skipped] : base.skipped_because)
    warn_user("          {} {}: {}\n", counted(skipped.jobs, "job"), reason,
              printable(skipped.names()));
}

/// Notes that jobs smaller than a node get whole nodes unless the configuration says otherwise.
void note_whole_nodes(const Variants& variants, const Outcome& base) {
  if (base.nodes == 0) return;
  const auto of_node = base.procs / base.nodes;
  const auto smaller = std::count_if(base.jobs.begin(), base.jobs.end(),
                                     [&](const JobOutcome& job) { return job.procs < of_node; });
  if (smaller == 0) return;
  std::string who;
  for (const Variant& variant : variants.all)
    if (variant.configuration.settings().node_access == NodeAccess::dedicated &&
        !variant.configuration.says("NODEACCESSPOLICY"))
      who += (who.empty() ? "" : ", ") + variant.name;
  if (who.empty()) return;
  warn_user(
      "NOTE:     {} requested less than a node and got nodes of {} own: if jobs share nodes, set "
      "NODEACCESSPOLICY SHARED (or DEDICATED): {}\n",
      counted(smaller, "job"), by_number(smaller, "its", "their"), who);
}

void note_equal_runs(const Comparison& comparison) {
  for (const auto& variant : same_as_base(comparison))
    warn_user(
        "NOTE:     {}: every job ran at the same time as with {}: the difference has no effect "
        "here\n",
        variant, comparison.runs.front().outcome.variant);
}

void warn_of_unstarted(const Comparison& comparison) {
  for (const Run& run : comparison.runs) {
    const auto& [variant, left] = std::tie(run.outcome.variant, run.outcome.left);
    if (run.outcome.unfinished)
      warn_user("WARNING:  {}: interrupted: the results are of the jobs that had ended\n", variant);
    if (left.empty()) continue;
    warn_user("WARNING:  {}: {} never started\n", variant, counted(left.size(), "job"));
    for (std::size_t i = 0; i < std::min(kNamed, left.size()); ++i)
      warn_user("          {}: {}\n", printable(left[i].name), printable(left[i].reason));
  }
}

int conclude(const Variants& variants, const Comparison& comparison, const Options& options) {
  const auto [judgements, impossible] = judge(comparison, options.expectations);
  const auto chance = resamples_text(comparison);
  const bool said = say("{}", comparison_text(comparison, kTerminalWidth)) &&
                    (chance.empty() || say("\n{}", chance)) &&
                    (judgements.empty() || say("\n{}", judgements_text(judgements)));
  warn_of_unused(comparison.runs.front().outcome);
  note_whole_nodes(variants, comparison.runs.front().outcome);
  note_equal_runs(comparison);
  warn_of_unstarted(comparison);
  if (!options.report.empty())
    if (auto status = write_report(options.report, comparison, judgements); !status)
      return complain(status.error().what);
  for (const auto& why : impossible) complain(why);
  const auto& runs = comparison.runs;
  if (const Outcome& base = runs.front().outcome; base.jobs.empty() && !base.unfinished)
    return complain(fmt::format("{}: no job ran", base.variant));
  const bool whole = std::none_of(runs.begin(), runs.end(), [](const Run& run) {
    return run.outcome.unfinished || run.outcome.damaged;
  });
  if (!said || !whole || was_interrupted()) return kFailed;
  const bool met = std::all_of(judgements.begin(), judgements.end(),
                               [](const Judgement& judgement) { return judgement.verdict.met; });
  if (!met) return kNotMet;
  return impossible.empty() ? 0 : kFailed;
}

}  // namespace

int run_compare(std::span<const std::string> words, std::string_view version) {
  auto options = parse_command_line(words);
  if (!options) {
    complain(options.error().what);
    warn_user("Try 'maui compare --help'.\n");
    return kWrongUsage;
  }
  if (options->help) return say("{}", usage()) ? 0 : kFailed;
  if (options->manual) return say("{}", manual_page(version)) ? 0 : kFailed;
  if (options->sacct_command) return say("{}\n", sacct_command()) ? 0 : kFailed;
  if (!options->merge.empty())
    if (auto status = take_up(*options); !status) return complain(status.error().what);
  auto bases = read_bases(options->configurations);
  if (!bases) return complain(bases.error().what);
  const auto variants = make_variants(*std::move(bases), options->choices);
  if (!variants) {
    complain(variants.error().what);
    return kWrongUsage;
  }
  for (const auto& note : variants->notes) warn_user("NOTE:     {}\n", note);
  if (options->part >= 0) return run_part(*variants, *options);
  if (!options->submit.empty()) return submit(*variants, *options, words);
  if (!options->report.empty())
    if (auto status = make_report_directory(options->report); !status)
      return complain(status.error().what);
  const auto comparison =
      options->merge.empty() ? run_all(*variants, *options) : merge(*variants, *options);
  if (!comparison) return complain(comparison.error().what);
  return conclude(*variants, *comparison, *options);
}

}  // namespace maui::compare
