#include "rm/wiki_resource_manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/outside_text.h"
#include "base/text.h"
#include "rm/wiki_comment.h"
#include "rm/wiki_notices.h"

namespace maui {
namespace {

constexpr std::chrono::seconds kFirstPause{1}, kLongestPause{60};
// With UPDATES=CHANGES, some polls ask for everything, because vanished jobs are not reported.
constexpr int kChangesToOneOfAll = 20;
// A poll may miss a change that happens in the same second.
constexpr Seconds kOverlap{2};
// The longest time for which a server may still report a cancelled job as waiting, or a requeued
// one as running.
constexpr Seconds kCancelTime{60};

std::string refusal_in(const WikiReply& reply) {
  return fmt::format("{} (SC={})", shortened(reply.text), reply.code);
}

}  // namespace

struct WikiResourceManager::Poll {
  const Cluster& cluster;
  Time now;
  std::function<void(Result<Update>)> done;
  int clock_steps = 0;  // when it began
  Wall begun = std::chrono::steady_clock::now();
  Update update = {};
};

WikiResourceManager::WikiResourceManager(WikiManagerOptions options, std::unique_ptr<WikiLink> link)
    : options_(std::move(options)), link_(std::move(link)), view_(options_.name) {
  record_.name = options_.name;
  record_.type = options_.type;
  record_.event_port = options_.event_port;
  record_.nodes_up_only = options_.nodes_up_only;
}

WikiResourceManager::~WikiResourceManager() { *alive_ = false; }

void WikiResourceManager::forget() {
  introduced_ = false;
  noted_.reset();
  polls_since_nodes_ = -1;
  for (Asked* asked : {&nodes_, &jobs_, &reservations_, &warnings_}) asked->polls_since_all = -1;
  hurried_ = true;
}

void WikiResourceManager::reconfigure(WikiManagerOptions options, std::unique_ptr<WikiLink> link) {
  options_ = std::move(options);
  record_.type = options_.type;
  record_.event_port = options_.event_port;
  record_.nodes_up_only = options_.nodes_up_only;
  if (link == nullptr) return;
  (asking_ == 0 ? link_ : next_link_) = std::move(link);
  retry_ = {};
  forget();
}

// Polls carry the generation, too, so that the server can refuse late requests of an older
// scheduler from the first poll on.
void WikiResourceManager::ask(WikiRequest request, std::function<void(WikiAnswer)> done) {
  request.generation = options_.generation;
  ++asking_;
  const bool changes = !request.command.starts_with("GET") && request.command != "NOTEJOBS";
  if (changes) ++changes_unanswered_;
  asked_since_ = asked_since_ || changes;
  if (options_.wants_talk(7)) options_.talk(7, "request: " + write_wiki(request));
  link_->ask(request, [this, alive = alive_, command = request.command, changes,
                       done = std::move(done)](WikiAnswer answer) {
    if (*alive) log_answer(command, answer);
    if (*alive && changes) --changes_unanswered_;
    if (*alive && !answer.reply && answer.sent && changes)
      in_doubt_until_ = std::chrono::steady_clock::now() + options_.on_its_way;
    std::unique_ptr<WikiLink> old;  // destroyed after its answer is handled
    if (*alive && --asking_ == 0 && next_link_) old = std::exchange(link_, std::move(next_link_));
    done(std::move(answer));
  });
}

void WikiResourceManager::log_answer(const std::string& command, const WikiAnswer& answer) const {
  if (!options_.wants_talk(7)) return;
  if (!answer.reply) {
    options_.talk(7, fmt::format("no answer to {}: {}", command, answer.reply.error().what));
    return;
  }
  const WikiReply& reply = *answer.reply;
  const auto size = answer.records ? counted(answer.records->records.size(), "record")
                                   : counted(reply.text.size(), "byte");
  options_.talk(7, fmt::format("answer to {}: SC={}, {}{}", command, reply.code, size,
                               reply.data ? "" : ": " + reply.text));
  if (!reply.data || !options_.wants_talk(8)) return;
  const auto say = [&](const WikiRecords& found) {
    for (const auto& record : found.records)
      options_.talk(8, fmt::format("answer to {}: {}", command, write_wiki(*record)));
  };
  if (answer.records) return say(*answer.records);
  if (const auto found = read_wiki_records(reply.text)) say(*found);
}

void WikiResourceManager::poll(const Cluster& cluster, Time now,
                               std::function<void(Result<Update>)> done) {
  const bool hurried = std::exchange(hurried_, false);
  if (!hurried && std::chrono::steady_clock::now() < retry_) return done(Error{record_.failure});
  const bool rung = std::exchange(rung_, false) || hurried;
  if (!rung && record_.up && now >= asked_ && now - asked_ < options_.poll_interval) {
    Update nothing;
    nothing.incomplete = {options_.name};
    return done(std::move(nothing));
  }
  asked_ = record_.asked = now;
  auto poll = std::make_shared<Poll>(Poll{cluster, now, std::move(done)});
  if (options_.clock_steps) poll->clock_steps = options_.clock_steps();
  poll->update = std::exchange(carried_, {});
  for (Asked* asked : {&nodes_, &jobs_})
    if (asked->polls_since_all >= 0) ++asked->polls_since_all;
  if (options_.introduce && !introduced_) return introduce(std::move(poll));
  ask_nodes(std::move(poll));
}

void WikiResourceManager::introduce(std::shared_ptr<Poll> poll) {
  const WikiRequest request{
      "INITIALIZE",
      "USEHOSTEXP=N",
      {{"EPORT", std::to_string(options_.event_port)}, {"EWORD", options_.event_word}}};
  ask(request, [this, alive = alive_, poll](const WikiAnswer& answer) {
    if (!*alive) return;
    if (!answer.reply) return failed(poll, answer.reply.error().what);
    if (answer.reply->failed())
      options_.log(1, fmt::format("INITIALIZE was refused: {}", shortened(answer.reply->text)));
    introduced_ = true;
    ask_nodes(poll);
  });
}

void WikiResourceManager::in_slices(std::function<bool()> step, std::function<void()> then) {
  maui::in_slices(
      options_.later, [alive = alive_, step = std::move(step)] { return !*alive || step(); },
      [alive = alive_, then = std::move(then)] {
        if (*alive) then();
      });
}

void WikiResourceManager::ask_records(std::shared_ptr<Poll> poll, Asked& asked, OnRecords then) {
  asked.all =
      !options_.changes || asked.polls_since_all < 0 || asked.polls_since_all > kChangesToOneOfAll;
  const WikiRequest request{
      asked.command, fmt::format("{}:ALL", asked.all ? 0 : asked.since.raw()), {}};
  ask(request, [this, alive = alive_, poll, &asked, then](WikiAnswer answer) {
    if (!*alive) return;
    const auto fail = [&](const std::string& why) {
      failed(poll, fmt::format("{}: {}", asked.command, why));
    };
    if (!answer.reply) return fail(answer.reply.error().what);
    if (answer.reply->failed() || !answer.reply->data)
      return fail(fmt::format("SC={}: {}", answer.reply->code, answer.reply->text.substr(0, 200)));
    if (asked.all) asked.polls_since_all = 0;
    if (answer.time) {
      const Time since = *answer.time - kOverlap;
      if (since < asked.since - kOverlap) asked.polls_since_all = -1;  // its clock was set back
      asked.since = since;
    }
    const auto read = [this, poll, &asked, then, timed = answer.time.has_value()](auto records) {
      if (options_.changes && !timed) note_update_times(asked, *records);
      (this->*then)(poll, std::move(records));
    };
    if (answer.records) return read(std::move(answer.records));
    read_records(poll, asked, std::move(answer.reply->text), read);
  });
}

/// The answer lacks the server's time: the next request is for changes since the latest of these.
void WikiResourceManager::note_update_times(Asked& asked, const WikiRecords& records) {
  Time latest = asked.all ? Time(0) : asked.since + kOverlap;
  for (const auto& record : records.records) {
    const auto* updated = record->find("UPDATETIME");
    const auto when = updated ? parse_integer<std::int64_t>(wiki_text(*updated)) : std::nullopt;
    if (when && *when < kForever.raw()) latest = std::max(latest, Time(*when));
  }
  asked.since = std::max(latest - kOverlap, Time(0));
}

void WikiResourceManager::read_records(std::shared_ptr<Poll> poll, Asked& asked, std::string text,
                                       std::function<void(SharedRecords)> then) {
  constexpr std::size_t kAtOnce = 500, kBytesAtOnce = 100'000;
  const auto whole = std::make_shared<const std::string>(std::move(text));
  auto begun = WikiRecordReader::of(*whole);
  if (!begun) return failed(poll, fmt::format("{}: {}", asked.command, begun.error().what));
  const auto reader = std::make_shared<WikiRecordReader>(*std::move(begun));
  in_slices([whole, reader] { return reader->read(kAtOnce, kBytesAtOnce); },
            [reader, then] {
              then({reader, &reader->found()});
            });
}

void WikiResourceManager::ask_nodes(std::shared_ptr<Poll> poll) {
  const int frequency = options_.node_poll_frequency ? options_.node_poll_frequency() : 0;
  if (polls_since_nodes_ >= 0 && ++polls_since_nodes_ < frequency)
    return ask_reservations(std::move(poll));
  ask_records(std::move(poll), nodes_, &WikiResourceManager::nodes_reported);
}

void WikiResourceManager::nodes_reported(std::shared_ptr<Poll> poll, SharedRecords answer) {
  polls_since_nodes_ = 0;
  const auto taken = std::make_shared<std::size_t>(0);
  in_slices(
      [this, poll, taken, answer, all = nodes_.all] {
        return view_.take_nodes(*answer, all, poll->cluster, poll->update, *taken);
      },
      [this, poll] { ask_reservations(poll); });
}

void WikiResourceManager::ask_reservations(std::shared_ptr<Poll> poll) {
  if (!options_.reservations) return ask_warnings(std::move(poll));
  ask_records(std::move(poll), reservations_, &WikiResourceManager::reservations_reported);
}

void WikiResourceManager::reservations_reported(std::shared_ptr<Poll> poll, SharedRecords answer) {
  view_.take_reservations(*answer, poll->update);
  ask_warnings(std::move(poll));
}

void WikiResourceManager::ask_warnings(std::shared_ptr<Poll> poll) {
  if (!options_.warnings) return ask_jobs(std::move(poll));
  ask_records(std::move(poll), warnings_, &WikiResourceManager::warnings_reported);
}

// Each warning is logged when it is first reported.
void WikiResourceManager::warnings_reported(std::shared_ptr<Poll> poll, SharedRecords answer) {
  const auto before = std::exchange(record_.warnings, {});
  for (const auto& record : answer->records) {
    const auto* text = record->find("MESSAGE");
    if (text == nullptr) continue;
    const auto warning = record_.warnings.emplace_back(shortened(wiki_text(*text)));
    if (std::find(before.begin(), before.end(), warning) == before.end()) options_.warn(warning);
  }
  ask_jobs(std::move(poll));
}

void WikiResourceManager::ask_jobs(std::shared_ptr<Poll> poll) {
  asked_since_ = changes_unanswered_ > 0;
  ask_records(std::move(poll), jobs_, &WikiResourceManager::jobs_reported);
}

// The answer may report events that happened after the poll began; they are not in the future.
void WikiResourceManager::jobs_reported(std::shared_ptr<Poll> poll, SharedRecords answer) {
  const bool noticed = options_.clock_steps && options_.clock_steps() != poll->clock_steps;
  if (noticed || (options_.clock_was_set && options_.clock_was_set())) return put_off_jobs(poll);
  if (options_.now) poll->now = poll->update.answered = options_.now();
  const auto taken = std::make_shared<std::size_t>(0);
  in_slices(
      [this, poll, taken, answer, all = jobs_.all] {
        return view_.take_jobs(*answer, all, poll->cluster, poll->now, poll->update, *taken);
      },
      [this, poll] { jobs_taken(poll); });
}

/// The clock was set while the answer was under way, so that its dates may be by either clock.  The
/// next answer, which is asked for at once, is by the clock as it now stands.
void WikiResourceManager::put_off_jobs(const std::shared_ptr<Poll>& poll) {
  options_.log(1, "the clock was set while it answered: it is asked for its jobs again");
  jobs_.polls_since_all = -1;
  rung_ = true;
  poll->update.incomplete.push_back(options_.name);
  if (options_.again) options_.again(std::chrono::seconds(0));
  answered(poll);
}

void WikiResourceManager::jobs_taken(const std::shared_ptr<Poll>& poll) {
  const bool in_doubt = std::chrono::steady_clock::now() < in_doubt_until_;
  if (options_.in_order && jobs_.all && !asked_since_ && !in_doubt)
    poll->update.certain = {options_.name};
  for (const FailedStart& failure : poll->update.failed_starts)
    record_.start_failed(poll->now, failure.why);
  answered(poll);
}

void WikiResourceManager::say_notes() {
  for (const auto& note : view_.take_notes()) options_.warn(note);
}

void WikiResourceManager::answered(const std::shared_ptr<Poll>& poll) {
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - poll->begun;
  if (!record_.up && record_.failed_polls > 0) options_.log(0, "it answers again");
  record_.poll_answered(poll->now, took.count());
  if (const auto kind = link_->kind(); !kind.empty()) record_.type = kind;
  pause_ = {};
  retry_ = {};
  say_notes();
  poll->done(std::move(poll->update));
}

// The next poll delivers the part of the answer that has arrived.
void WikiResourceManager::failed(const std::shared_ptr<Poll>& poll, const std::string& why) {
  record_.poll_failed(poll->now, why);
  forget();
  hurried_ = false;
  carried_ = std::move(poll->update);
  say_notes();
  pause_ = std::clamp(pause_ * 2, kFirstPause, kLongestPause);
  retry_ = std::chrono::steady_clock::now() + pause_;
  record_.retry = poll->now + Seconds(pause_.count());
  if (options_.again) options_.again(pause_);
  poll->done(Error{why});
}

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
  cancellations_.add(
      job.credentials.user,
      {std::move(request), [this, name = job.name, done = std::move(done)](Status status) {
         if (!status) view_.cancelled(name, Time(0), Seconds(0));
         done(std::move(status));
       }});
  ask_cancellations();
}

void WikiResourceManager::ask_cancellations() {
  constexpr int kMostAtOnce = 8;
  while (cancelling_ < kMostAtOnce && !cancellations_.empty()) {
    auto next = cancellations_.take();
    ++cancelling_;
    ask(std::move(next.request),
        [this, alive = alive_, done = std::move(next.done)](const WikiAnswer& answer) {
          if (!*alive) return;
          --cancelling_;
          // If there is no answer to one, there would be none to those that wait.
          const auto lost = answer.reply ? std::vector<Cancellation>() : cancellations_.take_all();
          done(status_of(answer));
          for (const Cancellation& other : lost) other.done(Error{answer.reply.error().what});
          ask_cancellations();
        });
  }
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

std::vector<RmRecord> WikiResourceManager::records() const {
  RmRecord record = record_;
  record.no_node_states = why_no_node_states();
  record.no_checkpoints = why_no_checkpoints();
  if (options_.no_events) record.no_events = options_.no_events();
  return {std::move(record)};
}

}  // namespace maui
