// The server itself: where it runs, who may command it, what it logs and keeps.
#include <fmt/format.h>

#include "base/duration.h"
#include "base/server_places.h"
#include "config/apply.h"
#include "config/log_facilities.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

constexpr EnumName<ServerMode> kModes[] = {{ServerMode::normal, "NORMAL"},
                                           {ServerMode::test, "TEST"},
                                           {ServerMode::simulation, "SIMULATION"}};

constexpr EnumName<CrashMode> kCrashModes[] = {
    {CrashMode::end, "END"}, {CrashMode::restart, "RESTART"}, {CrashMode::stop, "STOP"}};

constexpr EnumName<CheckpointFailure> kCheckpointFailures[] = {
    {CheckpointFailure::refuse, "REFUSE"}, {CheckpointFailure::proceed, "CONTINUE"}};

constexpr EnumName<DisplayFlag> kDisplayFlags[] = {{DisplayFlag::account_centric, "ACCOUNTCENTRIC"},
                                                   {DisplayFlag::hide_blocked, "HIDEBLOCKED"},
                                                   {DisplayFlag::node_centric, "NODECENTRIC"}};

// The name is a word of messages, so it must not contain blanks.
Result<std::string> one_name(std::string_view word) {
  if (word.find_first_of(" \t") != std::string_view::npos)
    return Error{fmt::format("'{}' contains a blank", word)};
  return std::string(word);
}

Result<std::string> server_hosts(std::string_view word) {
  const auto places = parse_server_places(word);
  if (!places) return places.error();
  return server_places_text(*places);
}

// A shorter lease would be taken for a crash if a disk is slow; a longer lease has no benefit.
constexpr Seconds kShortestLease{2}, kLongestLease{600};

Result<std::string> lease_time(std::string_view word) {
  const auto value = parse_duration(word);
  if (!value) return Error{fmt::format("invalid duration '{}'", word)};
  if (*value < kShortestLease || *value > kLongestLease)
    return Error{fmt::format("{} is out of range", word)};
  return format_duration(*value);
}

const std::string kUserNames = "user names, or ALL";

// 256 bits, which the commands also require (proto/checksum.h).
constexpr std::size_t kSecretDigits = 64;

Result<std::string> secret_word(std::string_view word) {
  if (word.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
    return Error{"the secret is not hexadecimal"};
  if (word.size() < kSecretDigits) return Error{"the secret is too short"};
  return std::string(word);  // the key is the text itself, case included
}

std::vector<Parameter> log_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"LOGDIR", "", none, text("a directory"), "log", at_runtime, Landed::yes,
       "Directory of the log files, relative to the home directory unless absolute.",
       into([](Settings & s) -> auto& { return s.log.directory; })},
      {"LOGFILE", "", none, text("a file name"), "maui.log", at_runtime, Landed::yes,
       "Name of the log file, in LOGDIR unless absolute.",
       into([](Settings & s) -> auto& { return s.log.file; })},
      {"LOGFILEMAXSIZE", "", none, size(), "10000000", at_runtime, Landed::yes,
       "Size in bytes at which the log file is rolled.",
       into([](Settings & s) -> auto& { return s.log.max_size; })},
      {"LOGFILEROLLDEPTH", "", none, integer(0, 10000), "2", at_runtime, Landed::yes,
       "How many rolled log files are kept.",
       into([](Settings & s) -> auto& { return s.log.roll_depth; })},
      {"LOGLEVEL", "", none, integer(0, 9), "0", at_runtime, Landed::yes,
       "Level of detail of the log; 9 is the most detailed.",
       into([](Settings & s) -> auto& { return s.log.level; })},
      {"LOGFACILITY", "", none, some(choices(kLogFacilities, ':')), "fALL", at_runtime, Landed::yes,
       "Kinds of events to log, joined by colons.",
       [](Settings& s, const std::string&, const Words& value) {
         s.log.facilities.clear();
         for (const auto& word : value)
           for (const auto part : split(word, ':')) s.log.facilities.emplace_back(part);
       }},
  };
}

std::vector<Parameter> plot_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"PLOTMINPROC", "", none, integer(1), "1", at_runtime, Landed::yes,
       "Smallest number of processors for which showgrid has a row.",
       into([](Settings & s) -> auto& { return s.display.plot.min_procs; })},
      {"PLOTMAXPROC", "", none, integer(1), "512", at_runtime, Landed::yes,
       "Largest number of processors for which showgrid has a row.",
       into([](Settings & s) -> auto& { return s.display.plot.max_procs; })},
      {"PLOTPROCSCALE", "", none, integer(1, 1000), "9", at_runtime, Landed::yes,
       "Number of rows of showgrid, from PLOTMINPROC to PLOTMAXPROC. The bound of each row is the "
       "same multiple of the bound before. If only one more row makes that multiple a whole "
       "number, showgrid has one more row: by default 10 rows, each with twice the bound before.",
       into([](Settings & s) -> auto& { return s.display.plot.proc_scale; })},
      {"PLOTMINTIME", "", none, duration(), "00:02:00", at_runtime, Landed::yes,
       "Shortest wallclock limit for which showgrid has a column.",
       into([](Settings & s) -> auto& { return s.display.plot.min_time; })},
      {"PLOTMAXTIME", "", none, duration(), "68:00:00", at_runtime, Landed::yes,
       "Longest wallclock limit for which showgrid has a column.",
       into([](Settings & s) -> auto& { return s.display.plot.max_time; })},
      {"PLOTTIMESCALE", "", none, integer(1, 1000), "11", at_runtime, Landed::yes,
       "Number of columns of showgrid, from PLOTMINTIME to PLOTMAXTIME. The bound of each column "
       "is the same multiple of the bound before, rounded if nearly whole. If only one more column "
       "makes that multiple a whole number, showgrid has one more column: by default 12 columns, "
       "each with twice the bound before, the last up to 68:16:00.",
       into([](Settings & s) -> auto& { return s.display.plot.time_scale; })},
  };
}

std::vector<Parameter> upkeep_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"CHECKPOINTFILE", "", none, text("a file name"), "maui.ck", at_runtime, Landed::yes,
       "File that preserves the scheduler's state across a restart.",
       into([](Settings & s) -> auto& { return s.server.checkpoint_file; })},
      {"CHECKPOINTINTERVAL", "", none, duration(), "00:05:00", at_runtime, Landed::yes,
       "Time between two writes of the checkpoint file.",
       into([](Settings & s) -> auto& { return s.server.checkpoint_interval; })},
      {"CHECKPOINTEXPIRATIONTIME", "", none, duration(), "INFINITY", at_runtime, Landed::yes,
       "Age beyond which checkpoint data are ignored.",
       into([](Settings & s) -> auto& { return s.server.checkpoint_expiration; })},
      {"CHECKPOINTFAILURE", "", none, choice(kCheckpointFailures), "REFUSE", at_runtime,
       Landed::yes,
       "How the scheduler treats a command that changes something while the checkpoint cannot be "
       "written: REFUSE it, or CONTINUE and warn in the answer that the change is not saved.",
       into(
           kCheckpointFailures, [](Settings & s) -> auto& { return s.server.checkpoint_failure; })},
      {"CLOCKSTEP", "", none, duration(), "00:05:00", at_runtime, Landed::yes,
       "Jump of the machine's clock beyond which time limits are not enforced until every resource "
       "manager has answered again.",
       into([](Settings & s) -> auto& { return s.server.clock_step; })},
      {"CRASHMODE", "", none, choice(kCrashModes), "END", at_runtime, Landed::yes,
       "What the scheduler does after a crash: END; RESTART itself, if it has completed an "
       "iteration; or STOP where it is, for a debugger.",
       into(
           kCrashModes, [](Settings & s) -> auto& { return s.server.crash_mode; })},
      {"DISPLAYFLAGS", "", none,
       choices(words_of(std::span<const EnumName<DisplayFlag>>(kDisplayFlags))), "[NONE]",
       at_runtime, Landed::yes,
       "How the commands show information: NODECENTRIC counts nodes instead of processors, "
       "ACCOUNTCENTRIC names accounts instead of groups, HIDEBLOCKED hides other users' blocked "
       "jobs from ordinary users.",
       into_bits(
           kDisplayFlags, [](Settings & s) -> auto& { return s.display.flags; })},
      {"FEEDBACKPROGRAM", "", none, text("a program"), "[NONE]", at_runtime, Landed::yes,
       "Program run at the end of each job, in tools/ unless absolute.",
       into([](Settings & s) -> auto& { return s.jobs.feedback_program; })},
      {"NOTIFICATIONPROGRAM", "NOTIFYSCRIPT", none, text("a program"), "[NONE]", at_runtime,
       Landed::yes, "Program run to notify people of events, in tools/ unless absolute.",
       into([](Settings & s) -> auto& { return s.jobs.notification_program; })},
      {"TRAPFUNCTION", "", none, list("function names", " ,:"), "[NONE]", at_runtime, Landed::yes,
       "Log facilities (fSCHED, fRM, ...) whose lines are all logged, at any LOGLEVEL.",
       into([](Settings & s) -> auto& { return s.log.trap_functions; })},
      {"TRAPJOB", "", none, list("job names", " ,:"), "[NONE]", at_runtime, Landed::yes,
       "Jobs about which every line is logged, at any LOGLEVEL.",
       into([](Settings & s) -> auto& { return s.log.trap_jobs; })},
      {"TRAPNODE", "", none, list("node names", " ,:"), "[NONE]", at_runtime, Landed::yes,
       "Nodes about which every line is logged, at any LOGLEVEL.",
       into([](Settings & s) -> auto& { return s.log.trap_nodes; })},
      {"TRAPRES", "", none, list("reservation names", " ,:"), "[NONE]", at_runtime, Landed::yes,
       "Reservations about which every line is logged, at any LOGLEVEL.",
       into([](Settings & s) -> auto& { return s.log.trap_reservations; })},
  };
}

}  // namespace

std::vector<Parameter> server_parameters() {
  using enum Index;
  using enum Change;
  std::vector<Parameter> rows{
      {"MAUIHOMEDIR", "SERVERHOMEDIR", none, text("a directory"), "[NONE]", runs, Landed::yes,
       "Home directory of the scheduler; by default the directory of its configuration file.",
       into([](Settings & s) -> auto& { return s.server.home; })},
      {"SERVERHOST", "MAUISERVER", none,
       or_none(custom("HOST[:PORT], or several separated by commas", server_hosts)), "[NONE]",
       listens, Landed::yes,
       "Host on which the scheduler runs; of several hosts, one schedules and the others stand by, "
       "and commands try them in this order.",
       into([](Settings & s) -> auto& { return s.server.host; })},
      {"SERVERNAME", "", none, or_none(custom("a name without blanks", one_name)), "[NONE]",
       at_runtime, Landed::yes, "Name of the scheduler; SERVERHOST by default.",
       into([](Settings & s) -> auto& { return s.server.name; })},
      {"SERVERPORT", "MAUIPORT", none, integer(1, 64000), "40559", listens, Landed::yes,
       "Port on which the scheduler listens for its commands.",
       into([](Settings & s) -> auto& { return s.server.port; })},
      {"SERVERMODE", "", none, choice(kModes), "NORMAL", runs, Landed::yes,
       "NORMAL schedules, TEST only reports what it would do, SIMULATION runs on traces.",
       into(
           kModes, [](Settings & s) -> auto& { return s.server.mode; })},
      {"ADMIN1", "", none, some(list(kUserNames, " ,:")), "root", at_runtime, Landed::yes,
       "Users who may do everything; the scheduler runs as the first of them, so that ALL may only "
       "follow a user's name.",
       into([](Settings & s) -> auto& { return s.server.admins[0]; })},
      {"ADMIN2", "", none, list(kUserNames, " ,:"), "[NONE]", at_runtime, Landed::yes,
       "Users who may change jobs and see everything.",
       into([](Settings & s) -> auto& { return s.server.admins[1]; })},
      {"ADMIN3", "", none, list(kUserNames, " ,:"), "[NONE]", at_runtime, Landed::yes,
       "Users who may see everything.",
       into([](Settings & s) -> auto& { return s.server.admins[2]; })},
      {"ADMINHOST", "ADMIN_HOST ADMINHOSTS", none, list("host names", " ,:"), "[NONE]", at_runtime,
       Landed::yes, "Hosts from which commands of administrators are accepted; any by default.",
       into([](Settings & s) -> auto& { return s.server.admin_hosts; })},
      {"CLIENTTIMEOUT", "", none, duration(), "00:00:30", at_runtime, Landed::yes,
       "How long a command waits for the scheduler's answer.",
       into([](Settings & s) -> auto& { return s.server.client_timeout; })},
      {"CLIENTMAXSKEW", "", none, duration(), "00:05:00", at_runtime, Landed::yes,
       "How far the clock of a command's host may be off before its messages are refused.",
       into([](Settings & s) -> auto& { return s.server.client_max_skew; })},
      {"LEASETIME", "", none, custom("a duration from 00:00:02 to 00:10:00", lease_time),
       "00:00:08", runs, Landed::yes,
       "How long the scheduling host may be silent before a standby takes over (maui --standby). A "
       "host that cannot renew its lease for four fifths of this time stops scheduling.",
       into([](Settings & s) -> auto& { return s.server.lease_time; })},
      {"STATDIR", "", none, text("a directory"), "stats", at_runtime, Landed::yes,
       "Directory of the statistics files, relative to the home directory unless absolute.",
       into([](Settings & s) -> auto& { return s.server.stat_dir; })},
  };
  for (auto& row : log_parameters()) rows.push_back(std::move(row));
  for (auto& row : plot_parameters()) rows.push_back(std::move(row));
  for (auto& row : upkeep_parameters()) rows.push_back(std::move(row));
  return rows;
}

std::vector<Parameter> private_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"SECRET",
       "",
       none,
       custom(fmt::format("at least {} hexadecimal digits, as generated by maui --generate-key",
                          kSecretDigits),
              secret_word),
       "",
       proves,
       Landed::yes,
       "Secret by which the scheduler and its commands authenticate each other.",
       {},
       nullptr,
       File::secret},
      {"CLIENTKEY",
       "",
       name,
       text("a key"),
       "[NONE]",
       connects,
       Landed::yes,
       "Key shared with one resource manager: a number, decimal, hexadecimal (0x...) or octal "
       "(0...).",
       {},
       nullptr,
       File::secret},
      {"CLIENTCFG",
       "",
       name,
       {},
       "[NONE]",
       connects,
       Landed::yes,
       "Key shared with one peer, RM:NAME or NAME, in the form of release 3.3; for a host, how its "
       "users are authenticated.",
       {},
       &client_attributes(),
       File::both},
  };
}

}  // namespace maui::config
