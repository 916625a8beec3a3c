#include "compare/options.h"

#include <fmt/format.h>

#include "base/manual_page.h"
#include "base/option_table.h"
#include "base/text.h"

namespace maui::compare {
namespace {

Status add_workload(Options& options, std::string_view value) {
  for (const auto file : split(value, ','))
    if (!file.empty()) options.workload.emplace_back(file);
  return options.workload.empty() ? Status(Error{"expected a file"}) : Done{};
}

Status set_machine(Options& options, std::string_view value) {
  if (value.empty()) return Error{"expected a file"};
  options.machine = value;
  return Done{};
}

Status add_choice(Options& options, std::string_view value) {
  auto choice = parse_choice(value);
  if (!choice) return choice.error();
  options.choices.push_back(*std::move(choice));
  return Done{};
}

Status add_expectation(Options& options, std::string_view value) {
  auto expectation = Expectation::parse(value);
  if (!expectation) return expectation.error();
  options.expectations.push_back(*std::move(expectation));
  return Done{};
}

template <std::string Options::*Member>
Status set_directory(Options& options, std::string_view value) {
  if (value.empty()) return Error{"expected a directory"};
  options.*Member = value;
  return Done{};
}

Status set_submitter(Options& options, std::string_view value) {
  if (trimmed(value).empty()) return Error{"expected a command, such as 'sbatch -p short'"};
  options.submitter = value;
  return Done{};
}

template <int Options::*Member, int Least, int Most>
Status set_number(Options& options, std::string_view value) {
  const auto number = parse_integer<int>(value);
  if (!number || *number < Least || *number > Most)
    return Error{
        fmt::format("invalid value '{}': expected a number from {} to {}", value, Least, Most)};
  options.*Member = *number;
  return Done{};
}

constexpr OptionRow<Options> kOptions[] = {
    {"expect", 'e', "EXPRESSION",
     "a condition that every run but the first must meet, such as 'wait.p95 <= 1.05 * base'; may "
     "be repeated",
     add_expectation},
    {"help", 'h', {}, "show this help", switch_on<&Options::help>},
    {"machine", 'm', "FILE",
     "the nodes: a resource trace, the output of schedctl -n, of scontrol -o show nodes, or of "
     "pbsnodes -a; default: the nodes that the workload describes",
     set_machine},
    {"man", 0, {}, "write the page 'maui-compare' for man(1)", switch_on<&Options::manual>},
    {"merge", 0, "DIR",
     "report on the comparison that --submit wrote into this directory, once its jobs have ended",
     set_directory<&Options::merge>},
    {"part", 0, "N", "run part N of the comparison that --merge names, as the array's jobs do",
     set_number<&Options::part, 0, 1000000>},
    {"print-sacct-command",
     0,
     {},
     "show the command that lists the last month's jobs of Slurm",
     switch_on<&Options::sacct_command>},
    {"processes", 'j', "N", "run N simulations at a time; default: one for each processor",
     set_number<&Options::processes, 1, 4096>},
    {"report", 'r', "DIR",
     "write index.html, a page with pictures, report.json, measures.csv and jobs.csv into this "
     "directory",
     set_directory<&Options::report>},
    {"resample", 0, "N",
     "replay N more workloads, resampled from this one by user and week, and show the bounds of "
     "the changes; 20 or more",
     set_number<&Options::resamples, 20, 10000>},
    {"set", 's', "NAME=VALUE,...",
     "also run each configuration with each of these values, in every combination with the values "
     "of other --set",
     add_choice},
    {"submit", 0, "DIR",
     "let the site's resource manager run the simulations, as an array of jobs; write their input "
     "into this new directory, which all hosts must share",
     set_directory<&Options::submit>},
    {"submitter", 0, "COMMAND",
     "the command that submits the array, with options of the site, such as 'sbatch -p short'; "
     "default: sbatch or qsub, whichever is installed",
     set_submitter},
    {"workload", 'w', "LOG",
     "the jobs: a log in Standard Workload Format, a workload trace, maui's own statistics, the "
     "output of Slurm's sacct, or accounting logs of TORQUE or PBS; several files separated by "
     "commas, or a directory of them; may be repeated",
     add_workload},
};

constexpr std::string_view kIntroduction =
    "Replays a workload under each configuration and shows the differences: how long jobs wait, "
    "how much of the machine they use, and who wins and who loses.  The first configuration is the "
    "base; without one, the base "
    "has the defaults.";

}  // namespace

Result<Options> parse_command_line(std::span<const std::string> words) {
  Options options;
  auto operands = parse_options<Options>(kOptions, words, options);
  if (!operands) return operands.error();
  options.configurations = *std::move(operands);
  const bool answers = options.help || options.manual || options.sacct_command;
  if (options.merge.empty() && options.part >= 0) return Error{"--part needs --merge DIR"};
  if (options.submit.empty() && !options.submitter.empty())
    return Error{"--submitter needs --submit DIR"};
  if (!options.merge.empty()) {
    const bool says_what = !options.workload.empty() || !options.configurations.empty() ||
                           !options.choices.empty() || !options.submit.empty();
    if (says_what)
      return Error{
          "the directory of --merge defines the comparison: expected no other workload or "
          "configuration"};
    return options;
  }
  if (!answers && options.workload.empty()) return Error{"--workload must name the jobs to replay"};
  return options;
}

std::string usage() {
  return "Usage: maui compare --workload LOG [OPTIONS] [CONFIGURATION...]\n"
         "       maui compare --merge DIR [OPTIONS]\n"
         "Replays a workload under several configurations and shows the differences.\n\n" +
         options_help<Options>(kOptions);
}

Suggestions suggestions() { return option_suggestions<Options>(kOptions); }

std::string manual_page(std::string_view version) {
  ManualPage page("maui-compare", 8, version, "compares configurations on a recorded workload");
  page.section("SYNOPSIS")
      .text("maui compare --workload LOG [OPTIONS] [CONFIGURATION...]")
      .text("maui compare --merge DIR [OPTIONS]")
      .section("DESCRIPTION")
      .text(kIntroduction)
      .text(
          "Configurations are ordinary maui.cfg files.  Their settings for resource managers, the "
          "site's programs and the pace of a simulation have no meaning here and are ignored, with "
          "a note.");
  page.section("OPTIONS");
  for (const auto& option : kOptions) page.item(option.form(), option.help);
  page.section("MEASURES")
      .text(
          "An expression compares two sums of numbers, times such as 1:30:00, measures, and "
          "base.MEASURE, which is the value of the first run; base alone stands for base.MEASURE "
          "of the measure named first.  Brackets name a group of jobs: wait.p95[class=short], "
          "wait.mean[user=ann], "
          "slowdown.mean[size=4], with size, limit, user, group, account, class or qos.");
  for (const Measure& measure : measures())
    page.item(measure.name,
              fmt::format("{}{}", measure.title, measure.of_jobs ? "" : "; only of the whole run"));
  page.section("EXIT STATUS")
      .item("0", "Success; all expectations are met.")
      .item("1",
            "A file cannot be used or was damaged, a run did not end, or an expectation cannot be "
            "judged.")
      .item("2", "The command line is wrong.")
      .item("3", "An expectation is not met.");
  return page.section("SEE ALSO").text("maui(8), maui.cfg(5)").str();
}

}  // namespace maui::compare
