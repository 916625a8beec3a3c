// The client under all its names (guide 14.5): the name selects the command, the command's row
// defines the command line, the server answers, and render() formats the answer.
//
// Exit status: 0 success, 1 refused, 2 wrong usage, 3 the server cannot be reached.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/date.h"
#include "base/text.h"
#include "client.h"
#include "client_settings.h"
#include "completion.h"
#include "job_script.h"
#include "proto/arguments.h"
#include "proto/error_json.h"
#include "proto/manual.h"
#include "proto/output.h"
#include "render/as_xml.h"
#include "render/render.h"
#include "render/table.h"

namespace maui {
namespace {

enum ExitStatus : int { kDone = 0, kRefused = 1, kUsage = 2, kUnreachable = 3 };

constexpr std::string_view kProgram = "maui_client";

std::string command_list() {
  std::string text;
  for (const auto& spec : command_specs())
    text += fmt::format("  {:<14}{}\n", spec.name, spec.help);
  return text;
}

std::string program_usage() {
  return fmt::format(
      "Usage: {} COMMAND [FLAGS] ...\nRun a scheduler command; each is also a program of the same "
      "name.\n\n{}\n{} COMMAND -h shows the flags of a command; --commands lists only names; "
      "--man COMMAND writes a page for man(1); --version shows the release.\n",
      kProgram, command_list(), kProgram);
}

int say(const std::string& text) { return write_out(stdout, text) ? kDone : kRefused; }

/// Also reports an error on standard output, where scripts that read JSON look.
void say_as_json(const std::string& text, ExitStatus status) { say(error_as_json(status, text)); }

/// True if the command line asks for JSON, even if the command line is wrong.
bool wants_json(std::span<const std::string> words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == "--format=json" ||
        (words[i] == "--format" && i + 1 < words.size() && words[i + 1] == "json"))
      return true;
  return false;
}

std::string version() { return fmt::format("maui client version {}\n", MAUI_VERSION); }

int write_manual(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[1] == kProgram) return say(client_manual(MAUI_VERSION));
  const auto specs = command_specs();
  const auto spec = std::find_if(specs.begin(), specs.end(), [&](const CommandSpec& command) {
    return words.size() == 2 && command.name == words[1];
  });
  if (spec == specs.end())
    return complain("--man must be followed by the name of a command", kUsage);
  return say(command_manual(*spec, MAUI_VERSION));
}

/// Ends completion after some seconds, e.g. when a host name cannot be looked up.
void end_in(unsigned seconds) {
  std::signal(SIGALRM, [](int) { ::_exit(kDone); });
  ::alarm(seconds);
}

/// Completes words for shells while the user types: quickly, and without error messages.
int complete(CompletionRequest request) {
  auto& words = request.words;
  if (words.size() > 1 && program_name(words[0]) == kProgram) words = words.subspan(1);
  const auto* spec = words.empty() ? nullptr : find_command(program_name(words[0]));
  if (spec == nullptr && words.size() > 1) return kDone;
  Suggestions all;
  if (spec == nullptr || words.size() == 1) {
    for (const auto& command : command_specs())
      all.push_back({std::string(command.name), std::string(command.help)});
    return say(suggestions_text(request, std::move(all)));
  }
  end_in(2);
  auto settings = client_settings({});
  const auto ask_quickly = [&](std::string_view command) -> std::optional<Reply> {
    if (!settings) return std::nullopt;
    settings->timeout = std::min(settings->timeout, std::chrono::milliseconds(1000));
    CommandRequest asked;
    asked.command = command;
    asked.group = group_name();
    auto answer = ask(*settings, asked, Trace(0));
    return answer ? std::optional(std::move(answer->reply)) : std::nullopt;
  };
  return say(suggestions_text(request, completions(*spec, words.subspan(1), ask_quickly)));
}

/// Runs the program under its own name, without a command.
int run_bare(const std::vector<std::string>& words) {
  if (words.empty()) {
    warn_user("{}", program_usage());
    return kUsage;
  }
  if (words[0] == "-h" || words[0] == "--help") return say(program_usage());
  if (words[0] == "--version") return say(version());
  if (words[0] == "--commands") {
    std::string names;
    for (const auto& spec : command_specs()) names += std::string(spec.name) + "\n";
    return say(names);
  }
  if (words[0] == "--man") return write_manual(words);
  if (words[0] == "--complete") return complete(completion_request(std::span(words).subspan(1)));
  return complain(fmt::format("unknown command '{}': {} -h lists them", words[0], kProgram),
                  kUsage);
}

int about(const GeneralOptions& options) {
  const auto settings = client_settings(options);
  if (!settings) return complain(settings.error().what, kUsage);
  return say(version() +
             fmt::format("defaults:  server={}  homedir={}\n", settings->server(), settings->home));
}

/// Returns the width of the terminal, else COLUMNS, else 80.
int terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  return columns == nullptr ? 80 : parse_integer<int>(columns).value_or(80);
}

/// Adds the partition in MAUIPARTITION for show commands with -p, if none was named.
void add_partition(const CommandSpec& spec, CommandRequest& request) {
  const char* partition = std::getenv("MAUIPARTITION");
  const Flag* flag = find_flag(spec, "p");
  if (partition == nullptr || *partition == '\0' || flag == nullptr ||
      flag->argument != "PARTITION" || !spec.name.starts_with("show") || request.has("p"))
    return;
  request.flags.emplace("p", partition);
}

/// Returns why these options cannot be used with this command, or an empty string.
std::string misuse(const Invocation& invocation) {
  const auto& options = invocation.general;
  if (options.format == Format::svg && !invocation.request.has("gantt"))
    return "--format=svg requires showres --gantt";
  if (options.format == Format::xml && !has_xml(invocation.request))
    return "has no XML output; use --format=json";
  const bool table = options.table.any();
  if (table && options.format != Format::text && options.format != Format::json)
    return "--columns, --sort and --limit require text or JSON output";
  if (options.format == Format::json &&
      (!options.table.columns.empty() || options.table.list_columns))
    return "--columns requires text output; JSON contains all members";
  if ((table || options.watch) && !only_looks(invocation.request))
    return "--columns, --sort, --limit and --watch require a command that changes nothing";
  return {};
}

/// True if output is to a terminal and its user has not disabled colours (no-color.org).
bool wants_colour() {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) != 0 && (none == nullptr || *none == '\0') &&
         terminal != nullptr && std::string_view(terminal) != "dumb";
}

Result<std::string> text_of(const ServerAnswer& answer, const GeneralOptions& options) {
  const Reply& reply = answer.reply;
  if (!options.table.any()) return render(reply, options.format, terminal_width(), answer.remarks);
  if (options.format == Format::text) return as_table(reply, options.table, wants_colour());
  const auto chosen = choose_rows(reply, options.table.rows());
  if (!chosen) return chosen.error();
  return render(chosen->reply, options.format, terminal_width(), answer.remarks);
}

/// Prints the remarks; JSON output contains them as members.
void print_remarks(const ReplyRemarks& remarks) {
  if (!remarks.not_kept.empty())
    warn_user("WARNING:  the change will be lost at a restart: {}\n", remarks.not_kept);
  for (const auto& name : remarks.not_reported)
    warn_user(
        "WARNING:  resource manager '{}' has not reported yet: its nodes and jobs are not "
        "known (diagnose -R)\n",
        name);
  if (!remarks.stopped.empty()) warn_user("WARNING:  {}\n", remarks.stopped);
}

/// Sends the request once and writes the answer after `title`.
int ask_once(const CommandSpec& spec, const ClientSettings& settings, const Invocation& invocation,
             const Trace& trace, std::string_view title) {
  const auto answer = ask(settings, invocation.request, trace);
  const bool json = invocation.general.format == Format::json;
  if (!answer) {
    if (json) say_as_json(answer.error().what, kUnreachable);
    return complain(answer.error().what, kUnreachable);
  }
  if (!json) print_remarks(answer->remarks);
  if (const auto* refusal = std::get_if<Refusal>(&answer->reply)) {
    if (json) say_as_json(refusal->reason, kRefused);
    warn_user("ERROR:    '{}' failed\n{}\n", spec.name,
              prefixed_lines("ERROR:  ", refusal->reason));
    return kRefused;
  }
  const bool done = succeeded(answer->reply);
  const auto text = text_of(*answer, invocation.general);
  if (!text) {
    const auto why = fmt::format("{}: {}", spec.name, text.error().what);
    if (json) say_as_json(why, kUsage);
    return complain(why, kUsage);
  }
  const int written = say(std::string(title) + *text);
  return done ? written : kRefused;
}

/// Repeats the request.  Continues if the server does not answer, since it may do so later; ends
/// when the reader has gone away.
int watch(const CommandSpec& spec, const ClientSettings& settings, const Invocation& invocation,
          const Trace& trace) {
  constexpr std::string_view kClear = "\x1b[H\x1b[2J";
  const int seconds = *invocation.general.watch;
  const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  for (;; std::this_thread::sleep_for(std::chrono::seconds(seconds))) {
    const auto title = fmt::format("{}Every {} s: {}   {}\n\n", terminal ? kClear : "", seconds,
                                   spec.name, format_date(Time(std::time(nullptr)), true));
    const int status = ask_once(spec, settings, invocation, trace, title);
    if (status == kUsage || std::ferror(stdout) != 0) return status;
  }
}

int run_command(const CommandSpec& spec, const std::vector<std::string>& words) {
  const auto misused = [json = wants_json(words)](const std::string& why) {
    if (json) say_as_json(why, kUsage);
    return complain(why, kUsage);
  };
  auto invocation = parse_arguments(spec, words);
  if (!invocation) {
    misused(invocation.error().what);
    warn_user("Try '{} --help'.\n", spec.name);
    return kUsage;
  }
  auto& options = invocation->general;
  if (spec.name == "showstate" && invocation->request.has("x")) options.format = Format::xml;
  if (options.help) return say(usage(spec));
  if (options.version) return say(version());
  if (options.about) return about(options);
  if (const auto why = misuse(*invocation); !why.empty())
    return misused(fmt::format("{}: {}", spec.name, why));
  const auto settings = client_settings(options);
  if (!settings) return misused(settings.error().what);
  const Trace trace(options.log_level);
  trace.say(
      1, fmt::format("home directory {}, configuration {}", settings->home, settings->config_file));
  auto& request = invocation->request;
  request.group = group_name();
  add_partition(spec, request);
  if (const auto script = request.flags.find("script"); script != request.flags.end()) {
    auto head = script_head(script->second);
    if (!head) return misused("showstart: --script: " + head.error().what);
    script->second = *std::move(head);
  }
  if (options.watch) return watch(spec, *settings, *invocation, trace);
  return ask_once(spec, *settings, *invocation, trace, {});
}

int run(int argc, char** argv) {
  const auto name = program_name(argc > 0 ? argv[0] : kProgram);
  std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (const auto* spec = find_command(name)) return run_command(*spec, words);
  const auto* spec = words.empty() ? nullptr : find_command(words[0]);
  if (spec == nullptr) return run_bare(words);
  words.erase(words.begin());
  return run_command(*spec, words);
}

}  // namespace
}  // namespace maui

int main(int argc, char** argv) { return maui::run(argc, argv); }
