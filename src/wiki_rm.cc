// wiki_rm: a resource manager for sites without one.  It emulates nodes, runs jobs as processes
// of this host, and speaks WIKI to a scheduler (docs/resource-managers.md).
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <cstdlib>
#include <map>
#include <span>
#include <utility>

#include "base/manual_page.h"
#include "base/suggestions.h"
#include "base/text.h"
#include "local_rm/server.h"
#include "proto/frame.h"
#include "rm/wiki_checksum.h"

namespace {

using namespace maui;

constexpr std::string_view kSynopsis =
    R"(Usage: wiki_rm serve  [OPTIONS]          emulate nodes and run jobs
       wiki_rm submit [OPTIONS] COMMAND  queue a line for sh; print its name
       wiki_rm hold JOB | release JOB    hold a queued job, or release it
       wiki_rm cancel JOB                end a job
       wiki_rm jobs                      list jobs as reported to maui
)";

struct Option {
  std::string_view command, name, argument, help;  // empty command: all commands
};
constexpr Option kOptions[] = {
    {"", "socket", "FILE", "the socket of serve; else WIKI_RM_SOCKET, or wiki_rm.sock"},
    {"serve", "port", "PORT", "the port for the scheduler; 42731 by default"},
    {"serve", "nodes", "N", "nodes; 4 by default"},
    {"serve", "procs", "N", "processors per node; 4 by default"},
    {"serve", "memory", "MB", "memory per node; 4096 by default"},
    {"serve", "key", "NUMBER", "checksums with this key (AUTHTYPE=CHECKSUM)"},
    {"serve", "events", "PORT", "notify the scheduler's EPORT of new and ended jobs"},
    {"serve", "keep", "SECONDS", "report jobs for this long after their end; 300 by default"},
    {"serve", "refuse-starts", "N", "refuse the first N starts"},
    {"submit", "tasks", "N", "tasks; 1 by default"},
    {"submit", "procs", "N", "processors per task; 1 by default"},
    {"submit", "memory", "MB", "memory per task; none by default"},
    {"submit", "limit", "SECONDS", "the wallclock limit; 600 by default"},
    {"submit", "class", "WORD", "its class"},
    {"submit", "account", "WORD", "its account"},
    {"submit", "qos", "WORD", "the requested QOS"},
    {"submit", "comment", "WORD", "a comment for the scheduler"},
    {"submit", "hold", "yes", "hold the job until it is released"},
};

std::string usage() {
  std::string text(kSynopsis);
  std::string_view last = "?";
  for (const Option& option : kOptions) {
    if (std::exchange(last, option.command) != option.command)
      text += option.command.empty() ? "\n" : fmt::format("{}:\n", option.command);
    text += fmt::format("  {:<18} {}\n", fmt::format("--{} {}", option.name, option.argument),
                        option.help);
  }
  return text;
}

/// The commands, for shell completion.
constexpr std::pair<std::string_view, std::string_view> kCommands[] = {
    {"serve", "emulate nodes and run jobs until terminated"},
    {"submit", "queue a line for sh"},
    {"hold", "hold a queued job"},
    {"release", "release a held job"},
    {"cancel", "end a job"},
    {"jobs", "list jobs as reported to the scheduler"},
};

using Options = std::map<std::string, std::string, std::less<>>;

int complain(std::string_view text, int status = 1) {
  fmt::print(stderr, "wiki_rm: {}\n", text);
  return status;
}

std::string value(const Options& options, std::string_view name, std::string_view otherwise) {
  const auto at = options.find(name);
  return at == options.end() ? std::string(otherwise) : at->second;
}

std::string socket_of(const Options& options) {
  const char* set = std::getenv("WIKI_RM_SOCKET");
  return value(options, "socket", set != nullptr ? set : "wiki_rm.sock");
}

int number(const Options& options, std::string_view name, int otherwise) {
  const auto text = value(options, name, std::to_string(otherwise));
  const auto known = parse_integer<int>(text);
  if (known && *known >= 0) return *known;
  std::exit(complain(fmt::format("--{} {}: expected a whole number, 0 or more", name, text), 2));
}

std::string manual() {
  ManualPage page("wiki_rm", 1, MAUI_VERSION,
                  "a resource manager with emulated nodes, for trying maui");
  page.section("SYNOPSIS").text("wiki_rm serve|submit|hold|release|cancel|jobs [OPTIONS] ...");
  page.section("DESCRIPTION")
      .text(
          "It keeps a queue, runs jobs as processes of its user on emulated nodes, and answers "
          "the scheduler's requests in the WIKI protocol. It is meant for experiments: only "
          "the owner of its socket may submit jobs.")
      .example(usage());
  page.section("EXIT STATUS")
      .text("0: done; 1: refused; 2: the command line is wrong; 3: no server answers.");
  return page.section("SEE ALSO").text("maui(8), maui.cfg(5)").str();
}

/// Fails unless every option belongs to the command; the error names the option.
Status check_options(std::string_view command, const Options& options) {
  std::vector<std::string_view> known;
  for (const Option& option : kOptions)
    if (option.command.empty() || option.command == command) known.push_back(option.name);
  for (const auto& [name, given] : options) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto near = nearest(name, known);
    return Error{fmt::format("{} has no option --{}{}", command, name,
                             near.empty() ? "" : fmt::format(" (did you mean --{}?)", near))};
  }
  if (const auto hold = value(options, "hold", "yes"); hold != "yes")
    return Error{fmt::format("--hold {}: expected yes", hold)};
  return Done{};
}

int complete(std::span<const std::string> words) {
  const auto request = completion_request(words);
  Suggestions all;
  if (request.words.size() == 2 && !request.begun().starts_with('-')) {
    for (const auto& [name, help] : kCommands)
      all.push_back({std::string(name), std::string(help)});
  } else if (request.words.size() > 1 && request.begun().starts_with('-')) {
    for (const Option& option : kOptions)
      if (option.command.empty() || option.command == request.words[1])
        all.push_back({fmt::format("--{}", option.name), std::string(option.help)});
  }
  return fmt::print("{}", suggestions_text(request, std::move(all))), 0;
}

int serve(const Options& options) {
  LocalServerOptions wanted;
  wanted.nodes.count = number(options, "nodes", wanted.nodes.count);
  wanted.nodes.procs = number(options, "procs", wanted.nodes.procs);
  wanted.nodes.memory = number(options, "memory", wanted.nodes.memory);
  wanted.port = number(options, "port", 42731);
  wanted.event_port = number(options, "events", 0);
  wanted.keep = Seconds(number(options, "keep", 300));
  wanted.refuse_starts = number(options, "refuse-starts", 0);
  wanted.socket = socket_of(options);
  if (const auto text = value(options, "key", ""); !text.empty()) {
    const auto key = parse_wiki_key(text);
    if (!key) return complain("--key: expected a number, decimal, 0x hexadecimal or 0 octal", 2);
    wanted.seal = WikiSeal{*key, "root"};
  }
  boost::asio::io_context io(1);
  LocalServer server(io, wanted);
  if (auto status = server.listen(); !status) return complain(status.error().what);
  boost::asio::signal_set end(io, SIGTERM, SIGINT);
  end.async_wait([&](boost::system::error_code, int) { io.stop(); });
  fmt::print("wiki_rm: {} nodes at port {}\n", wanted.nodes.count, server.port());
  std::fflush(stdout);
  io.run();
  return 0;
}

int ask(const Options& options, const WikiRequest& request) {
  const auto place = socket_place(socket_of(options));
  if (!place) return complain(place.error().what);
  boost::asio::io_context io(1);
  boost::asio::local::stream_protocol::socket socket(io);
  boost::system::error_code error;
  socket.connect(*place, error);
  const auto frame = wiki_frame(write_wiki(request), std::nullopt, Time(0));
  if (!error) boost::asio::write(socket, boost::asio::buffer(frame), error);
  FrameDecoder decoder(kMaxMessage);
  for (std::array<char, 4096> buffer{}; !error;) {
    const auto size = socket.read_some(boost::asio::buffer(buffer), error);
    decoder.feed({buffer.data(), size});
    const auto whole = decoder.next();
    if (!whole || !*whole) continue;
    const auto message = open_wiki(**whole, std::nullopt);
    const auto reply =
        message ? read_wiki_reply(message->body) : Result<WikiReply>(message.error());
    if (!reply) return complain(reply.error().what);
    if (reply->failed()) return complain(reply->text);
    fmt::print("{}\n", reply->text);
    return 0;
  }
  return complain(fmt::format("no server at '{}': {}", socket_of(options), error.message()), 3);
}

int submit(const Options& options, const std::string& command) {
  WikiJob job;
  const auto* user = ::getpwuid(::geteuid());
  job.report.name = "new";
  job.report.user = job.report.group = user != nullptr ? user->pw_name : "nobody";
  job.report.account = value(options, "account", "");
  job.report.qos = value(options, "qos", "");
  job.report.job_class = value(options, "class", "");
  job.report.job.comment = value(options, "comment", "");
  job.report.request.limit = Seconds(number(options, "limit", 600));
  auto& need = job.report.request.requirements.front();
  need.tasks = number(options, "tasks", 1);
  need.per_task = Resources(number(options, "procs", 1), number(options, "memory", 0));
  job.state = options.contains("hold") ? WikiState::hold : WikiState::idle;
  return ask(
      options,
      {"SUBMITJOB", one_word(write_wiki(write_wiki_job(job))), {{"COMMAND", one_word(command)}}});
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::vector<std::string> operands;
  const std::vector<std::string> all(argv + std::min(argc, 1), argv + argc);
  if (!all.empty() && all.front() == "--complete") return complete(std::span(all).subspan(1));
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") return fmt::print("{}", usage()), 0;
    if (word == "--man" && argc == 2) return fmt::print("{}", manual()), 0;
    if (word == "--version" && argc == 2)
      return fmt::print("wiki_rm version {}\n", MAUI_VERSION), 0;
    if (!word.starts_with("--") || operands.size() > 1)
      operands.push_back(word);
    else if (i + 1 < argc)
      options[word.substr(2)] = argv[++i];
    else
      return complain(fmt::format("{} must be followed by a value\n{}", word, usage()), 2);
  }
  const std::string what = operands.empty() ? "" : operands.front();
  if (const auto right = check_options(what, options); !what.empty() && !right)
    return complain(right.error().what, 2);
  if (what == "serve" && operands.size() == 1) return serve(options);
  if (what == "jobs" && operands.size() == 1) return ask(options, {"GETJOBS", "0:ALL", {}});
  if (what == "submit" && operands.size() == 2) return submit(options, operands[1]);
  const std::map<std::string, std::string> of_jobs{
      {"hold", "HOLDJOB"}, {"release", "RELEASEJOB"}, {"cancel", "CANCELJOB"}};
  if (const auto at = of_jobs.find(what); at != of_jobs.end() && operands.size() == 2)
    return ask(options, {at->second, operands[1], {}});
  return complain(usage(), 2);
}
