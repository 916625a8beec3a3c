#include "daemon/options.h"

#include <fmt/format.h>

#include "base/manual_page.h"
#include "base/option_table.h"
#include "base/text.h"
#include "daemon/lease/lease_keeper.h"

namespace maui {
namespace {

Status set_level(ProgramOptions& options, std::string_view value) {
  options.log_level = parse_integer<int>(value);
  if (!options.log_level || *options.log_level < 0 || *options.log_level > 9)
    return Error{fmt::format("invalid value '{}': expected a number from 0 to 9", value)};
  return Done{};
}

Status set_file(ProgramOptions& options, std::string_view value) {
  if (value.empty()) return Error{"expected a file"};
  options.config_file = value;
  return Done{};
}

Status check_file(ProgramOptions& options, std::string_view value) {
  options.check_config = true;
  if (!value.empty()) options.config_file = value;
  return Done{};
}

Status set_page(ProgramOptions& options, std::string_view value) {
  if (value != "maui" && value != "maui.cfg")
    return Error{fmt::format("invalid value '{}': expected maui or maui.cfg", value)};
  options.manual = value;
  return Done{};
}

Status set_host(ProgramOptions& options, std::string_view value) {
  options.overrides.push_back({"--host", "SERVERHOST", std::string(value)});
  return Done{};
}

Status set_port(ProgramOptions& options, std::string_view value) {
  options.overrides.push_back({"--port", "SERVERPORT", std::string(value)});
  return Done{};
}

Status set_log_file(ProgramOptions& options, std::string_view value) {
  options.overrides.push_back({"--logfile", "LOGFILE", std::string(value)});
  return Done{};
}

Status set_mode(ProgramOptions& options, std::string_view value) {
  options.overrides.push_back({"--mode", "SERVERMODE", std::string(value)});
  return Done{};
}

Status set_home(ProgramOptions& options, std::string_view value) {
  if (value.empty()) return Error{"expected a directory"};
  options.home = value;
  return Done{};
}

template <auto Member>
Status add_files(ProgramOptions& options, std::string_view value) {
  for (const auto file : split(value, ','))
    if (!file.empty()) (options.*Member).emplace_back(file);
  return (options.*Member).empty() ? Status(Error{"expected files"}) : Done{};
}

template <auto Member>
Status set_name(ProgramOptions& options, std::string_view value) {
  if (value.empty()) return Error{"expected a file"};
  options.*Member = value;
  return Done{};
}

constexpr OptionRow<ProgramOptions> kOptions[] = {
    {"about", 0, {}, "show the version and built-in defaults", switch_on<&ProgramOptions::about>},
    {"check-config", 0, "[FILE]", "check maui.cfg or FILE, list errors, and exit", check_file},
    {"configfile", 'C', "FILE", "read this file instead of maui.cfg", set_file},
    {"create-lease",
     0,
     {},
     "prepare the home directory for sharing by all hosts of SERVERHOST (needed once), and "
     "exit",
     switch_on<&ProgramOptions::create_lease>},
    {"foreground",
     'd',
     {},
     "stay in the foreground, as a simulation always does",
     switch_on<&ProgramOptions::foreground>},
    {"generate-key",
     0,
     {},
     "put a new secret into maui-private.cfg, and exit",
     switch_on<&ProgramOptions::generate_key>},
    {"help", 'h', {}, "show this help", switch_on<&ProgramOptions::help>},
    {"home", 'H', "DIRECTORY", "home directory, instead of MAUIHOMEDIR", set_home},
    {"host", 0, "NAME", "listen at this host's address instead of SERVERHOST", set_host},
    {"logfile", 'l', "FILE", "log file, instead of LOGFILE", set_log_file},
    {"loglevel", 'L', "LEVEL", "log level from the start, 0 to 9, instead of LOGLEVEL", set_level},
    {"man", 0, "PAGE", "print the page 'maui' or 'maui.cfg' for man(1), and exit", set_page},
    {"migrate", 0, "FILE",
     "convert a maui.cfg, moab.cfg or slurm.conf to a maui.cfg, and list on standard error what "
     "could not be converted",
     set_name<&ProgramOptions::migrate>},
    {"mode", 'm', "MODE", "NORMAL, TEST or SIMULATION, instead of SERVERMODE", set_mode},
    {"output", 'o', "FILE", "with --migrate: write to this file, which must not exist",
     set_name<&ProgramOptions::output>},
    {"port", 'p', "N", "listen at this port instead of SERVERPORT", set_port},
    {"print-schema",
     0,
     {},
     "print the JSON Schema of replies, and exit",
     switch_on<&ProgramOptions::print_schema>},
    {"relearn", 0, "FILES",
     "learn run times from these statistics files, .swf logs, or accounting of Slurm (sacct), "
     "TORQUE or PBS, separated by commas, instead of using those in the checkpoint",
     add_files<&ProgramOptions::relearn>},
    {"sacctmgr", 0, "FILES",
     "with --migrate of a slurm.conf: the output of `sacctmgr dump CLUSTER file=FILE`, or of "
     "`sacctmgr -P show assoc tree`, and of `sacctmgr -P show qos`; separate files by commas",
     add_files<&ProgramOptions::sacctmgr>},
    {"shared-home",
     0,
     {},
     "start even if others can write to its files or directories, and let them read its home "
     "directory; not if everybody can write to that; for test drives",
     switch_on<&ProgramOptions::shared_home>},
    {"standby",
     0,
     {},
     "wait while another host schedules for this home directory; take over when it ends or "
     "fails",
     switch_on<&ProgramOptions::stand_by>},
    {"version", 'v', {}, "show the release", switch_on<&ProgramOptions::version>},
};

constexpr OldOption kOfRelease33[] = {
    {'a', "NODE_ALLOCATION_POLICY", "NODEALLOCATIONPOLICY in maui.cfg"},
    {'b', "BACKFILL_POLICY", "BACKFILLPOLICY in maui.cfg"},
    {'B', "BACKFILL_DEPTH", "BACKFILLDEPTH in maui.cfg"},
    {'c', "BACKFILL_CRITERIA", "BACKFILLMETRIC in maui.cfg"},
    {'d', "", "--foreground", true},
    {'f', "LOGFACILITY", "LOGFACILITY in maui.cfg"},
    {'H', "SERVER_HOME_DIRECTORY", "--home", true},
    {'i', "SCHEDULING_INTERVAL", "RMPOLLINTERVAL in maui.cfg"},
    {'j', "WORKLOAD_TRACE_FILE", "SIMWORKLOADTRACEFILE in maui.cfg"},
    {'l', "LOG_FILE", "--logfile", true},
    {'m', "SCHEDULER_MODE", "--mode", true},
    {'n', "NODE_COUNT", "SIMNODECOUNT in maui.cfg"},
    {'N', "NODE_CONFIGURATION", "SIMNODECONFIGURATION in maui.cfg"},
    {'p', "SERVICE_PORT", "--port", true},
    {'P', "[STOPITERATION]", "SIMSTOPITERATION in maui.cfg, or schedctl -s"},
    {'r', "RESOURCE_TRACE_FILE", "SIMRESOURCETRACEFILE in maui.cfg"},
    {'s', "SIM_STAT_FILE_NAME", "STATDIR in maui.cfg, the directory of the statistics"},
    {'w', "WALLCLOCK ACCURACY", "nothing: run times and limits are those of the trace"},
    {'W', "WC_ACCURACY_CHANGE", "nothing: run times and limits are those of the trace"},
    {'?', "", "--help"},
};

/// Returns the error about an unknown option; of one of release 3.3, it says what replaces that.
Error unknown_or_old(std::string_view word) {
  for (const auto& old : kOfRelease33)
    if (!old.taken && word[1] == old.letter)
      return Error{fmt::format("-{} of release 3.3 is replaced by {}", old.letter, old.here)};
  return unknown_option(word);
}

}  // namespace

std::span<const OldOption> options_of_3_3() { return kOfRelease33; }

Result<ProgramOptions> parse_program_options(std::span<const std::string> words) {
  ProgramOptions options;
  const auto operands = parse_options<ProgramOptions>(kOptions, words, options, unknown_or_old);
  if (!operands) return operands.error();
  if (!operands->empty()) return Error{fmt::format("unexpected word '{}'", operands->front())};
  if (!options.output.empty() && options.migrate.empty())
    return Error{"--output requires --migrate"};
  if (!options.sacctmgr.empty() && options.migrate.empty())
    return Error{"--sacctmgr requires --migrate"};
  return options;
}

std::vector<std::string> words_to_start_again(std::span<const std::string> words) {
  std::vector<std::string> kept{"--foreground"};
  for (std::size_t at = 0; at < words.size(); ++at) {
    const auto option = find_option<ProgramOptions>(kOptions, words[at]);
    const bool has_value = option.row != nullptr && !option.row->argument.empty() &&
                           !option.attached && at + 1 < words.size();
    const auto name = option.row == nullptr ? std::string_view() : option.row->name;
    if (name != "foreground" && name != "relearn") {
      kept.push_back(words[at]);
      if (has_value) kept.push_back(words[at + 1]);
    }
    if (has_value) ++at;
  }
  return kept;
}

std::string program_manual(std::string_view version) {
  ManualPage page("maui", 8, version, "cluster scheduler: decides which jobs start when and where");
  page.section("SYNOPSIS")
      .text("maui [OPTIONS]")
      .text("maui --check-config [FILE]")
      .text("maui --migrate FILE [--sacctmgr FILES] [-o FILE]")
      .text("maui compare --workload LOG [...]")
      .text("maui profiler FILE... [...]")
      .text("maui history [--rebuild]");
  page.section("DESCRIPTION");
  page.text(
      "The scheduler. It must be started by the first user of ADMIN1 and reads maui.cfg. With "
      "SERVERMODE NORMAL it schedules the jobs of its resource managers, "
      "with TEST it only logs what it would do; it goes to the background when it is "
      "ready. With SIMULATION it replays recorded nodes and jobs in the foreground.");
  page.section("OPTIONS");
  for (const auto& option : kOptions) page.item(option.form(), option.help);
  page.item("--complete [--described] PROGRAM WORD...",
            "List completions of the last word, for a shell.");
  page.section("SIGNALS")
      .item("SIGHUP",
            "Reads maui.cfg again; if it has errors, all values are unchanged.  In the foreground "
            "of a terminal that was closed, ends.")
      .item("SIGUSR1, SIGUSR2", "Log more, log less.")
      .item("SIGTERM, SIGINT",
            "End once the iteration under way is done.  A standby takes over at once.");
  page.section("FILES")
      .item("maui.cfg", "The configuration. " + places_of_configuration())
      .item("maui-private.cfg",
            "Beside maui.cfg: the secret that authenticates commands from other machines.")
      .item(default_home() + "/",
            "The home directory, unless MAUIHOMEDIR names another; it contains the files below.")
      .item("maui.pid, maui.sock", "Lock file, and the socket for commands on the same machine.")
      .item("maui.lease",
            "If several hosts may schedule: which host does, with a line per takeover.  Made by "
            "--create-lease; such a scheduler does not start without it.")
      .item("log/maui.log, stats/", "The log; the records of jobs that ended.");
  page.section("EXIT STATUS")
      .item("0", "The scheduler was stopped, or the request was carried out.")
      .item("1",
            "The scheduler cannot start, for the reason printed; the file has errors; "
            "--migrate could not write its output.")
      .item("2", "The command line is wrong.")
      .item(std::to_string(kLeaseLost),
            "Another host took over while this host was held up; --standby waits for that host.");
  page.section("ENVIRONMENT")
      .item("MAUIHOMEDIR", "The home directory.")
      .item("MAUI_SLURM_EVENTS", "Where the Slurm gate reports events.");
  page.section("EXAMPLES")
      .item("maui --check-config",
            "Lists errors in maui.cfg, and whether the scheduler would start.")
      .item("maui --migrate /etc/slurm/slurm.conf -o maui.cfg",
            "Creates a maui.cfg with the weights and policies of Slurm.")
      .item(
          "maui --migrate /etc/slurm/slurm.conf --sacctmgr linux.cfg,qos.txt -o maui.cfg",
          "The same with shares, priorities and limits of accounts, users and QOS: `sacctmgr dump "
          "linux file=linux.cfg`, `sacctmgr -P show qos >qos.txt`.")
      .item("maui --foreground -L 3", "Starts the scheduler in the foreground, with log level 3.")
      .item("maui --generate-key", "Creates the secret for commands from other machines.")
      .item("maui --create-lease",
            "Prepares a shared home directory for a pair of hosts; needed on only one of them.");
  return page.section("SEE ALSO")
      .text("maui-compare(8), maui-history(8), profiler(1), maui.cfg(5), showq(1), schedctl(1)")
      .str();
}

Suggestions program_suggestions() { return option_suggestions<ProgramOptions>(kOptions); }

std::string program_usage() {
  return "Usage: maui [OPTIONS]\n"
         "       maui compare --workload LOG ... (maui compare --help)\n"
         "       maui profiler FILE ... (maui profiler --help)\n"
         "       maui history [--rebuild]\n"
         "The scheduler.  SERVERMODE in maui.cfg sets how it runs.\n\n" +
         options_help<ProgramOptions>(kOptions);
}

}  // namespace maui
