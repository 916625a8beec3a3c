#include "native/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <deque>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "maui/settings/resource_managers.h"
#include "native/lines.h"
#include "programs/inquiry.h"

namespace maui::native {
namespace {

using OnAnswer = std::function<void(WikiAnswer)>;

// The most simultaneous runs for one command; more would overload a small machine.
constexpr int kMostAtOnce = 4;
// The exit status with which a program says "not now" (EX_TEMPFAIL of sysexits.h).
constexpr int kTryAgain = 75;

/// Reads a file in a separate process, since a read may hang (a pipe, a dead file server).
constexpr const char* kReader = "/bin/cat";

std::string joined_with_commas(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += fmt::format("{}{}", text.empty() ? "" : ",", word);
  return text;
}

std::string first_line(std::string_view text) {
  for (const auto line : split(text, '\n'))
    if (!trimmed(line).empty()) return std::string(trimmed(line));
  return {};
}

/// Returns a program's status and message: the first line that it printed, or else that of its
/// standard error.
std::string words_of(const std::string& path, const ProgramOutcome& outcome) {
  const auto printed = first_line(outcome.output);
  const auto& line = printed.empty() ? outcome.complaint : printed;
  return fmt::format("{} exited with status {}{}{}", path, outcome.status, line.empty() ? "" : ": ",
                     line);
}

Error failure_of(const std::string& path, const ProgramOutcome& outcome) {
  auto why =
      fmt::format("{}: {}", path,
                  outcome.failure.empty() ? fmt::format("it exited with status {}", outcome.status)
                                          : outcome.failure);
  if (!outcome.complaint.empty()) why += fmt::format(" ({})", outcome.complaint);
  return Error{std::move(why)};
}

// State that the handlers share with the link, because they may outlive it.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(boost::asio::io_context& io, LinkOptions options)
      : io_(io), options_(std::move(options)) {}

  void ask(const WikiRequest& request, OnAnswer done) {
    const auto source = options_.sources.find(request.command);
    if (is_query(request.command)) {
      const bool is_there = source != options_.sources.end();
      return query(request, is_there ? source->second : Source(), std::move(done));
    }
    if (auto why = lacks(request.command); !why.empty())
      return refuse(std::move(why), std::move(done));
    auto arguments = arguments_of(request);
    if (!arguments) return refuse(arguments.error().what, std::move(done));
    arguments->insert(arguments->begin(), source->second.arguments.begin(),
                      source->second.arguments.end());
    Lane& lane = lanes_[request.command];
    lane.waiting.push_back(
        {call_of(request, source->second.path, *std::move(arguments)), std::move(done)});
    next(lane);
  }

  std::string lacks(const std::string& command) const {
    if (is_query(command) || options_.sources.contains(command)) return {};
    const auto attribute = attribute_of(command);
    return attribute.empty() ? fmt::format("{} is not supported with programs of a site", command)
                             : fmt::format("RMCFG has no {}", attribute);
  }

  static std::string kind() { return {}; }
  void close() { closed_ = true; }

 private:
  struct Run {
    ProgramCall call;
    OnAnswer done;
  };
  struct Lane {
    int running = 0;
    std::deque<Run> waiting;
  };

  static bool is_query(std::string_view command) {
    return command == "GETNODES" || command == "GETJOBS";
  }

  static std::string_view attribute_of(std::string_view command) {
    for (const auto& known : kNativeRequests)
      if (command == known.request) return known.attribute;
    return {};
  }

  Result<std::vector<std::string>> arguments_of(const WikiRequest& request) const {
    std::vector<std::string> arguments{request.argument};
    if (request.command == "STARTJOB") {
      arguments.push_back(joined_with_commas(wiki_list(request.option("TASKLIST"))));
      const auto user = users_.find(request.argument);
      arguments.push_back(user == users_.end() ? std::string() : user->second);
    } else if (request.command == "MODIFYJOB") {
      const auto minutes = parse_integer<std::int64_t>(request.option("TIMELIMIT"));
      if (!minutes) return Error{"only the limit of a job can be changed"};
      arguments.insert(arguments.end(), {"--set", fmt::format("WCLIMIT={}", *minutes * 60)});
    } else if (request.command == "MODIFYNODE") {
      arguments.insert(arguments.end(),
                       {"--set", fmt::format("STATE={}", request.option("STATE"))});
    }
    return arguments;
  }

  void refuse(std::string why, OnAnswer done) {
    boost::asio::post(io_, [done = std::move(done), why = std::move(why)] {
      done({WikiReply{kWikiRefused, why, false}, false, std::nullopt});
    });
  }

  static ProgramCall call_of(const WikiRequest& request, std::string path,
                             std::vector<std::string> arguments) {
    ProgramCall call{std::move(path), std::move(arguments)};
    call.leaves_some_behind = true;
    if (request.generation > 0)
      call.variables = {fmt::format("MAUI_GENERATION={}", request.generation)};
    return call;
  }

  void run(ProgramCall call, std::function<void(ProgramOutcome)> done) {
    run_program(io_, std::move(call), "", {.time = options_.timeout}, std::move(done));
  }

  void query(const WikiRequest& request, const Source& source, OnAnswer done) {
    if (source.path.empty())
      return boost::asio::post(io_, [done = std::move(done)] {
        done({WikiReply{kWikiDone, {}, true}, true, std::nullopt,
              std::make_shared<const WikiRecords>()});
      });
    auto arguments = source.arguments;
    if (source.is_file) arguments = {"--", source.path};
    run(call_of(request, source.is_file ? kReader : source.path, std::move(arguments)),
        [self = shared_from_this(), path = source.path, is_file = source.is_file,
         of_jobs = request.command == "GETJOBS",
         done = std::move(done)](const ProgramOutcome& outcome) {
          if (self->closed_) return;
          if (!outcome.failure.empty() || outcome.status != 0)
            return done({failure_of(path, outcome), outcome.begun, std::nullopt});
          self->read(outcome.output, is_file, of_jobs, done);
        });
  }

  void read(std::string text, bool is_file, bool of_jobs, const OnAnswer& done) {
    constexpr std::size_t kLinesAtOnce = 500;  // takes some milliseconds
    const auto report = std::make_shared<const std::string>(std::move(text));
    const auto reader = std::make_shared<ReportReader>(*report, is_file);
    in_slices(
        options_.later,
        [self = shared_from_this(), report, reader] {
          return self->closed_ || reader->read(kLinesAtOnce);
        },
        [self = shared_from_this(), reader, of_jobs, done] {
          if (self->closed_) return;
          auto records = reader->take();
          if (of_jobs) self->complete(records);
          done({WikiReply{kWikiDone, {}, true}, true, std::nullopt,
                std::make_shared<const WikiRecords>(std::move(records))});
        });
  }

  /// Adds one task to each job without a size, and stores the users of jobs for their starts.
  void complete(WikiRecords& records) {
    users_.clear();
    for (auto& record : records.records) {
      const auto has = [&](const char* name) { return record->find(name) != nullptr; };
      if (!has("TASKS") && !has("NODES") && !has("NODERANGE") && !has("HOSTLIST")) {
        WikiRecord whole = *record;
        whole.set("TASKS", "1");
        record = shared(std::move(whole));
      }
      if (const auto* user = record->find("UNAME")) users_[record->id] = wiki_text(*user);
    }
  }

  void next(Lane& lane) {
    while (lane.running < kMostAtOnce && !lane.waiting.empty()) {
      Run next_run = std::move(lane.waiting.front());
      lane.waiting.pop_front();
      ++lane.running;
      const auto path = next_run.call.path;
      run(std::move(next_run.call),
          [self = shared_from_this(), &lane, path,
           done = std::move(next_run.done)](const ProgramOutcome& outcome) {
            --lane.running;
            if (!self->closed_) self->ended(lane, path, outcome, done);
          });
    }
  }

  // If a run fails to end, the waiting runs of the same command fail, too.
  void ended(Lane& lane, const std::string& path, const ProgramOutcome& outcome,
             const OnAnswer& done) {
    std::deque<Run> lost;
    if (!outcome.failure.empty()) {
      const Error why = failure_of(path, outcome);
      lost.swap(lane.waiting);
      done({why, outcome.begun, std::nullopt});
      for (const auto& queued : lost) queued.done({why, false, std::nullopt});
    } else {
      const int code = outcome.status == 0           ? kWikiDone
                       : outcome.status == kTryAgain ? kWikiNotNow
                                                     : kWikiRefused;
      done({WikiReply{code, words_of(path, outcome), false}, true, std::nullopt});
    }
    next(lane);
  }

  boost::asio::io_context& io_;
  LinkOptions options_;
  std::map<std::string, Lane> lanes_;                   // by command
  std::unordered_map<std::string, std::string> users_;  // of jobs, from the last report
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<WikiLink> make_link(boost::asio::io_context& io, LinkOptions options) {
  return std::make_unique<ExchangeLink<Exchange>>(
      std::make_shared<Exchange>(io, std::move(options)));
}

}  // namespace maui::native
