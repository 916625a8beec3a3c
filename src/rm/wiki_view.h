// The state that a WIKI server has reported so far, and what is new in its answers.
//
// No input or output: answers go in, an Update comes out.  A record that has not changed costs a
// comparison.  A job's end is reported once, though servers report it for a while; a job that one
// resource manager knows is none of another's, and so with nodes: the first keeps the name.
#pragma once
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "maui/resource_manager.h"
#include "rm/wiki_attributes.h"

namespace maui {

class WikiView {
 public:
  /// `name`: of the resource manager, which nodes and jobs carry.
  explicit WikiView(std::string name) : name_(std::move(name)) {}

  /// `all`: the answer lists everything there is; else only what may have changed.  `update` may
  /// hold what an earlier answer reported.
  void take_nodes(const WikiRecords& answer, bool all, const Cluster& cluster, Update& update) {
    for (std::size_t taken = 0; !take_nodes(answer, all, cluster, update, taken);) {
    }
  }
  /// Takes some of the nodes, `taken` of which have been; false: there are more.
  bool take_nodes(const WikiRecords& answer, bool all, const Cluster& cluster, Update& update,
                  std::size_t& taken);
  void take_reservations(const WikiRecords& answer, Update& update);
  void take_jobs(const WikiRecords& answer, bool all, const Cluster& cluster, Time now,
                 Update& update) {
    for (std::size_t taken = 0; !take_jobs(answer, all, cluster, now, update, taken);) {
    }
  }
  /// Takes some of the jobs, `taken` of which have been; false: there are more.
  bool take_jobs(const WikiRecords& answer, bool all, const Cluster& cluster, Time now,
                 Update& update, std::size_t& taken);

  /// The server has been asked to start a job: what it reports empty from then on, it has lost.
  void start_asked(const std::string& job) {
    if (const auto known = jobs_.find(job); known != jobs_.end()) known->second.may_lose = true;
  }

  /// The server has been asked to cancel a job: for so long, though it still reports it as waiting,
  /// it does not arrive again.
  void cancelled(const std::string& job, Time now, Seconds most) {
    jobs_[job].gone_since = now;
    jobs_[job].gone_for = most;
  }

  /// Attributes of a job, or of a node, that are shown beside its report.
  std::vector<UnusedAttribute> unused_attributes_of_job(const std::string& name) const;
  std::vector<UnusedAttribute> unused_attributes_of_node(const std::string& name) const;

  /// The limit that it reports of a job; kUnlimited if it does not.
  Seconds limit_of(const std::string& job) const;

  /// Notes on the answers for the log, each once.
  std::vector<std::string> take_notes();

 private:
  struct KnownJob {
    SharedWikiRecord record;  // null: nothing was reported of it
    WikiState state = WikiState::unknown;
    bool ended = false, lost = false, seen = false;
    bool may_lose = false;                  // a start was asked for since its last report
    std::set<std::string> attributes_kept;  // that the server lost then
    Time gone_since{0};
    Seconds gone_for{0};
  };

  struct KnownNode {
    SharedWikiRecord record;  // null: nothing that counts was reported of it
    bool seen = false;
  };

  void take_node(const SharedWikiRecord& record, bool all, const Cluster& cluster, Update& update);
  void miss_nodes(const Cluster& cluster, Update& update);
  /// Returns how many names of hosts it had to read for it.
  std::size_t take_job(const SharedWikiRecord& record, bool all, const Cluster& cluster, Time now,
                       Update& update);
  static void keep_what_was_lost(KnownJob& known, SharedWikiRecord& next);
  const Node* of_another(const Cluster& cluster, const std::string& node) const;
  JobEnd end_of(const WikiJob& job, Time started, Time now) const;
  /// The status of a job that ran though that was never reported, and since when.
  static JobStatus run_of(const WikiJob& job);
  void report_status(KnownJob& known, bool news, bool held_news, const WikiJob& job,
                     const Job& here, Update& update) const;
  /// A start that it had taken came to nothing, if it says so.
  void report_failure(const WikiRecord& before, const WikiJob& job, bool starting, Time now,
                      Update& update) const;
  JobReport whole_report(WikiJob job);
  void miss_jobs(const Cluster& cluster, Update& update);
  JobReport report_of(WikiJob job) const;
  void clamp_times(WikiJob& job, Time now);
  bool note(std::string text);
  void note(WikiNotes& notes);

  std::string name_;
  std::unordered_map<std::string, KnownNode> nodes_;
  std::vector<SharedWikiRecord> reservations_;
  std::unordered_map<std::string, KnownJob> jobs_;
  std::set<std::string> said_;
  std::vector<std::string> notes_;
};

}  // namespace maui
