#include "pbs/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/text.h"
#include "pbs/job_record.h"
#include "rm/wiki_record.h"

namespace maui::pbs {
namespace {

// Error numbers that are the same in all servers.
constexpr int kUnknownJob = 15001, kInvalidRequest = 15004, kPermission = 15007;
// From here on, TORQUE's numbers are higher by two; the numbers below are OpenPBS's.
constexpr int kFirstMoved = 15008, kMoved = 2;
constexpr int kBadState = 15016, kBadCredential = 15019, kMomRejected = 15041, kUnavailable = 15044,
              kShuttingDown = 15060, kUnknownNode = 15062, kNoNodes = 15064, kUnreachable = 15070;
constexpr int kTorqueBusy = 15134;

/// Returns the error's number in OpenPBS's numbering.
int common_number(int code, Family family) {
  return family == Family::torque && code >= kFirstMoved + kMoved ? code - kMoved : code;
}

MakeRequest manage(RequestCode code, Command command, ObjectKind kind, std::string name,
                   std::vector<Attribute> attributes, std::string extension = {}) {
  return [=](const Requests& requests, Dialect) {
    return requests.manage(code, command, kind, name, attributes, extension);
  };
}

MakeRequest signal(const WikiRequest& request, std::string word) {
  return [job = request.argument, word = std::move(word)](const Requests& requests, Dialect) {
    return requests.signal(job, word);
  };
}

using Steps = Result<std::vector<Step>>;

Steps only(MakeRequest make) { return std::vector<Step>{{std::move(make)}}; }

// Starts a job on exactly the given nodes; the server answers before a mom has accepted the job.
Steps start(const WikiRequest& request, const Wish* wish, Family family) {
  if (wish == nullptr) return Error{fmt::format("no job {}", request.argument)};
  const auto tasks = wiki_list(request.option("TASKLIST"));
  const auto place =
      destination(*wish, tasks, family == Family::torque ? Dialect::bare : Dialect::parts);
  return only([job = request.argument, place, family](const Requests& requests, Dialect dialect) {
    using enum RequestCode;
    // OpenPBS sends no answer to the request by which TORQUE starts jobs without waiting.
    const auto code = family == Family::torque    ? async_run_job
                      : dialect == Dialect::parts ? async_run_job_answered
                                                  : run_job;
    return requests.run(code, job, place);
  });
}

constexpr std::string_view kTooLong = "maui: the job has exceeded its wallclock limit";

// A job that exceeds its limit gets a message on its standard error; failures to write it are
// ignored.  OpenPBS from 22 does not answer the old delete request while the job runs.
Steps cancel(const WikiRequest& request, Family family) {
  const bool late = request.option("TYPE") == "WALLCLOCK";
  const std::string why = family != Family::torque ? ""
                          : late                   ? std::string(kTooLong)
                                                   : "maui: the job was cancelled";
  std::vector<Step> steps;
  if (late)
    steps.push_back({[job = request.argument](const Requests& requests, Dialect) {
      return requests.message(job, std::string(kTooLong));
    }});
  steps.push_back({[job = request.argument, why](const Requests& requests, Dialect dialect) {
    if (dialect == Dialect::parts) return requests.delete_jobs(std::vector<std::string>{job});
    return requests.manage(RequestCode::delete_job, Command::remove, ObjectKind::job, job, {}, why);
  }});
  return steps;
}

MakeRequest change_system_hold(RequestCode code, const std::string& job) {
  return manage(code, Command::set, ObjectKind::job, job, {{"Hold_Types", "", "s"}});
}

// A system hold makes the server checkpoint the job; once the hold is released, the job waits.
// Servers without checkpoints only note the hold, and the job runs on.  The hold is released
// whatever the answers are, since a server may keep a hold that it refuses, unless an administrator
// had set it before.
Steps checkpoint(const WikiRequest& request) {
  struct Hold {
    bool was_set = true, may_be_set = false;
  };
  const auto hold = std::make_shared<Hold>();
  const auto look = [job = request.argument](const Requests& requests, Dialect) {
    return requests.status(RequestCode::status_job, job);
  };
  const auto note_holds = [hold](const Reply& reply) -> std::string {
    if (reply.objects.empty()) return "the server does not report the job";
    const auto holds = reply.objects.front().get("Hold_Types");
    hold->was_set = holds.find('s') != std::string_view::npos;
    return {};
  };
  const auto set = [hold, make = change_system_hold(RequestCode::hold_job, request.argument)](
                       const Requests& requests, Dialect dialect) {
    hold->may_be_set = true;
    return make(requests, dialect);
  };
  const auto runs_on = [](const Reply& reply) -> std::string {
    if (reply.objects.empty() || !runs(reply.objects.front())) return {};
    return "the server has not checkpointed the job, which runs on";
  };
  const auto is_ours = [hold] { return hold->may_be_set && !hold->was_set; };
  return std::vector<Step>{
      {look, note_holds}, {set}, {look, runs_on}, {release_of(request.argument), nullptr, is_ours}};
}

Steps modify(const WikiRequest& request) {
  std::vector<Attribute> changes;
  for (const auto& [name, value] : request.options) {
    const auto minutes = parse_integer<std::int64_t>(value);
    if (name != "TIMELIMIT" || !minutes)
      return Error{fmt::format("{}={} cannot be changed; TIMELIMIT=MINUTES can", name, value)};
    changes.push_back(
        {"Resource_List", "walltime", fmt::format("{:02}:{:02}:00", *minutes / 60, *minutes % 60)});
  }
  return only(manage(RequestCode::modify_job, Command::set, ObjectKind::job, request.argument,
                     std::move(changes)));
}

// Only adds or removes the flag "offline": setting the state would clear all other flags.
Steps modify_node(const WikiRequest& request) {
  const bool out = same_word(request.option("STATE"), "Drained");
  const std::vector<Attribute> change{{"state", "", "offline", out ? Op::add : Op::remove}};
  return only(
      manage(RequestCode::manager, Command::set, ObjectKind::node, request.argument, change));
}

}  // namespace

int major_version(std::string_view version) {
  return parse_integer<int>(version.substr(0, version.find_first_of("._-"))).value_or(0);
}

Family family_of(Dialect dialect, std::string_view version) {
  if (framed(dialect)) return Family::openpbs;
  // TORQUE has reached version 6; PBS Pro begins with 5 (and names itself), later versions with 10.
  return version.starts_with("PBS") || major_version(version) >= 10 ? Family::openpbs
                                                                    : Family::torque;
}

Steps steps_of(const WikiRequest& request, const Wish* wish, Family family) {
  const std::string& command = request.command;
  if (command == "STARTJOB") return start(request, wish, family);
  if (command == "CANCELJOB") return cancel(request, family);
  if (command == "SUSPENDJOB") return only(signal(request, "suspend"));
  if (command == "RESUMEJOB") return only(signal(request, "resume"));
  if (command == "CHECKPOINTJOB") return checkpoint(request);
  if (command == "MODIFYJOB") return modify(request);
  if (command == "MODIFYNODE") return modify_node(request);
  if (command == "REQUEUEJOB")
    return only([job = request.argument](const Requests& requests, Dialect) {
      return requests.rerun(job);
    });
  return Error{fmt::format("{} is not supported with PBS", command)};
}

MakeRequest release_of(const std::string& job) {
  return change_system_hold(RequestCode::release_job, job);
}

bool says_no_job(const Reply& reply) { return reply.code == kUnknownJob; }

bool is_done(const WikiRequest& request, const Reply& reply) {
  return reply.code == 0 || (request.command == "CANCELJOB" && says_no_job(reply));
}

bool says_no_nodes(const Reply& reply, Family family) {
  return common_number(reply.code, family) == kNoNodes;
}

WikiReply refusal(const Reply& reply, Family family) {
  const int number = common_number(reply.code, family);
  std::string why(trimmed(reply.text));
  if (why.empty()) why = "refused";
  why += fmt::format(", PBS error {}", reply.code);
  if (reply.code == kPermission)
    why += "; is maui's user among the server's managers and operators?";
  if (number == kBadCredential)
    why += "; the server does not trust the connection: does AUTHTYPE match the server's build?";
  constexpr std::array<int, 7> kPassing{kBadState,    kMomRejected, kUnavailable,   kShuttingDown,
                                        kUnknownNode, kUnreachable, kInvalidRequest};
  const bool passes = reply.code == kTorqueBusy || reply.code == kPermission ||
                      std::find(kPassing.begin(), kPassing.end(), number) != kPassing.end();
  return {passes ? kWikiNotNow : kWikiRefused, std::move(why), false};
}

}  // namespace maui::pbs
