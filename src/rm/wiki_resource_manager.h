// A resource manager that speaks WIKI.
//
// A poll asks for nodes, then for jobs.  One that fails leaves everything as it was; then the
// server is left alone for a while, twice as long each time, and polls fail at once meanwhile.
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
#include "rm/wiki_link.h"
#include "rm/wiki_view.h"

namespace maui {

struct WikiManagerOptions {
  std::string name = "base";
  std::string type = "WIKI";
  std::int64_t generation = 0;                    // of the lease, in each request; 0: there is none
  Seconds poll_interval{0};                       // not asked more often; 0: at every poll
  std::function<int()> node_poll_frequency = {};  // polls for jobs to one for nodes
  int event_port = 0;                             // sent to the server with `introduce`
  std::string event_word = {};                    // and its own word, with which it rings
  bool changes = false;                           // asks for what changed since the last time
  bool introduce = false;                         // begins with INITIALIZE
  bool reservations = false;                      // it keeps some, and reports them
  bool in_order = false;                          // each answer shows what was asked for before
  /// A request that was not answered may still be on its way: so long no answer shows that it has
  /// come to nothing (`in_order`).
  std::chrono::seconds on_its_way{0};
  bool notices = false;            // it shows users what is noted of their jobs
  bool more_commands = false;      // it knows CHECKPOINTJOB and MODIFYNODE
  bool nodes_up_only = false;      // nodes are called idle or running without regard to their jobs
  std::function<Time()> now = {};  // when an answer comes; empty: that of its poll
  /// Has the next poll made after so long, since one has failed; empty: nobody waits for it.
  std::function<void(std::chrono::seconds)> again = {};
  Later later = {};  // long answers are dealt with in slices
  std::function<void(int level, std::string_view text)> log = [](int, std::string_view) {};
  /// Requests and answers at level 7, the records of answers at 8; where such lines are wanted.
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
  void cancel(const Job& job, Time now, Answer done) override;
  void requeue(const Job& job, Time now, Answer done) override;
  void suspend(const Job& job, Time now, Answer done) override;
  void resume(const Job& job, Time now, Answer done) override;
  void checkpoint(const Job& job, Time now, Answer done) override;
  void set_limit(const Job& job, Seconds limit, Time now, Answer done) override;
  void modify_node(const Node& node, NodeState state, Time now, Answer done) override;
  bool shows_notices() const override { return options_.notices; }
  void note(const std::vector<JobNotice>& notices) override;
  bool reports_job_starts() const override { return true; }
  std::vector<UnusedAttribute> unused_attributes_of_job(const Job& job) const override {
    return view_.unused_attributes_of_job(job.name);
  }
  std::vector<UnusedAttribute> unused_attributes_of_node(const Node& node) const override {
    return view_.unused_attributes_of_node(node.name);
  }
  std::vector<RmRecord> records() const override { return {record_}; }

  /// From now on it is asked so, and through that link; none: through the same.
  void reconfigure(WikiManagerOptions options, std::unique_ptr<WikiLink> link);
  /// Something has happened there: the next poll asks, whatever POLLINTERVAL and failures say.
  void hurry() { hurried_ = true; }
  /// Somebody says that something has happened there: the next poll asks, whatever POLLINTERVAL
  /// says.  After a failure the manager is left alone all the same.
  void ring() { rung_ = true; }
  /// The server has forgotten what it reported (it was started anew): the next poll asks for
  /// all, whatever POLLINTERVAL and failures say.
  void forget();

 private:
  using Wall = std::chrono::steady_clock::time_point;
  using Noted = std::map<std::string, JobNotice>;  // by job
  struct Poll;
  /// The last question about nodes, jobs or reservations.
  struct Asked {
    const char* command;
    bool all = true;
    int polls_since_all = -1;  // -1: never
    Time since{0};             // by the server's clock: what is known is not older
  };

  void introduce(std::shared_ptr<Poll> poll);
  void ask_nodes(std::shared_ptr<Poll> poll);
  void ask_jobs(std::shared_ptr<Poll> poll);
  void failed(const std::shared_ptr<Poll>& poll, const std::string& why);
  void answered(const std::shared_ptr<Poll>& poll);
  /// Asks, and hands over the records of the answer, or says that the poll has failed.
  using SharedRecords = std::shared_ptr<const WikiRecords>;
  using OnRecords = void (WikiResourceManager::*)(std::shared_ptr<Poll>, SharedRecords);
  void ask_records(std::shared_ptr<Poll> poll, Asked& asked, OnRecords then);
  void read_records(std::shared_ptr<Poll> poll, Asked& asked, std::string text, OnRecords then);
  /// Calls `step` until it says that all is done, others having their turn in between, and `then`.
  void in_slices(std::function<bool()> step, std::function<void()> then);
  void nodes_reported(std::shared_ptr<Poll> poll, SharedRecords answer);
  void jobs_reported(std::shared_ptr<Poll> poll, SharedRecords answer);
  void jobs_taken(const std::shared_ptr<Poll>& poll);
  void ask_reservations(std::shared_ptr<Poll> poll);
  void reservations_reported(std::shared_ptr<Poll> poll, SharedRecords answer);
  void ask(WikiRequest request, std::function<void(WikiAnswer)> done);
  void command(const WikiRequest& request, Answer done);
  /// Why it cannot be asked that; empty: it can.
  std::string lacks(const std::string& command) const;
  void simple(const char* command, const Job& job, Answer done);
  void say_notes();
  void log_answer(const std::string& command, const WikiAnswer& answer) const;

  WikiManagerOptions options_;
  std::unique_ptr<WikiLink> link_;
  std::unique_ptr<WikiLink> next_link_;  // once nothing is asked through the old one
  int asking_ = 0;
  WikiView view_;
  RmRecord record_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  Update carried_;  // of a poll that failed half-way
  bool introduced_ = false, hurried_ = false, rung_ = false;
  std::optional<Noted> noted_;  // none: no notice has been sent to it
  bool asked_since_ = false;    // something of it, since it was asked for jobs
  Wall in_doubt_until_{};       // a request was not answered
  int polls_since_nodes_ = -1;  // -1: nodes have never been reported
  Asked nodes_{"GETNODES"}, jobs_{"GETJOBS"}, reservations_{"GETRESERVATIONS"};
  Time asked_{-1};
  std::chrono::seconds pause_{0};  // after the next failure twice this
  Wall retry_{};
};

}  // namespace maui
