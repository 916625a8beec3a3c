// A resource manager that speaks WIKI.
//
// A poll asks for nodes, then for jobs.  A failed poll leaves the state unchanged; the server then
// gets a pause, twice as long after each failure, in which polls fail at once.
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "maui/resource_manager.h"
#include "rm/in_slices.h"
#include "rm/waiting_cancellations.h"
#include "rm/wiki_link.h"
#include "rm/wiki_view.h"

namespace maui {

struct WikiManagerOptions {
  std::string name = "base";
  std::string type = "WIKI";
  std::int64_t generation = 0;                    // of the lease, sent in each request; 0: no lease
  Seconds poll_interval{0};                       // the least time between polls; 0: none
  std::function<int()> node_poll_frequency = {};  // job polls per node poll
  int event_port = 0;                             // sent to the server with `introduce`
  /// Says why the scheduler does not listen at that port; empty: it does.  Default: it does.
  std::function<std::string()> no_events = {};
  std::string event_word = {};  // the secret word with which the server rings
  bool changes = false;         // requests only what changed since last time
  bool introduce = false;       // begins with INITIALIZE
  bool reservations = false;    // the manager has and reports reservations
  bool in_order = false;        // answers reflect all earlier requests
  /// How long an unanswered request may still take effect.  In that time, no answer proves that the
  /// request has failed (`in_order`).
  std::chrono::seconds on_its_way{0};
  bool notices = false;                      // the manager shows notices to users
  bool warnings = false;                     // the manager reports warnings about its configuration
  bool checkpoints = false;                  // the manager knows CHECKPOINTJOB
  bool node_states = false;                  // the manager knows MODIFYNODE
  bool nodes_up_only = false;                // node states ignore jobs: only idle or running
  std::function<Time()> now = {};            // time of an answer; empty: that of its poll
  std::function<bool()> clock_was_set = {};  // since the scheduler last noticed; empty: never
  std::function<int()> clock_steps = {};     // how often it has noticed that; empty: never
  /// Schedules the next poll after this pause when a poll has failed or was put off; empty: nothing
  /// is scheduled.
  std::function<void(std::chrono::seconds)> again = {};
  Later later = {};  // splits the work on long answers into slices
  std::function<void(int level, std::string_view text)> log = [](int, std::string_view) {};
  std::function<void(std::string_view text)> warn = [](std::string_view) {};  // at level 0
  /// True if requests and answers (level 7) or the records of answers (level 8) are to be logged.
  std::function<bool(int level)> wants_talk = [](int) { return false; };
  std::function<void(int level, std::string_view text)> talk = [](int, std::string_view) {};
};

class WikiResourceManager final : public ResourceManager {
 public:
  WikiResourceManager(WikiManagerOptions options, std::unique_ptr<WikiLink> link);
  ~WikiResourceManager() override;

  std::string_view name() const override { return options_.name; }
  void poll(const Cluster& cluster, Time now, std::function<void(Result<Update>)> done) override;
  void start(const Job& job, const Cluster& cluster, Time now, Started done) override;
  void cancel(const Job& job, CancelCause why, Time now, Answer done) override;
  void requeue(const Job& job, Time now, Answer done) override;
  void suspend(const Job& job, Time now, Answer done) override;
  void resume(const Job& job, Time now, Answer done) override;
  void checkpoint(const Job& job, Time now, Answer done) override;
  void set_limit(const Job& job, Seconds limit, Time now, Answer done) override;
  void modify_node(const Node& node, NodeState state, const std::string& user, Time now,
                   Answer done) override;
  bool shows_notices() const override { return options_.notices; }
  void note(const std::vector<JobNotice>& notices) override;
  bool reports_job_starts() const override { return true; }
  std::vector<UnusedAttribute> unused_attributes_of_job(const Job& job) const override {
    return view_.unused_attributes_of_job(job.name);
  }
  std::vector<UnusedAttribute> unused_attributes_of_node(const Node& node) const override {
    return view_.unused_attributes_of_node(node.name);
  }
  std::vector<RmRecord> records() const override;

  /// Sets new options, and a new link; if `link` is null, the present link stays in use.
  void reconfigure(WikiManagerOptions options, std::unique_ptr<WikiLink> link);
  /// Makes the next poll ask the server, regardless of POLLINTERVAL and earlier failures.
  void hurry() { hurried_ = true; }
  /// Makes the next poll ask the server regardless of POLLINTERVAL, because of an event.  The pause
  /// after a failure still applies.
  void ring() { rung_ = true; }
  /// The server has lost its state (it was restarted): the next poll requests everything,
  /// regardless of POLLINTERVAL and earlier failures.
  void forget();

 private:
  using Wall = std::chrono::steady_clock::time_point;
  using Noted = std::map<std::string, JobNotice>;  // by job
  struct Poll;
  /// The state of the last request for nodes, jobs or reservations.
  struct Asked {
    const char* command;
    bool all = true;
    int polls_since_all = -1;  // -1: never
    Time since{0};             // by the server's clock: known state is no older; 0: unknown
  };

  void introduce(std::shared_ptr<Poll> poll);
  void ask_nodes(std::shared_ptr<Poll> poll);
  void ask_jobs(std::shared_ptr<Poll> poll);
  void failed(const std::shared_ptr<Poll>& poll, const std::string& why);
  void answered(const std::shared_ptr<Poll>& poll);
  /// Sends a request and passes the records of its answer on, or fails the poll.
  using SharedRecords = std::shared_ptr<const WikiRecords>;
  using OnRecords = void (WikiResourceManager::*)(std::shared_ptr<Poll>, SharedRecords);
  void ask_records(std::shared_ptr<Poll> poll, Asked& asked, OnRecords then);
  void read_records(std::shared_ptr<Poll> poll, Asked& asked, std::string text,
                    std::function<void(SharedRecords)> then);
  static void note_update_times(Asked& asked, const WikiRecords& records);
  /// Calls `step` until it returns true, lets other handlers run in between, and then calls `then`.
  void in_slices(std::function<bool()> step, std::function<void()> then);
  void nodes_reported(std::shared_ptr<Poll> poll, SharedRecords answer);
  void jobs_reported(std::shared_ptr<Poll> poll, SharedRecords answer);
  void put_off_jobs(const std::shared_ptr<Poll>& poll);
  void jobs_taken(const std::shared_ptr<Poll>& poll);
  void ask_reservations(std::shared_ptr<Poll> poll);
  void reservations_reported(std::shared_ptr<Poll> poll, SharedRecords answer);
  void ask_warnings(std::shared_ptr<Poll> poll);
  void warnings_reported(std::shared_ptr<Poll> poll, SharedRecords answer);
  void ask(WikiRequest request, std::function<void(WikiAnswer)> done);
  void command(const WikiRequest& request, Answer done);
  /// Has few cancellations under way at once, so that reports and starts need not wait for them.
  void ask_cancellations();
  /// Returns why the command cannot be sent; empty if it can.
  std::string lacks(const std::string& command) const;
  std::string why_no_node_states() const;
  std::string why_no_checkpoints() const;
  /// Asks for a command that ends the job's run, but not the job.
  void give_back(const char* name, const Job& job, Time now, Answer done);
  void simple(const char* command, const Job& job, Answer done);
  void say_notes();
  void log_answer(const std::string& command, const WikiAnswer& answer) const;

  WikiManagerOptions options_;
  std::unique_ptr<WikiLink> link_;
  std::unique_ptr<WikiLink> next_link_;  // becomes link_ when no request is pending
  int asking_ = 0;
  WikiView view_;
  RmRecord record_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  Update carried_;  // from a poll that failed half-way
  bool introduced_ = false, hurried_ = false, rung_ = false;
  std::optional<Noted> noted_;  // none: no notice has been sent
  WaitingCancellations cancellations_;
  int changes_unanswered_ = 0;  // requests that change something
  bool asked_since_ = false;    // since the last GETJOBS, or unanswered when that was sent
  Wall in_doubt_until_{};       // because a request was not answered
  int polls_since_nodes_ = -1;  // -1: nodes have never been reported
  Asked nodes_{"GETNODES"}, jobs_{"GETJOBS"}, reservations_{"GETRESERVATIONS"},
      warnings_{"GETWARNINGS"};
  Time asked_{-1};
  std::chrono::seconds pause_{0};  // doubled after each failure
  Wall retry_{};
};

}  // namespace maui
