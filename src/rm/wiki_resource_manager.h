// A resource manager that speaks WIKI.
//
// A poll asks for nodes, then for jobs.  One that fails leaves everything as it was; then the
// server is left alone for a while, twice as long each time, and polls fail at once meanwhile.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "maui/resource_manager.h"
#include "rm/wiki_link.h"
#include "rm/wiki_view.h"

namespace maui {

struct WikiManagerOptions {
  std::string name = "base";
  std::string type = "WIKI";
  Seconds poll_interval{0};                       // not asked more often; 0: at every poll
  std::function<int()> node_poll_frequency = {};  // polls for jobs to one for nodes
  int event_port = 0;                             // told to the server with `introduce`
  bool changes = false;                           // asks for what changed since the last time
  bool introduce = false;                         // begins with INITIALIZE
  std::function<void(int level, std::string_view text)> log = [](int, std::string_view) {};
};

class WikiResourceManager final : public ResourceManager {
 public:
  WikiResourceManager(WikiManagerOptions options, std::unique_ptr<WikiLink> link);
  ~WikiResourceManager() override;

  std::string_view name() const override { return options_.name; }
  void poll(const Cluster& cluster, Time now, std::function<void(Result<Update>)> done) override;
  void start(const Job& job, const Cluster& cluster, Time now, Answer done) override;
  void cancel(const Job& job, Time now, Answer done) override;
  void requeue(const Job& job, Time now, Answer done) override;
  void suspend(const Job& job, Time now, Answer done) override;
  void resume(const Job& job, Time now, Answer done) override;
  void checkpoint(const Job& job, Time now, Answer done) override;
  void set_limit(const Job& job, Seconds limit, Time now, Answer done) override;
  void modify_node(const Node& node, NodeState state, Time now, Answer done) override;
  bool tells_when_jobs_run() const override { return true; }
  std::vector<RmRecord> records() const override { return {record_}; }

  /// Something has happened there: the next poll asks, whatever POLLINTERVAL and failures say.
  void hurry() { hurried_ = true; }
  /// The server does not know any longer what it told (it was started anew).
  void forget();

 private:
  using Wall = std::chrono::steady_clock::time_point;
  struct Poll;
  /// What nodes, or jobs, were asked for the last time.
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
  /// Asks, and hands over the records of the answer, or tells that the poll has failed.
  void ask_records(std::shared_ptr<Poll> poll, Asked& asked,
                   void (WikiResourceManager::*then)(std::shared_ptr<Poll>, const WikiRecords&));
  void nodes_told(std::shared_ptr<Poll> poll, const WikiRecords& answer);
  void jobs_told(std::shared_ptr<Poll> poll, const WikiRecords& answer);
  void command(const WikiRequest& request, Answer done);
  void simple(const char* command, const Job& job, Answer done);
  void say_notes();

  WikiManagerOptions options_;
  std::unique_ptr<WikiLink> link_;
  WikiView view_;
  RmRecord record_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  Update carried_;  // of a poll that failed half-way
  bool introduced_ = false, hurried_ = false;
  int polls_since_nodes_ = -1;  // -1: nodes have never been told
  Asked nodes_{"GETNODES"}, jobs_{"GETJOBS"};
  Time asked_{-1};
  std::chrono::seconds pause_{0};  // after the next failure twice this
  Wall retry_{};
};

}  // namespace maui
