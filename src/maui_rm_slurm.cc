// maui-rm-slurm: the scheduler's helper for Slurm (docs/manual/slurm.md).
#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/manual_page.h"
#include "base/text.h"
#include "libslurm/calls.h"
#include "libslurm/sstat.h"
#include "slurm/adapter.h"
#include "slurm/service.h"
#include "slurm/start.h"

namespace {

struct OptionText {
  std::string_view form, help;
};

constexpr OptionText kOptions[] = {
    {"--fd N", "the socket; 0 by default"},
    {"--events FILE",
     "the file that the gate writes; MAUI_SLURM_EVENTS or /var/spool/maui/slurm/events by default"},
    {"--answer-within SECONDS",
     "report a failure if slurmctld does not answer for this long; 5 by default"},
    {"--start-within SECONDS",
     "cancel a start that has had no effect for this long; 30 by default"},
    {"--measure-every SECONDS", "query the use of jobs with sstat; 30 by default, 0: never"},
    {"--check", "print what slurm.conf lacks for maui, and exit"},
    {"--list-waiting", "only list the jobs that wait for the scheduler and have no holds"},
    {"--list-held", "only list the waiting jobs that an administrator holds"},
    {"--man", "write the page 'maui-rm-slurm' for man(1), and exit"},
    {"--version", "show the release, and exit"},
};

std::string usage() {
  std::string text =
      "Usage: maui-rm-slurm [OPTION [VALUE]]...\n"
      "Let the scheduler drive Slurm: answer WIKI requests on an open socket.\n"
      "The scheduler starts this helper.\n\n";
  for (const auto& option : kOptions)
    text += fmt::format("  {}\n      {}\n", option.form, option.help);
  return text;
}

std::string manual() {
  maui::ManualPage page("maui-rm-slurm", 8, MAUI_VERSION, "the maui scheduler's helper for Slurm");
  page.section("SYNOPSIS")
      .text("maui-rm-slurm --list-waiting | --list-held | --check")
      .text("maui-rm-slurm [--fd N] [--events FILE] [...]");
  page.section("DESCRIPTION")
      .text(
          "Communicates with slurmctld through the libslurm that it was built with. maui(8) starts "
          "it for RMCFG[NAME] TYPE=SLURM, sends requests on a socket, and restarts it if it dies; "
          "it has no state of its own. Run it by hand to list the jobs that wait for the "
          "scheduler.");
  page.section("OPTIONS");
  for (const auto& option : kOptions) page.item(option.form, option.help);
  page.section("EXIT STATUS")
      .text("0: done; 1: slurmctld does not answer; 2: the command line is wrong.");
  page.section("ENVIRONMENT")
      .item("SLURM_CONF", "The path of slurm.conf, if it is not in /etc/slurm.")
      .item("MAUI_SLURM_EVENTS",
            "The file of events, which slurmctld writes and the scheduler reads.");
  page.section("EXAMPLES")
      .text("Release the jobs that wait only for the scheduler, so that Slurm starts them itself:")
      .example("scontrol release $(maui-rm-slurm --list-waiting)");
  return page.section("SEE ALSO").text("maui(8), maui.cfg(5), slurm.conf(5), scontrol(1)").str();
}

/// Prints a line for each thing that slurm.conf lacks; the scheduler's own check reads the words
/// before the colons.
int check() {
  maui::slurm::LibSlurm slurm;
  const auto gate = slurm.no_gate(), use = slurm.no_usage();
  if (!gate || !use) {
    fmt::print(stderr, "maui-rm-slurm: {}\n", gate ? use.error().what : gate.error().what);
    return 1;
  }
  if (!gate->empty()) fmt::print("gate: {}\n", *gate);
  if (!use->empty()) fmt::print("use: {}\n", *use);
  return 0;
}

struct Options {
  int stream = 0;
  maui::Seconds patience{30};
  maui::slurm::ServiceOptions service;
};

bool read_option(std::string_view name, std::string_view value, Options& options) {
  if (name == "--events") {
    options.service.events = value;
    return !value.empty();
  }
  const auto number = maui::parse_integer<int>(value);
  if (!number || *number < 0) return false;
  if (name == "--fd") options.stream = *number;
  if (name == "--start-within") options.patience = maui::Seconds(*number);
  if (name == "--measure-every") options.service.measure_every = std::chrono::seconds(*number);
  if (name == "--answer-within") options.service.answer_within = std::chrono::seconds(*number);
  return name == "--fd" || name == "--start-within" || name == "--answer-within" ||
         name == "--measure-every";
}

int list_waiting(maui::slurm::HeldBy by) {
  maui::slurm::LibSlurm slurm;
  const auto cluster = slurm.load();
  if (!cluster) {
    fmt::print(stderr, "maui-rm-slurm: {}\n", cluster.error().what);
    return 1;
  }
  if (!*cluster) return 0;
  for (const auto& name : maui::slurm::waiting_records(**cluster, by)) fmt::print("{}\n", name);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const char* events = std::getenv("MAUI_SLURM_EVENTS");  // as in the gate's scripts
  options.service.events = events != nullptr ? events : "/var/spool/maui/slurm/events";
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--help" || name == "-h") {
      fmt::print("{}", usage());
      return 0;
    }
    if (name == "--man") {
      fmt::print("{}", manual());
      return 0;
    }
    if (name == "--version") {
      fmt::print("maui-rm-slurm version {}\n", MAUI_VERSION);
      return 0;
    }
    if (name == "--check") return check();
    if (name == "--list-waiting" && argc == 2) return list_waiting(maui::slurm::HeldBy::gate);
    if (name == "--list-held" && argc == 2) return list_waiting(maui::slurm::HeldBy::administrator);
    if (i + 1 == argc || !read_option(name, argv[i + 1], options)) {
      fmt::print(stderr, "maui-rm-slurm: '{}{}{}' is not understood\n{}", name,
                 i + 1 < argc ? " " : "", i + 1 < argc ? argv[i + 1] : "", usage());
      return 2;
    }
  }
  maui::slurm::LibSlurm slurm;
  maui::slurm::Adapter adapter(slurm, options.patience);
  boost::asio::io_context io(1);
  maui::slurm::Sstat meter;
  maui::slurm::Service service(io, options.stream, adapter, meter, options.service,
                               [](const std::string& text) { fmt::print(stderr, "{}\n", text); });
  service.start();
  io.run();
  if (service.stuck()) std::_Exit(0);  // libslurm could block for a long time
  return 0;
}
