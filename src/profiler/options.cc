#include "profiler/options.h"

#include <fmt/format.h>

#include <ctime>

#include "base/enum_names.h"
#include "base/local_zone.h"
#include "base/manual_page.h"
#include "base/option_table.h"
#include "base/text.h"
#include "history/past_time.h"

namespace maui::profiler {
namespace {

constexpr EnumName<CredentialKind> kKinds[] = {
    {CredentialKind::user, "user"},       {CredentialKind::group, "group"},
    {CredentialKind::account, "account"}, {CredentialKind::account, "acct"},
    {CredentialKind::job_class, "class"}, {CredentialKind::qos, "qos"},
};

template <CredentialKind Kind>
Status choose(Options& options, std::string_view value) {
  return add_names(value, options.selection.who[Kind]);
}

Status choose_jobs(Options& options, std::string_view value) {
  return add_names(value, options.selection.names);
}

Status choose_nodes(Options& options, std::string_view value) {
  constexpr std::uint64_t kMost = 1'000'000;
  return add_nodes(value, options.selection.nodes, kMost);
}

template <Time JobSelection::*Member>
Status set_time(Options& options, std::string_view value) {
  const auto time = parse_past_time(value, Time(std::time(nullptr)), local_zone());
  if (!time) return time.error();
  options.selection.*Member = *time;
  return Done{};
}

Status add_kinds(Options& options, std::string_view value) {
  for (const auto word : split(value, ',')) {
    const auto kind = value_of<CredentialKind>(kKinds, lower(word));
    if (!kind)
      return Error{
          fmt::format("invalid value '{}': expected user, group, account, class or qos", word)};
    options.by.push_back(*kind);
  }
  return Done{};
}

Status add_statistics(Options& options, std::string_view value) {
  for (const auto word : split(value, ',')) options.statistics.emplace_back(word);
  return Done{};
}

Status set_procs(Options& options, std::string_view value) {
  const auto procs = parse_integer<std::int64_t>(value);
  if (!procs || *procs < 1)
    return Error{fmt::format("invalid value '{}': expected a number of processors", value)};
  options.procs = *procs;
  return Done{};
}

Status set_config(Options& options, std::string_view value) {
  if (value.empty()) return Error{"expected a file"};
  options.config_file = value;
  return Done{};
}

Status set_format(Options& options, std::string_view value) {
  if (value != "text" && value != "json")
    return Error{fmt::format("invalid value '{}': expected text or json", value)};
  options.format = value == "json" ? Format::json : Format::text;
  return Done{};
}

constexpr OptionRow<Options> kOptions[] = {
    {"account", 'a', "NAME,...", "only jobs of these accounts", choose<CredentialKind::account>},
    {"by", 'b', "KIND,...",
     "only tables by these kinds of credentials: user, group, account, class, qos", add_kinds},
    {"class", 'c', "NAME,...", "only jobs of these classes", choose<CredentialKind::job_class>},
    {"configfile", 'C', "FILE",
     "the maui.cfg whose PLOT parameters give the rows and columns of grids, and whose QTTARGET "
     "and XFTARGET define QOSDELIVERED",
     set_config},
    {"end", 'e', "TIME", "only jobs that had ended by this time",
     set_time<&JobSelection::ended_by>},
    {"format", 0, "FORMAT", "write text, or json", set_format},
    {"grid", 'G', "STATISTIC,...",
     "show these statistics by processors and wallclock limit, as showgrid does", add_statistics},
    {"group", 'g', "NAME,...", "only jobs of these groups", choose<CredentialKind::group>},
    {"help", 'h', {}, "show this help", switch_on<&Options::help>},
    {"job", 'j', "NAME,...", "only jobs with these names", choose_jobs},
    {"list", 'l', {}, "also list the jobs", switch_on<&Options::list>},
    {"man", 0, {}, "write the page 'profiler' for man(1)", switch_on<&Options::manual>},
    {"node", 'n', "HOST,...", "only jobs that ran on any of these nodes; n[01-16] is a range",
     choose_nodes},
    {"procs", 'p', "N", "the number of processors of the machine, to show how much of it was used",
     set_procs},
    {"qos", 'q', "NAME,...", "only jobs of these QOS", choose<CredentialKind::qos>},
    {"start", 's', "TIME", "only jobs that started at this time or later",
     set_time<&JobSelection::started_from>},
    {"user", 'u', "NAME,...", "only jobs of these users", choose<CredentialKind::user>},
    {"version", 0, {}, "show the release", switch_on<&Options::version>},
};

constexpr std::string_view kSynopsis = "profiler [OPTIONS] FILE...";

}  // namespace

Result<Options> parse_command_line(std::span<const std::string> words) {
  Options options;
  auto operands = parse_options<Options>(kOptions, words, options);
  if (!operands) return operands.error();
  options.files = *std::move(operands);
  if (!options.help && !options.manual && !options.version && options.files.empty())
    return Error{"expected the files to profile"};
  return options;
}

std::string usage() {
  return fmt::format(
      "Usage: {}\nShows which jobs ran and how they were served, from the records of ended "
      "jobs.\n\n{}",
      kSynopsis, options_help<Options>(kOptions));
}

Suggestions suggestions() { return option_suggestions<Options>(kOptions); }

std::string manual_page(std::string_view version) {
  ManualPage page("profiler", 1, version, "profiles historical usage");
  page.section("SYNOPSIS").text(kSynopsis).text("mprof [OPTIONS] FILE...");
  page.section("DESCRIPTION")
      .text(
          "Shows which jobs ran, what resources they got, and which level of service they "
          "received, from the records of ended jobs: the statistics files of the scheduler "
          "(stats/stats.YYYY_MM_DD, stats/stats.sim), workload traces, logs in Standard Workload "
          "Format, the output of Slurm's sacct, or accounting logs of TORQUE and PBS.  Files may "
          "be compressed with gzip.  A file that is given twice counts once, with a warning.  It "
          "does not contact the scheduler.")
      .text(
          "A job must meet the constraints of all kinds, with any of the values of each.  Without "
          "-b, there is a table for each kind of credentials that the jobs have.")
      .text(
          "TIME is 2024-05-01, which is its midnight, 2024-05-01T12:00:00, HH:MM:SS_MO/DD/YY, "
          "seconds since the epoch, or -DD:HH:MM:SS for that long ago.");
  page.section("OPTIONS");
  for (const auto& option : kOptions) page.item(option.form(), option.help);
  page.section("EXIT STATUS")
      .item("0", "Success, even if some lines could not be used.")
      .item("1", "A file cannot be read or was damaged, or no job meets the constraints.")
      .item("2", "The command line is wrong.");
  return page.section("SEE ALSO").text("showstats(1), showgrid(1), maui-compare(8)").str();
}

}  // namespace maui::profiler
