#include "daemon/history_command.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <optional>

#include "base/date.h"
#include "base/manual_page.h"
#include "base/option_table.h"
#include "config/configuration.h"
#include "daemon/files/lock_file.h"
#include "history/history_index.h"
#include "history/schema.h"
#include "proto/output.h"

namespace maui {
namespace {

struct HistoryOptions {
  bool help = false, manual = false, rebuild = false;
  std::string config_file;
};

Status set_config(HistoryOptions& options, std::string_view value) {
  if (value.empty()) return Error{"expected a file"};
  options.config_file = value;
  return Done{};
}

constexpr OptionRow<HistoryOptions> kHistoryOptions[] = {
    {"configfile", 'C', "FILE", "read this file instead of maui.cfg", set_config},
    {"help", 'h', {}, "show this help", switch_on<&HistoryOptions::help>},
    {"man", 0, {}, "write the page 'maui-history' for man(1)", switch_on<&HistoryOptions::manual>},
    {"rebuild",
     0,
     {},
     "rebuild the database from the text files while no scheduler runs",
     switch_on<&HistoryOptions::rebuild>},
};

std::string usage() {
  return "Usage: maui history [OPTIONS]\n"
         "Shows what the history of ended jobs contains, or rebuilds it.\n\n" +
         options_help<HistoryOptions>(kHistoryOptions);
}

std::string manual_page(std::string_view version) {
  ManualPage page("maui-history", 8, version, "shows what the history contains, or rebuilds it");
  page.section("SYNOPSIS").text("maui history [OPTIONS]");
  page.section("DESCRIPTION")
      .text(
          "The scheduler keeps a history of jobs that ended, of reservations, and of how busy the "
          "machine was: as text files in STATDIR, stats.YYYY_MM_DD and history.YYYY_MM_DD, and as "
          "history.db, an index of these for showhist, checkjob, showstats -t and showgrid -t.")
      .text(
          "The database contains nothing that the text files do not.  The scheduler rebuilds it "
          "by itself if it is missing, damaged, or of another release, and removes from it "
          "what ended longer ago than HISTORYAGE.  Without an option, this command shows what the "
          "database contains.");
  page.section("OPTIONS");
  for (const auto& option : kHistoryOptions) page.item(option.form(), option.help);
  return page.section("SEE ALSO").text("maui(8), showhist(1), profiler(1)").str();
}

/// Prints what the database of a directory contains.
int print_contents(const std::string& directory) {
  auto database = history::open_for_reading(directory);
  if (!database) return complain(database.error().what);
  const auto ask = [&](const char* sql) { return database->ask(sql); };
  const auto jobs = ask("SELECT count(*) FROM jobs");
  const auto first = ask("SELECT min(ended) FROM jobs"), last = ask("SELECT max(ended) FROM jobs");
  const auto reservations = ask("SELECT count(*) FROM reservations");
  const auto minutes = ask("SELECT count(*) FROM minutes");
  for (const auto* answer : {&jobs, &first, &last, &reservations, &minutes})
    if (!*answer) return complain(answer->error().what);
  std::string period;
  if (*jobs > 0)
    period = fmt::format(", which ended from {} to {}", format_date(Time(*first), true),
                         format_date(Time(*last), true));
  return say("{}{}\n{}\n{} of use\n", counted(*jobs, "job"), period,
             counted(*reservations, "reservation"), counted(*minutes, "minute"))
             ? 0
             : 1;
}

int rebuild(const Home& home, const Settings& settings, const std::string& directory) {
  const auto lock = LockFile::take(home.directory + "/maui.pid");
  if (!lock)
    return complain(fmt::format(
        "{}; a running scheduler keeps the history itself, and rebuilds it if necessary",
        lock.error().what));
  if (auto removed = history::remove_database(directory); !removed)
    return complain(removed.error().what);
  history::HistoryIndex index(directory,
                              [](const std::string& line) { warn_user("WARNING:  {}\n", line); });
  index.begin();
  const Seconds age = settings.learning.history_age;
  const Time oldest = age < kUnlimited ? Time(std::time(nullptr)) - age : Time(0);
  while (index.go_on(std::chrono::seconds(1), oldest)) {
  }
  return index.done() ? print_contents(directory) : 1;
}

}  // namespace

Suggestions history_suggestions() { return option_suggestions<HistoryOptions>(kHistoryOptions); }

int run_history(std::span<const std::string> words, std::string_view version) {
  HistoryOptions options;
  const auto operands = parse_options<HistoryOptions>(kHistoryOptions, words, options);
  if (!operands || !operands->empty()) {
    complain(operands ? fmt::format("unknown option '{}'", operands->front())
                      : operands.error().what);
    warn_user("Try 'maui history --help'.\n");
    return 2;
  }
  if (options.help) return say("{}", usage()) ? 0 : 1;
  if (options.manual) return say("{}", manual_page(version)) ? 0 : 1;
  const Home home = find_home(options.config_file);
  const auto reading = Configuration::read(home.config_file);
  if (!reading.usable()) {
    for (const auto& diagnostic : reading.diagnostics)
      warn_user("{}{}\n", diagnostic.warning ? "" : "ERROR:    ", diagnostic.text());
    return complain(fmt::format("'{}' cannot be used", home.config_file));
  }
  const Settings& settings = reading.configuration.settings();
  const auto directory =
      (std::filesystem::path(home.directory) / settings.server.stat_dir).string();
  return options.rebuild ? rebuild(home, settings, directory) : print_contents(directory);
}

}  // namespace maui
