// Answers the scheduler's WIKI requests from the state of Slurm.
//
// All requests of one poll are answered from the same snapshot of Slurm.
//
// If the scheduler has a lease, its requests name the lease's generation, which is noted with each
// start.  When a snapshot shows a start by a newer generation, made since this generation began,
// the scheduler has lost the lease: the adapter carries out no more changes for it.
//
// Every answer may take as long as slurmctld does, so a separate thread calls the adapter.
#pragma once
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rm/wiki_attributes.h"
#include "rm/wiki_message.h"
#include "slurm/controller.h"
#include "slurm/hindrance.h"
#include "slurm/notices.h"

namespace maui::slurm {

class Adapter {
 public:
  /// A job that does not run `patience` after its start returns to the queue.  Requires that
  /// `controller` outlives the adapter.
  Adapter(Controller& controller, Seconds patience)
      : controller_(controller), patience_(patience) {}

  WikiReply answer(const WikiRequest& request, Time now);
  /// When the scheduler polls after look() has found a change.
  enum class Asked : std::uint8_t { some_time, at_once };
  /// Checks whether Slurm has changed, and makes necessary repairs; returns true if it has changed.
  bool look(Time now, Asked asked = Asked::some_time);
  /// Returns what the scheduler should log of Slurm's nodes, each line once.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }
  /// Returns why Slurm does not gather the use of jobs; empty if it does.
  Result<std::string> no_usage() { return controller_.no_usage(); }
  /// Returns the jobs whose use is to be measured.
  std::vector<std::uint32_t> running() const { return running_jobs(cluster_); }
  /// Stores the measured use of jobs, which later reports include.
  void take(Usage usage, Time measured) {
    usage_ = std::move(usage);
    measured_ = measured;
  }

 private:
  using Handler = WikiReply (Adapter::*)(const WikiRequest&, Time);
  struct Row;
  static const Row* row_of(std::string_view command);

  WikiReply get_nodes(const WikiRequest& request, Time now);
  WikiReply get_reservations(const WikiRequest& request, Time now);
  WikiReply get_warnings(const WikiRequest& request, Time now);
  WikiReply get_jobs(const WikiRequest& request, Time now);
  WikiReply start_job(const WikiRequest& request, Time now);
  WikiReply cancel_job(const WikiRequest& request, Time now);
  WikiReply requeue_job(const WikiRequest& request, Time now);
  WikiReply suspend_job(const WikiRequest& request, Time now);
  WikiReply resume_job(const WikiRequest& request, Time now);
  WikiReply signal_job(const WikiRequest& request, Time now);
  WikiReply modify_job(const WikiRequest& request, Time now);
  WikiReply modify_node(const WikiRequest& request, Time now);
  WikiReply note_jobs(const WikiRequest& request, Time now);

  Result<bool> refresh();
  void note_returns(Time now);
  Status know_what_is();
  bool repair(Time now);
  void warn_of_counts();
  void know_generation(std::int64_t generation, Time now);
  void look_for_successor();
  const Job* find(const std::string& name) const;

  Controller& controller_;
  Seconds patience_;
  void report_use(WikiJob& reported) const;

  Cluster cluster_;
  std::int64_t generation_ = 0;  // of the scheduler's lease; 0: no lease
  std::int64_t successor_ = 0;   // the newer generation that took the lease, as Slurm shows
  Time began_{0};                // the first request of that generation
  std::set<std::string> away_;   // nodes that were down in the last snapshot
  Time node_returned_{0};
  /// When cluster_ was loaded for the poll under way or the next one; unset by any change since.
  std::optional<std::chrono::steady_clock::time_point> loaded_;
  bool for_next_poll_ = false;
  Notices notices_;
  Usage usage_;
  Time measured_{0};
  std::unordered_map<std::string, std::size_t> places_;  // indices of records, by job name
  std::set<std::string> started_;                        // since cluster_ was loaded
  std::vector<std::string> warnings_;
  std::set<std::string> warned_of_;  // generic resources
  std::optional<Surroundings> all_;  // cluster_, with the jobs started since
};

}  // namespace maui::slurm
