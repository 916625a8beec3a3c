#include "rm/wiki_resource_manager.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/outside_text.h"
#include "base/text.h"

namespace maui {
namespace {

constexpr std::chrono::seconds kFirstPause{1}, kLongestPause{60};
// With UPDATES=CHANGES, some polls ask for everything, because vanished jobs are not reported.
constexpr int kChangesToOneOfAll = 20;
// A poll may miss a change that happens in the same second.
constexpr Seconds kOverlap{2};

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

std::vector<RmRecord> WikiResourceManager::records() const {
  RmRecord record = record_;
  record.no_node_states = why_no_node_states();
  record.no_checkpoints = why_no_checkpoints();
  if (options_.no_events) record.no_events = options_.no_events();
  return {std::move(record)};
}

}  // namespace maui
