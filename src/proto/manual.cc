#include "proto/manual.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/manual_page.h"
#include "proto/arguments.h"
#include "proto/general_options.h"
#include "proto/manual_texts.h"

namespace maui {
namespace {

std::string_view who_may(Access access) {
  switch (access) {
    case Access::admin1:
      return "Administrators of level 1 may use it.";
    case Access::admin2:
      return "Administrators of levels 1 and 2 may use it.";
    case Access::admin3:
      return "Administrators of all levels may use it.";
    case Access::owner:
      return "Users may use it on their own jobs, administrators of levels 1 and 2 on all jobs.";
    case Access::anyone:
      return "Everybody may use it.";
  }
  return {};
}

// Shortens a sentence for the NAME line: "showq - show the jobs", which man(1) expects on one line.
std::string phrase(std::string_view sentence) {
  std::string text(sentence.substr(0, sentence.find_first_of(".:;")));
  const bool word = text.size() > 1 && text[1] >= 'a' && text[1] <= 'z';
  if (word && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

struct ExitMeaning {
  std::string_view status, meaning;
};

constexpr ExitMeaning kExit[] = {
    {"0", "The command was carried out."},
    {"1", "The scheduler refused it, or carried out only a part."},
    {"2", "The command line is wrong."},
    {"3", "The scheduler cannot be reached."},
};

/// Explains the formats of times and durations if a flag or an operand takes one.
void add_times(ManualPage& page, const CommandSpec& spec) {
  bool moment = false, past = false,
       duration = spec.operands.find("DURATION") != spec.operands.npos;
  for (const Flag& flag : spec.flags) {
    moment |= flag.argument == "TIME";
    past |= flag.argument.starts_with("START");
    duration |= flag.argument == "DURATION";
  }
  past |= moment && spec.looks;
  if (spec.name == "schedctl") moment = false, duration = true;
  if (!moment && !past && !duration) return;
  page.section("FORMS OF TIME");
  if (duration || moment)
    page.item("[[[DD:]HH:]MM:]SS",
              "A duration: 90 and 1:30 are a minute and a half, 2:00:00 two hours, 1:00:00:00 a "
              "day; INFINITY.");
  if (moment || past)
    page.item("HH[:MM[:SS]][_MO[/DD[/YY]]]",
              fmt::format("A time in the scheduler's time zone: 14:30, or 14:30:00_10/17/26; the "
                          "date defaults to today, the year to this year{}.",
                          past ? ""
                               : "; if the reservation would then already be over, to tomorrow "
                                 "or next year"));
  if (moment && !past)
    page.item("+[[[DD:]HH:]MM:]SS", "This long from now; NOW and INFINITY are also accepted.");
  if (past)
    page.item("YYYY-MM-DD[THH:MM:SS]", "Midnight of a day, or a time on that day.")
        .item("-[[[DD:]HH:]MM:]SS", "This long ago.");
  page.item("a number of ten digits or more", "Seconds since 1970.");
}

void add_exit(ManualPage& page) {
  page.section("EXIT STATUS");
  for (const auto& exit : kExit) page.item(exit.status, exit.meaning);
}

void add_environment(ManualPage& page) {
  page.section("ENVIRONMENT")
      .item("MAUIHOMEDIR", "The directory that contains maui.cfg.")
      .item("SERVERHOST, SERVERPORT, CLIENTTIMEOUT",
            "They override the parameters of the same names in maui.cfg.")
      .item("MAUIPARTITION", "The partition that show commands use by default.")
      .item("TZ", "The time zone in which times are shown.")
      .item("NO_COLOR", "If it is set, output to a terminal has no colours.");
}

}  // namespace

std::string command_manual(const CommandSpec& spec, std::string_view version) {
  const CommandText* text = find_command_text(spec.same_as.empty() ? spec.name : spec.same_as);
  const CommandText none{.command = spec.name};
  if (text == nullptr) text = &none;
  ManualPage page(spec.name, 1, version, phrase(spec.help) + " (maui)");
  page.section("SYNOPSIS")
      .text(
          fmt::format("{} [FLAGS]{}{}", spec.name, spec.operands.empty() ? "" : " ", spec.operands))
      .section("DESCRIPTION")
      .text(spec.help);
  if (!text->more.empty()) page.text(text->more);
  if (spec.jobs_from >= 0)
    page.text(
        "In place of a job, x:EXPRESSION stands for all jobs that you may change and in whose "
        "names the regular expression is found, at any place: x:8 matches j83 and j85, x:^j8$ "
        "only j8.");
  page.text(text->who.empty() ? who_may(spec.access) : text->who);
  page.section("OPTIONS");
  for (const Flag& flag : spec.flags) page.item(flag_form(flag), flag.help);
  page.subsection("Options of every command");
  for (const auto& option : general_options()) page.item(flag_form(spec, option), option.help);
  if (!text->columns.empty()) page.section("OUTPUT");
  for (const auto& column : text->columns) page.item(column.name, column.meaning);
  add_times(page, spec);
  if (!text->examples.empty()) page.section("EXAMPLES");
  for (const auto& example : text->examples) page.item(example.line, example.meaning);
  add_exit(page);
  add_environment(page);
  return page.section("SEE ALSO")
      .text(fmt::format("{}{}maui(8), maui.cfg(5)", text->see_also,
                        text->see_also.empty() ? "" : ", "))
      .str();
}

std::string client_manual(std::string_view version) {
  ManualPage page("maui_client", 1, version, "the commands of the maui scheduler");
  page.section("SYNOPSIS")
      .text("maui_client COMMAND [FLAGS] ...")
      .text("maui_client --commands | --version | --man COMMAND");
  page.section("DESCRIPTION")
      .text(
          "A single program, installed under the name of each command; each command has its own "
          "page. On the scheduler's machine it connects to maui.sock, where the kernel "
          "identifies the user; elsewhere it connects to SERVERPORT on SERVERHOST.");
  page.section("COMMANDS");
  for (const auto& spec : command_specs()) page.item(fmt::format("{}(1)", spec.name), spec.help);
  page.section("OPTIONS")
      .item("--commands", "Lists only the names of the commands.")
      .item("--man COMMAND", "Writes the page of a command, or of maui_client, for man(1).")
      .item(
          "--complete [--described] WORD...",
          "Lists completions of the last word, for shells; --described adds a tab and the meaning "
          "of each.")
      .item("-h, --help", "Lists the commands.")
      .item("--version", "Shows the release.");
  page.section("EXAMPLES")
      .item("maui_client showq -r", "The same as showq -r.")
      .item("ln -s maui_client showq",
            "The name under which the program runs selects the command.");
  add_exit(page);
  add_environment(page);
  return page.section("SEE ALSO").text("maui(8), maui.cfg(5), showq(1), checkjob(1)").str();
}

}  // namespace maui
