// The jobs of a PBS server as it reported them last, as records of WIKI, and what was asked of them
// since.
//
// A job of which the server sends the same bytes as before is not read again, unless time changes
// what they mean, or nodes or queues have changed.
#pragma once
#include <map>
#include <optional>
#include <string>
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
    WikiRecords records;        // those that run or have ended, then those that wait
    std::vector<WikiJob> gone;  // ran, and are reported no longer
  };
  /// Takes an answer that reports all jobs of the server, to be read.  `began`: jobs that had been
  /// started when it was asked.
  void begin(std::vector<Object> jobs, JobNames began, const Surroundings& all);
  /// Reads so many more; true: there are no others.
  bool read(std::size_t most);
  /// Returns what the answer has reported, once all of it was read.
  Report take_report();
  /// The server was away since it reported jobs: it may have put jobs back that run or ran.
  void server_was_lost() { lost_ = true; }
  /// The server was asked to start a job, which may end before anybody is told that it ran.
  void may_run(const WikiRequest& start, Time now);
  void note_suspended(const std::string& job, bool suspended);

  bool waits(const std::string& job) const;
  /// Returns the job's request; nullptr: it is not known.
  const Wish* wish_of(const std::string& job) const;
  /// Those that the server says are starting.
  JobNames starting() const;
  const JobNames& suspended() const { return suspended_; }
  /// Why the queue of a job that waits does not let it run now; empty: it does.
  std::string kept_back_by_queue(const std::string& job) const;

 private:
  struct Known {
    std::string bytes;  // of its report; empty: it is to be read again
    SharedWikiRecord record;
    std::optional<Wish> wish;
    std::optional<JobEnding> ending;  // of one that is ending
    std::string queue, user;
    WikiState state = WikiState::unknown;
    bool runs = false;  // or is suspended
    bool ended = false;
    unsigned answer = 0;        // that reported it last
    int rejections = 0;         // starts that came to nothing, while it waits
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

  /// nullptr: it is none of the scheduler's.
  Jobs::value_type* read(Object& job);
  void take(Object job);
  /// The record of a job that waits, with what the server does not report of it.
  SharedWikiRecord waiting_record(const Known& job) const;
  std::string kept_back(const Known& job) const;
  void look_at(const Surroundings& all);
  std::vector<WikiJob> take_gone();

  Jobs jobs_;
  Answer answer_;
  unsigned answers_ = 0;
  bool lost_ = false;    // the server was away before the answer that is taken
  Surroundings beside_;  // with which they were read
  JobNames suspended_;
  QueueUse running_;
};

}  // namespace maui::pbs
