// Commands of administrators and job owners, carried out between iterations.
//
// A request to a resource manager that is known to be down is refused.  Others may be answered
// later: the result then awaits the answer.  A late refusal goes to the log in any case, since
// nobody may wait for it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/duration.h"
#include "base/state_names.h"
#include "base/text.h"
#include "engine/actions/forget_in_plan.h"
#include "engine/actions/holds.h"
#include "engine/command_result.h"
#include "engine/engine.h"
#include "engine/parts.h"
#include "engine/tools.h"
#include "sched/placement/feasibility.h"
#include "sched/priority/eligibility.h"
#include "sched/query/explain.h"
#include "sched/query/queue_forecast.h"
#include "sched/query/reason_words.h"
#include "sched/selection.h"
#include "sched/suspended.h"

namespace maui {
namespace {

Error unknown_job() { return Error{"the job is not known"}; }

std::string held_elsewhere(const Job& job) {
  return fmt::format("job '{}' is held by resource manager '{}', which alone can release that hold",
                     job.name, job.resource_manager);
}

Error hold_in_place(const Job& job) {
  return Error{fmt::format("job '{}' has a hold in place", job.name)};
}

/// True if the job is held for what it asks for, which every report of it shows anew.
bool held_for_request(const Job& job) {
  return has(job.own_holds, Hold::batch) &&
         (by_report(job.hold_reason) || job.hold_reason->cause == HoldCause::unknown_host);
}

Error not_idle(const Job& job) {
  return Error{fmt::format("job '{}' is {}  (it must be idle)", job.name,
                           job.active() ? "active" : "not in the queue")};
}

/// Keeps an answer that comes before the call returns, as the result; passes a later one to
/// `late`, and to whoever waits for the result.
class Prompt {
 public:
  /// `unanswered`: the number of commands without an answer; `action`: "cancel job 'a'".
  Prompt(std::shared_ptr<int> unanswered, std::string action) : unanswered_(std::move(unanswered)) {
    box_->action = std::move(action);
  }

  template <class Late>
  ResourceManager::Answer answer(Late late) {
    ++*unanswered_;
    return [box = box_, late, unanswered = unanswered_](Status status) {
      if (!std::exchange(box->answered, true)) --*unanswered;
      if (box->waiting) {
        box->status = std::move(status);
        return;
      }
      late(status);
      if (const auto then = std::exchange(box->then, nullptr))
        then(status ? status : Status(not_done(box->action, status.error())));
    };
  }
  /// As answer(), for refusals only.
  template <class Late>
  ResourceManager::Answer refusal(Late late) {
    return answer([late](const Status& status) {
      if (!status) late(status.error());
    });
  }
  CommandResult result() {
    box_->waiting = false;
    return {box_->status, box_->answered ? nullptr : box_};
  }

 private:
  struct Box : AwaitedAnswer {
    std::string action;
    bool waiting = true, answered = false;
    Status status = Done{};
  };
  std::shared_ptr<Box> box_ = std::make_shared<Box>();
  std::shared_ptr<int> unanswered_;
};

/// Returns an error if that resource manager is known to be down, so that a request to it would
/// come to nothing; `what` completes "cannot".
Status can_be_asked(const Engine& engine, std::string_view manager, std::string_view what) {
  const auto records = engine.rm_records();
  const auto at = std::find_if(records.begin(), records.end(), [manager](const RmRecord& record) {
    return record.name == manager;
  });
  if (records.empty() || (at == records.end() && records.size() > 1)) return Done{};
  const RmRecord& record = at == records.end() ? records.front() : *at;
  if (record.up || record.failed_polls == 0) return Done{};
  return Error{fmt::format("cannot {}: resource manager '{}' is down ({})", what, record.name,
                           record.failure)};
}

std::string of_job(std::string_view action, const Job& job) {
  return fmt::format("{} job '{}'", action, job.name);
}

Status can_be_asked(const Engine& engine, const Job& job, std::string_view action) {
  return can_be_asked(engine, job.resource_manager, of_job(action, job));
}

std::string_view word_for(Preemption how) {
  return how == Preemption::requeue   ? "requeue"
         : how == Preemption::suspend ? "suspend"
                                      : "checkpoint";
}

/// Refuses a start by hand that the job's own conditions forbid (`ignores_conditions`: -x), or site
/// policies besides limits (`ignores_policies`: -f and -x).
Status may_start(const Cluster& cluster, const Settings& settings, Time now, Job job,
                 bool ignores_policies, bool ignores_conditions) {
  job.holds = 0;  // they are judged apart
  const Eligibility eligibility(cluster, settings, now);
  const Reason why = eligibility.of(job);
  const bool policy = why == Reason::fairshare_cap || why == Reason::local_fairness;
  if (why == Reason::none || (policy ? ignores_policies : ignores_conditions)) return Done{};
  return Error{fmt::format("job '{}' {}  (runjob -{} starts it all the same)", job.name,
                           blocked_reason(eligibility, cluster, settings, job),
                           policy ? 'f' : 'x')};
}

/// Refuses nodes of a start by hand with which the job's host list would not be followed.
Status may_be_on(const Cluster& cluster, const Job& job, const Request& request,
                 const std::vector<NodeId>& nodes) {
  const auto& hosts = request.host_list;
  const auto within = [](NodeId node, const std::vector<NodeId>& list) {
    return std::find(list.begin(), list.end(), node) != list.end();
  };
  if (request.host_list_use == HostListUse::none) return Done{};
  for (const NodeId node : nodes)
    if (!within(node, hosts))
      return Error{fmt::format(
          "job '{}' asks for other nodes than {}  (runjob -x starts it there all the same)",
          job.name, cluster.node(node).name)};
  if (request.host_list_use != HostListUse::all_of) return Done{};
  for (const NodeId host : hosts)
    if (!within(host, nodes))
      return Error{
          fmt::format("job '{}' asks for {}, too  (runjob -x starts it without that all the same)",
                      job.name, cluster.node(host).name)};
  return Done{};
}

/// Returns the cluster without the job's own reservation, or without any if `of_all`, as the job
/// that is to run now should find it; nullopt if that is the cluster as it is.
std::optional<Cluster> without_reservations(const Cluster& cluster, const Job& job, bool of_all) {
  if (!job.reservation.valid() && (!of_all || cluster.reservations().empty())) return std::nullopt;
  std::optional<Cluster> trial(cluster);
  const auto all = cluster.reservations();
  for (const ReservationId id : all)
    if (of_all || id == job.reservation) trial->release_reservation(id);
  return trial;
}

/// Returns the settings without flags that confine jobs to reservations (USERESERVED, ADVRES).
Settings confining_nobody(Settings settings) {
  const auto free = [](CredentialSettings& entry) {
    std::erase_if(entry.flags, [](const std::string& word) {
      const auto bits = job_flag_bits({word});
      return has(bits, JobFlag::use_reserved) || has(bits, JobFlag::adv_res);
    });
  };
  for (auto* table :
       {&settings.users, &settings.groups, &settings.accounts, &settings.classes, &settings.qos})
    for (auto& [name, entry] : *table) free(entry);
  free(settings.system);
  return settings;
}

/// `where`: empty, or the words for the nodes of the command.
Error cannot_run(const Cluster& cluster, const Request& request, std::string_view where) {
  int idle = 0;
  for (const NodeId id : cluster.open_nodes())
    if (request.may_use(id) && in_partition(request, cluster.node(id)))
      idle += cluster.occupancy(id).free.procs();
  const int needed = request.total_procs();
  if (idle < needed)
    return Error{
        fmt::format("job cannot run  (insufficient idle procs{}:  {} needed  {} available)", where,
                    needed, idle)};
  return Error{
      fmt::format("job cannot run  (idle procs{} do not meet requirements or are reserved:  {} "
                  "needed  {} idle)",
                  where, needed, idle)};
}

Error would_delay(const Cluster& cluster, const std::vector<StartShift>& late, Time now) {
  const auto in = [now](Time when) { return "in " + format_duration(when - now); };
  const StartShift& worst = late.front();
  const std::string more = late.size() > 1 ? fmt::format("; {} would also start later",
                                                         counted(late.size() - 1, "other job"))
                                           : "";
  return Error{
      fmt::format("job cannot run  (job '{}' would {} instead of {}{}; runjob -x starts it anyway)",
                  cluster.job(worst.job).name,
                  worst.after < kForever ? "start " + in(worst.after) : std::string("never start"),
                  in(worst.before), more)};
}

}  // namespace

CommandResult Engine::cancel_job(JobId id) {
  EngineParts& parts = *parts_;
  const Cluster& cluster = parts.known.cluster;
  if (!id.valid() || !cluster.job(id).id.valid()) return unknown_job();
  if (auto can = can_be_asked(*this, cluster.job(id), "cancel"); !can) return can;
  Prompt prompt(parts.unanswered_commands, of_job("cancel", cluster.job(id)));
  const auto label = parts.tools.label(cluster.job(id));
  const bool asked = parts.known.requests.is_being_cancelled(cluster.job(id));
  parts.lasting_requests.cancel(
      id, CancelCause::asked, prompt.refusal([&parts, label, asked](const Error& error) {
        if (!asked) parts.tools.log_refusal("cancel job", label, error);  // once, whoever waits
      }));
  return prompt.result();
}

bool Engine::awaits_answers() const { return *parts_->unanswered_commands > 0; }

CommandResult Engine::run_job(JobId id, const RunOptions& options) {
  EngineParts& parts = *parts_;
  Cluster& cluster = parts.known.cluster;
  if (!id.valid() || !cluster.job(id).id.valid()) return unknown_job();
  const Job& job = cluster.job(id);
  if (!job.waiting()) return not_idle(job);
  if (job.holds_reported != 0) return Error{held_elsewhere(job)};
  if (job.holds != 0 && !options.force) return hold_in_place(job);
  if (auto can = can_be_asked(*this, job, "start"); !can) return can;
  if (!options.force)
    if (const auto limit = limit_on(cluster, parts.known.settings, now(), id, Strictness::hard))
      return Error{fmt::format("job '{}' {}", job.name, describe(cluster, *limit))};
  if (auto may = may_start(cluster, parts.known.settings, now(), job, options.force,
                           options.ignore_reservations);
      !may)
    return may;
  Request request = cluster.request(job.request);
  if (!options.nodes.empty()) {
    if (!options.ignore_reservations)
      if (auto may = may_be_on(cluster, job, request, options.nodes); !may) return may;
    request.host_list = options.nodes;
    std::sort(request.host_list.begin(), request.host_list.end());
    request.host_list_use = HostListUse::some_of;
  }
  if (options.partition.valid()) {
    const auto& may = request.partitions;
    if (!may.empty() && !options.force &&
        !std::binary_search(may.begin(), may.end(), options.partition))
      return Error{fmt::format("job '{}' may not use partition {}", job.name,
                               cluster.partitions[options.partition])};
    request.partitions = {options.partition};
    request.span = false;
  }
  const auto changed = without_reservations(cluster, job, options.ignore_reservations);
  const Cluster& trial = changed ? *changed : cluster;
  // With -x, the job uses what is free, whatever reservation it or its credentials ask for.
  Job free_job = job;
  free_job.required_reservation.clear();
  put(free_job.flags, JobFlag::adv_res, false);
  const std::optional<Settings> free_rules =
      options.ignore_reservations ? std::optional(confining_nobody(parts.known.settings))
                                  : std::nullopt;
  const Settings& in_force = free_rules ? *free_rules : parts.known.settings;
  Questions questions(trial, in_force, now());
  const auto place = [&](bool keep_reserved) {
    return questions.place_now(options.ignore_reservations ? free_job : job, request,
                               keep_reserved);
  };
  auto nodes = place(!options.ignore_reservations);
  if (!nodes && !options.ignore_reservations) {
    nodes = place(false);
    const auto late = nodes ? delayed_by(trial, parts.known.settings, now(), id, *nodes)
                            : std::vector<StartShift>();
    if (!late.empty()) return would_delay(cluster, late, now());
  }
  if (!nodes)
    return cannot_run(cluster, request, options.nodes.empty() ? "" : " on the nodes named");

  cluster.start_job(id, *nodes, now());
  parts_->known.learning.started(cluster, settings(), id);
  if (parts.tools.rm.reports_job_starts()) cluster.set_starting(id);
  forget_in_plan(parts.known.plan, id);
  Prompt prompt(parts.unanswered_commands, of_job("start", job));
  parts.launches.launch(id, false,
                        prompt.answer([](const Status&) {}));  // logged, with the job's reason
  return prompt.result();
}

CommandResult Engine::preempt_job(JobId id, Preemption how) {
  EngineParts& parts = *parts_;
  Cluster& cluster = parts.known.cluster;
  if (!id.valid() || !cluster.job(id).id.valid()) return unknown_job();
  const Job& job = cluster.job(id);
  const bool stopped = job.suspended() && how != Preemption::suspend;
  if (!job.active() && !stopped) return Error{fmt::format("job '{}' is not active", job.name)};
  if (auto can = can_be_asked(*this, job, word_for(how)); !can) return can;
  Prompt prompt(parts.unanswered_commands, of_job(word_for(how), job));
  auto reply = prompt.refusal([&parts, label = parts.tools.label(job)](const Error& error) {
    parts.tools.log_refusal("preempt job", label, error);
  });
  parts.lasting_requests.preempt(id, how, std::move(reply));
  return prompt.result();
}

CommandResult Engine::resume_job(JobId id) {
  EngineParts& parts = *parts_;
  Cluster& cluster = parts.known.cluster;
  if (!id.valid() || !cluster.job(id).id.valid()) return unknown_job();
  const Job& job = cluster.job(id);
  // An earlier resumption may have had no effect.
  const bool perhaps_suspended =
      job.active() && parts.known.unexpected.shows(job, JobState::suspended);
  if (!job.suspended() && !perhaps_suspended)
    return Error{fmt::format("job '{}' is not suspended", job.name)};
  if (job.holds != 0) return hold_in_place(job);
  if (job.suspended() && !can_resume(cluster, job))
    return Error{fmt::format("job '{}' cannot resume: its nodes are in use", job.name)};
  if (auto can = can_be_asked(*this, job, "resume"); !can) return can;
  drop_decisions(parts.known.plan);
  Prompt prompt(parts.unanswered_commands, of_job("resume", job));
  parts.lasting_requests.resume(id, prompt.answer([](const Status&) {}));
  return prompt.result();
}

CommandResult Engine::set_limit(JobId id, Seconds limit) {
  EngineParts& parts = *parts_;
  const Cluster& cluster = parts.known.cluster;
  if (!id.valid() || !cluster.job(id).id.valid()) return unknown_job();
  if (auto can = can_be_asked(*this, cluster.job(id), "change"); !can) return can;
  Prompt prompt(parts.unanswered_commands, of_job("change", cluster.job(id)));
  const auto label = parts.tools.label(cluster.job(id));
  parts.lasting_requests.set_limit(id, limit, prompt.refusal([&parts, label](const Error& error) {
    parts.tools.log_refusal("change job", label, error);
  }));
  auto result = prompt.result();
  if (result) drop_decisions(parts.known.plan);
  return result;
}

CommandResult Engine::set_node_state(NodeId id, NodeState wanted, const std::string& user) {
  EngineParts& parts = *parts_;
  Cluster& cluster = parts.known.cluster;
  const std::string name = cluster.node(id).name;
  const std::string action = fmt::format("change node '{}'", name);
  if (auto can = can_be_asked(*this, cluster.node(id).resource_manager, action); !can) return can;
  const NodeState before = cluster.node(id).reported;
  const auto failed = [&parts, &cluster, id, name, action, wanted, before](const Error& error) {
    parts.tools.log(0, "fRM", [&] { return "ERROR: " + not_done(action, error).what; });
    const Node& node = cluster.node(id);
    if (node.name == name && node.reported == wanted) parts.reported_nodes.set_state(id, before);
  };
  Prompt prompt(parts.unanswered_commands, action);
  parts.tools.asked().modify_node(cluster.node(id), wanted, user, now(), prompt.refusal(failed));
  auto result = prompt.result();
  if (result) {
    drop_decisions(parts.known.plan);
    parts.reported_nodes.set_state(id, wanted);
  }
  return result;
}

Result<std::string> Engine::change_holds(JobId id, std::uint8_t placed, std::uint8_t released) {
  Cluster& cluster = parts_->known.cluster;
  if (!id.valid() || !cluster.job(id).id.valid()) return unknown_job();
  const Job& job = cluster.job(id);
  // Until the resource manager releases its holds, it refuses every start.
  const bool elsewhere = (job.holds_reported & released) != 0;
  if (elsewhere && placed == 0 && (job.own_holds & released) == 0)
    return Error{held_elsewhere(job)};
  const auto before = job.holds;
  const auto own = static_cast<std::uint8_t>((job.own_holds | placed) & ~released);
  const auto holds = static_cast<std::uint8_t>(own | job.holds_reported);
  if (before != 0 && holds == 0) cluster.set_eligible_since(id, now());
  constexpr std::uint8_t kExplained =
      static_cast<std::uint8_t>(Hold::batch) | static_cast<std::uint8_t>(Hold::defer);
  const bool more = (own & ~job.own_holds) != 0;
  const bool looked_at = (before & kExplained) != 0 && (holds & kExplained) == 0;
  if (more) drop_decisions(parts_->known.plan);
  std::string note;
  if (held_for_request(job) && !has(own, Hold::batch)) {
    cluster.excuse_request(id, true);
    note = fmt::format("job '{}' may start now on other terms than it asked for: {}", job.name,
                       job.hold_reason->text);
  }
  if (own != job.own_holds)
    parts_->tools.log_of_job(id, 3, "fSCHED", [&] {
      return fmt::format("job '{}' has these holds now: {}", job.name,
                         holds == 0 ? "none" : join(hold_names(holds), " "));
    });
  cluster.set_own_holds(id, own, (holds & kExplained) != 0 ? *job.hold_reason : HoldReason());
  // Whoever released these holds has looked at the job, so its failure counts are reset.
  if (looked_at) cluster.set_failures(id, {});
  if (more)
    parts_->tools.journal.notify_of(parts_->tools.journal.user_of(id), EventType::job_hold, [&] {
      return std::vector{fmt::format("job '{}' held by an administrator or its owner", job.name)};
    });
  if (elsewhere)
    note =
        held_elsewhere(job) + "; its other holds are released" + (note.empty() ? "" : "; " + note);
  return note;
}

Status Engine::set_system_priority(JobId id, SystemPriority priority) {
  if (!id.valid() || !parts_->known.cluster.job(id).id.valid()) return unknown_job();
  parts_->known.cluster.set_system_priority(id, priority);
  return Done{};
}

Status Engine::set_qos(JobId id, QosId qos) {
  if (!id.valid() || !parts_->known.cluster.job(id).id.valid()) return unknown_job();
  if (!parts_->known.cluster.job(id).waiting()) drop_decisions(parts_->known.plan);
  parts_->entitlements.give_qos(id, qos);
  return Done{};
}

Result<ReservationId> Engine::add_reservation(Reservation reservation) {
  EngineParts& parts = *parts_;
  const Cluster& cluster = parts.known.cluster;
  if (reservation.kind == ReservationKind::job)
    return Error{"only the scheduler makes reservations of jobs"};
  if (reservation.end <= reservation.start)
    return Error{"cannot create reservation: it would end before it begins"};
  if (reservation.end <= now()) return Error{"cannot create reservation: its end is in the past"};
  if (reservation.nodes.empty()) return Error{"cannot create reservation: it has no nodes"};
  if (reservation.name.empty()) reservation.name = parts.reservations.next_name(reservation);
  if (cluster.find_reservation(reservation.name).valid() ||
      cluster.find_job(reservation.name).valid())
    return Error{
        fmt::format("cannot create reservation: the name '{}' is taken", reservation.name)};
  drop_decisions(parts.known.plan);
  return parts.reservations.add(std::move(reservation));
}

Status Engine::release_reservation(ReservationId id) {
  const Cluster& cluster = parts_->known.cluster;
  if (!id.valid() || !cluster.reservation(id).id.valid())
    return Error{"the reservation is not known"};
  if (const auto& manager = cluster.reservation(id).resource_manager; !manager.empty())
    return Error{fmt::format("resource manager '{}' manages that reservation itself", manager)};
  parts_->allocations.charge_until_release(cluster.reservation(id));
  parts_->reservations.cancel(id);
  return Done{};
}

}  // namespace maui
