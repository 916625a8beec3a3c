// The state that a WIKI server has reported so far, and what is new in each answer.
//
// This class does no input or output: it turns answers into an Update.  An unchanged record costs
// one comparison.  The end of a job is reported once, although servers repeat it for a while.  The
// name of a job or node belongs to the resource manager that reported it first.  The name of a job
// that an earlier scheduler knew belongs to its own until that has listed its jobs.
#pragma once
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "maui/resource_manager.h"
#include "rm/bounded_notes.h"
#include "rm/wiki_attributes.h"

namespace maui {

class WikiView {
 public:
  /// `name`: the name of the resource manager, set in its nodes and jobs.
  explicit WikiView(std::string name) : name_(std::move(name)) {}

  /// `all`: the answer lists everything; otherwise only what may have changed.  `update` may
  /// already hold the content of earlier answers.
  void take_nodes(const WikiRecords& answer, bool all, const Cluster& cluster, Update& update) {
    for (std::size_t taken = 0; !take_nodes(answer, all, cluster, update, taken);) {
    }
  }
  /// Takes some of the nodes; `taken` counts those already taken.  Returns false if there are more.
  bool take_nodes(const WikiRecords& answer, bool all, const Cluster& cluster, Update& update,
                  std::size_t& taken);
  void take_reservations(const WikiRecords& answer, Update& update);
  void take_jobs(const WikiRecords& answer, bool all, const Cluster& cluster, Time now,
                 Update& update) {
    for (std::size_t taken = 0; !take_jobs(answer, all, cluster, now, update, taken);) {
    }
  }
  /// Takes some of the jobs; `taken` counts those already taken.  Returns false if there are more.
  bool take_jobs(const WikiRecords& answer, bool all, const Cluster& cluster, Time now,
                 Update& update, std::size_t& taken);

  /// The server was asked to start a job: attributes that it then reports empty count as lost.
  void start_asked(const std::string& job) {
    if (const auto known = jobs_.find(job); known != jobs_.end()) known->second.may_lose = true;
  }

  /// The server was asked to cancel a job: for the time `most` the job does not arrive again, even
  /// if the server still reports it as waiting.
  void cancelled(const std::string& job, Time now, Seconds most) {
    jobs_[job].gone_since = now;
    jobs_[job].gone_for = most;
  }
  /// Notes that the server has requeued the job, whose run began at `started`.
  void requeued(const std::string& job, Time started, Time until) {
    jobs_[job].given_back_run = started;
    jobs_[job].requeued_until = until;
  }

  /// Return the unused attributes of a job or node, which are shown beside its report.
  std::vector<UnusedAttribute> unused_attributes_of_job(const std::string& name) const;
  std::vector<UnusedAttribute> unused_attributes_of_node(const std::string& name) const;

  /// Returns the notes on the answers for the log.
  std::vector<std::string> take_notes();

 private:
  struct KnownJob {
    SharedWikiRecord record;  // null: nothing reported yet
    /// The request that the scheduler has taken: the record with which the job arrived, or the last
    /// one while it waited.  Changes during a run count once the job waits again.
    SharedWikiRecord taken;
    std::string problem;  // in `taken`
    WikiState state = WikiState::unknown;
    bool ended = false, lost = false, seen = false;
    bool may_lose = false;                  // a start was requested since its last report
    std::set<std::string> attributes_kept;  // kept although the server lost them then
    Time gone_since{0};
    Seconds gone_for{0};
    /// Until then, reports may still show the run that began then and was given back.
    Time requeued_until{0}, given_back_run{0};
    std::string unknown_host;  // that it asks for; read again once the host is known
  };

  struct KnownNode {
    SharedWikiRecord record;  // null: no valid report yet
    bool seen = false;
  };

  /// The most nodes or jobs that are taken at once, which takes some milliseconds.
  static constexpr std::size_t kAtOnce = 500;

  void take_node(const SharedWikiRecord& record, bool all, const Cluster& cluster, Update& update);
  void miss_nodes(const Cluster& cluster, Update& update);
  /// Returns how much more work it was than a usual job, in jobs; reading none of it is none.
  std::size_t take_job(const SharedWikiRecord& record, bool all, const Cluster& cluster, Time now,
                       Update& update);
  void begin_jobs(const WikiRecords& answer, bool all);
  std::size_t look_again(const std::string& job, const Cluster& cluster, Time now, Update& update);
  void ignore(KnownJob& known, const SharedWikiRecord& next);
  std::string why_ignored(const std::string& job, const Cluster& cluster) const;
  static void take_request(KnownJob& known, const WikiJob& job);
  static void keep_what_was_lost(KnownJob& known, SharedWikiRecord& next);
  const Node* of_another(const Cluster& cluster, const std::string& node) const;
  JobEnd end_of(const WikiJob& job, Time ended, Time started, Time now) const;
  /// Returns the status of a job whose run was never reported, with its start time.
  static JobStatus run_of(const WikiJob& job);
  static std::optional<Seconds> longer_suspension(const WikiJob& job, const Job& here);
  void report_status(KnownJob& known, bool state_news, bool held_news, const WikiJob& job,
                     const Job& here, Update& update) const;
  /// Reports a failed start that the server had accepted, if the server says that it failed.
  void report_failure(const WikiRecord& before, const WikiJob& job, bool starting, Time now,
                      Update& update) const;
  JobReport whole_report(WikiJob job, Time now) const;
  /// Sets the problem of a job that lacks an attribute which scheduling requires.
  void note_missing(WikiJob& job);
  void miss_jobs(const Cluster& cluster, Update& update);
  JobReport report_of(WikiJob job, Time now) const;
  void note_future_times(const Job& times, Time now);
  void bound_suspension(WikiJob& job, const Job* here, Time now);
  void note(const std::string& text);
  void note(WikiNotes& notes);

  std::string name_;
  std::unordered_map<std::string, KnownNode> nodes_;
  std::vector<SharedWikiRecord> reservations_;
  std::unordered_map<std::string, KnownJob> jobs_;
  /// Jobs whose names belong to other managers, with all that has been reported of each: reports of
  /// changes do not repeat it.
  std::map<std::string, SharedWikiRecord> ignored_;
  std::vector<std::string> again_;    // those to look at again after the answer that is being taken
  std::vector<std::string> offered_;  // reported as new from the last answer
  std::size_t most_hosts_ = kMostHosts;  // in a list of the record that was read last
  BoundedNotes notes_;
};

}  // namespace maui
