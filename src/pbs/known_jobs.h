// The jobs that a PBS server last reported, as WIKI records, and the requests made about them since
// that report.
//
// A job whose reported bytes are unchanged is not parsed again, unless its report depends on time
// or the nodes or queues have changed.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pbs/job_record.h"
#include "pbs/node_record.h"
#include "pbs/portions.h"
#include "pbs/queue_use.h"
#include "rm/wiki_message.h"
#include "rm/wiki_record.h"

namespace maui::pbs {

class KnownJobs {
 public:
  struct Report {
    WikiRecords records;        // running and ended jobs, then waiting jobs
    std::vector<WikiJob> gone;  // ran, but are no longer reported
  };
  /// The server is being asked for its jobs: its answer may show no start that is requested later.
  void asked() { late_starts_.clear(); }
  /// Begins to read an answer that reports all jobs of the server.  `began`: jobs whose start had
  /// been requested when the server was asked.
  void begin(std::vector<Object> jobs, JobNames began, const Surroundings& all);
  /// Reads up to `most` more jobs; returns true when there are no more.
  bool read(std::size_t most);
  /// Returns the report of the answer.  Requires that all of it was read.
  Report take_report();
  /// The server was down since its last report: it may have requeued jobs that run or have run.
  void server_was_lost() { lost_ = true; }
  /// The server was asked to start a job, which may end before its run is ever reported.
  void may_run(const WikiRequest& start, Time now);
  void note_suspended(const std::string& job, bool suspended);

  bool waits(const std::string& job) const;
  /// Returns what the job asks for; nullptr: unknown job.
  const Wish* wish_of(const std::string& job) const;
  /// Returns the jobs that the server reports as starting.
  JobNames starting() const;
  const JobNames& suspended() const { return suspended_; }
  /// Returns why the queue of a waiting job does not let it run now; empty if it does.
  std::string kept_back_by_queue(const std::string& job) const;

 private:
  struct Known {
    std::string bytes;  // of its report; empty: to be parsed again
    SharedWikiRecord record;
    std::optional<Wish> wish;
    std::optional<JobEnding> ending;  // of a job that is ending
    std::string queue, user;
    WikiState state = WikiState::unknown;
    bool runs = false;  // or is suspended
    bool ended = false;
    unsigned answer = 0;        // number of the last answer with this job
    int rejections = 0;         // failed starts, while it waits
    bool may_have_run = false;  // while it waits, and it must not run twice
  };
  using Jobs = std::map<std::string, Known, std::less<>>;
  /// An answer that is being read.
  struct Answer {
    std::vector<Object> jobs;
    JobNames began;
    std::size_t next = 0;
    WikiRecords records = {};
    std::vector<const Known*> waiting = {};  // in the server's order
    JobNames suspended = {};
    QueueUse running = {};
  };

  /// Parses a job; returns nullptr if the job is not for the scheduler.
  Jobs::value_type* read(Object& job);
  void take(Object job);
  /// Returns the record of a waiting job, with the facts that the server does not report.
  SharedWikiRecord waiting_record(const Known& job) const;
  void note_run(const WikiRequest& start, Time when);
  std::string kept_back(const Known& job) const;
  void look_at(const Surroundings& all);
  std::vector<WikiJob> take_gone();

  Jobs jobs_;
  Answer answer_;
  unsigned answers_ = 0;
  std::vector<std::pair<WikiRequest, Time>> late_starts_;  // since the server was asked
  bool lost_ = false;                                      // the server was down before this answer
  Surroundings beside_;                                    // used to parse the jobs
  JobNames suspended_;
  QueueUse running_;
};

}  // namespace maui::pbs
