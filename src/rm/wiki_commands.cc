// The requests about jobs and nodes that a WIKI resource manager is sent.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/outside_text.h"
#include "rm/wiki_comment.h"
#include "rm/wiki_notices.h"
#include "rm/wiki_resource_manager.h"

namespace maui {
namespace {

// The longest time for which a server may still report a cancelled job as waiting, or a requeued
// one as running.
constexpr Seconds kCancelTime{60};

std::string refusal_in(const WikiReply& reply) {
  return fmt::format("{} (SC={})", shortened(reply.text), reply.code);
}

}  // namespace

std::string WikiResourceManager::lacks(const std::string& command) const {
  return (next_link_ ? next_link_ : link_)->lacks(command);
}

namespace {

Status status_of(const WikiAnswer& answer) {
  if (!answer.reply) return Error{answer.reply.error().what, answer.sent};
  return answer.reply->failed() ? Status(Error{refusal_in(*answer.reply)}) : Status(Done{});
}

}  // namespace

void WikiResourceManager::command(const WikiRequest& request, Answer done) {
  if (const auto why = lacks(request.command); !why.empty()) return done(Error{why});
  ask(request, [done = std::move(done)](const WikiAnswer& answer) { done(status_of(answer)); });
}

// Sends only notices that have changed.
void WikiResourceManager::note(const std::vector<JobNotice>& notices) {
  constexpr std::size_t kMostAtOnce = 1000;
  if (!record_.up) return;
  bool first = !noted_;
  auto before = std::exchange(noted_, Noted()).value_or(Noted());
  std::vector<JobNotice> changed;
  for (const JobNotice& notice : notices) {
    const auto at = before.find(notice.job);
    if (at == before.end() || at->second != notice) changed.push_back(notice);
    if (at != before.end()) before.erase(at);
    noted_->emplace(notice.job, notice);
  }
  for (const auto& [job, notice] : before) changed.push_back({job, notice.resource_manager});
  std::span<const JobNotice> left = changed;
  while (first || !left.empty()) {
    const auto part = left.first(std::min(left.size(), kMostAtOnce));
    ask(notice_request(part, std::exchange(first, false)),
        [this, alive = alive_](const WikiAnswer& answer) {
          if (*alive && (!answer.reply || answer.reply->failed())) noted_.reset();
        });
    left = left.subspan(part.size());
  }
}

void WikiResourceManager::simple(const char* name, const Job& job, Answer done) {
  command({name, job.name, {}}, std::move(done));
}

namespace {

/// Returns true if another dependency may still be met.  Slurm's sched/wiki reports none.
bool another_dependency_may_do(const Job& job) {
  std::string_view comment = job.comment;
  const auto words = take_dependencies_of_slurm(comment);
  return words.empty() || any_will_do(words);
}

}  // namespace

// If the answer is lost, the result of the start is unknown until the next poll.
void WikiResourceManager::start(const Job& job, const Cluster& cluster, Time now, Started done) {
  std::string tasks;
  std::vector<NodeTasks> shares(job.placement.begin(), job.placement.end());
  std::stable_sort(shares.begin(), shares.end(), [](const NodeTasks& a, const NodeTasks& b) {
    return a.requirement < b.requirement;
  });
  for (const NodeTasks& share : shares)
    for (int i = 0; i < share.tasks; ++i)
      tasks += (tasks.empty() ? "" : ":") + wiki_escaped(cluster.node(share.node).name);
  ++record_.starts;
  if (const auto why = lacks("STARTJOB"); !why.empty()) {
    record_.start_failed(now, why);
    return done(Error{why});
  }
  view_.start_asked(job.name);
  const WikiRequest request{"STARTJOB", job.name, {{"TASKLIST", std::move(tasks)}}};
  ask(request, [this, alive = alive_, now, name = job.name, any = another_dependency_may_do(job),
                done = std::move(done)](const WikiAnswer& answer) {
    if (!*alive) return;
    if (!answer.reply && answer.sent) {
      options_.warn(fmt::format("cannot tell whether job '{}' was started: {}", name,
                                answer.reply.error().what));
      StartAnswer doubted = Done{};
      doubted.doubt = answer.reply.error().what;
      return done(std::move(doubted));
    }
    if (answer.reply && !answer.reply->failed()) return done(Done{});
    const auto why = !answer.reply ? answer.reply.error().what : refusal_in(*answer.reply);
    record_.start_failed(now, why);
    view_.start_asked(name);  // reports may show the effect of the refusal only now
    done({Error{why}, answer.reply ? obstacle_of(answer.reply->code, answer.reply->text, any)
                                   : Obstacle::passes});
  });
}

void WikiResourceManager::cancel(const Job& job, CancelCause why, Time now, Answer done) {
  if (const auto reason = lacks("CANCELJOB"); !reason.empty()) return done(Error{reason});
  view_.cancelled(job.name, now, kCancelTime);
  WikiRequest request{
      "CANCELJOB", job.name, {{"TYPE", why == CancelCause::past_limit ? "WALLCLOCK" : "ADMIN"}}};
  cancellations_.add({job.credentials.user, std::move(request),
                      [this, name = job.name, done = std::move(done)](Status status) {
                        if (!status) view_.cancelled(name, Time(0), Seconds(0));
                        done(std::move(status));
                      }});
  ask_cancellations();
}

void WikiResourceManager::ask_cancellations() {
  while (auto next = cancellations_.take())
    ask(std::move(next->request), [this, alive = alive_, user = next->user,
                                   done = std::move(next->done)](const WikiAnswer& answer) {
      if (!*alive) return;
      cancellations_.answered(user);
      // If there is no answer to one, there would be none to those that wait.
      const auto lost = answer.reply ? std::vector<Cancellation>() : cancellations_.take_all();
      done(status_of(answer));
      for (const Cancellation& other : lost) other.done(Error{answer.reply.error().what});
      ask_cancellations();
    });
}

void WikiResourceManager::requeue(const Job& job, Time now, Answer done) {
  give_back("REQUEUEJOB", job, now, std::move(done));
}
void WikiResourceManager::give_back(const char* name, const Job& job, Time now, Answer done) {
  simple(name, job,
         [this, alive = alive_, job_name = job.name, started = job.started, now,
          done = std::move(done)](Status status) {
           if (!*alive) return;
           if (status) view_.requeued(job_name, started, now + kCancelTime);
           done(std::move(status));
         });
}
void WikiResourceManager::suspend(const Job& job, Time, Answer done) {
  simple("SUSPENDJOB", job, std::move(done));
}
void WikiResourceManager::resume(const Job& job, Time, Answer done) {
  simple("RESUMEJOB", job, std::move(done));
}

std::string WikiResourceManager::why_no_checkpoints() const {
  if (options_.checkpoints) return lacks("CHECKPOINTJOB");
  return fmt::format("resource manager '{}' has no command to checkpoint a job", options_.name);
}

void WikiResourceManager::checkpoint(const Job& job, Time now, Answer done) {
  if (auto why = why_no_checkpoints(); !why.empty()) return done(Error{std::move(why)});
  give_back("CHECKPOINTJOB", job, now, std::move(done));
}

void WikiResourceManager::set_limit(const Job& job, Seconds limit, Time, Answer done) {
  const auto minutes = (limit.raw() + 59) / 60;
  command({"MODIFYJOB", job.name, {{"TIMELIMIT", std::to_string(minutes)}}}, std::move(done));
}

std::string WikiResourceManager::why_no_node_states() const {
  if (options_.node_states) return lacks("MODIFYNODE");
  return "WIKI has no command to change the state of a node: use the resource manager's own";
}

void WikiResourceManager::modify_node(const Node& node, NodeState state, const std::string& user,
                                      Time, Answer done) {
  if (const auto why = why_no_node_states(); !why.empty()) return done(Error{why});
  const bool out = state != NodeState::idle;
  WikiRequest request{"MODIFYNODE", node.name, {{"STATE", out ? "Drained" : "Idle"}}};
  if (!user.empty()) request.options.emplace_back("USER", user);
  command(request, std::move(done));
}

}  // namespace maui
