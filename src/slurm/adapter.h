// Answers the scheduler's WIKI requests out of Slurm.
//
// The questions of one poll are answered out of what one look has seen.
//
// Where the scheduler has a lease its requests name the generation, which is noted with each start.
// Once a look shows a start that a newer one has made since this one began, this one has lost the
// lease: nothing is changed for it any more.
//
// Every answer may take as long as slurmctld does: a thread of its own calls it.
#pragma once
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "rm/wiki_attributes.h"
#include "rm/wiki_message.h"
#include "slurm/controller.h"
#include "slurm/hindrance.h"
#include "slurm/notices.h"

namespace maui::slurm {

class Adapter {
 public:
  /// A job that does not run `patience` after its start is taken back.  Requires that `controller`
  /// outlives the adapter.
  Adapter(Controller& controller, Seconds patience)
      : controller_(controller), patience_(patience) {}

  WikiReply answer(const WikiRequest& request, Time now);
  /// When the scheduler asks after a look that has seen a change.
  enum class Asked : std::uint8_t { some_time, at_once };
  /// Looks whether something changed in Slurm, and puts right what must be; true: something did.
  bool look(Time now, Asked asked = Asked::some_time);
  /// Why Slurm does not gather what jobs use; empty if it does.
  Result<std::string> no_usage() { return controller_.no_usage(); }
  /// The jobs whose use is of interest.
  std::vector<std::uint32_t> running() const { return running_jobs(cluster_); }
  /// Takes the use of jobs, which is reported with them from now on.
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
  WikiReply get_jobs(const WikiRequest& request, Time now);
  WikiReply start_job(const WikiRequest& request, Time now);
  WikiReply cancel_job(const WikiRequest& request, Time now);
  WikiReply requeue_job(const WikiRequest& request, Time now);
  WikiReply suspend_job(const WikiRequest& request, Time now);
  WikiReply resume_job(const WikiRequest& request, Time now);
  WikiReply signal_job(const WikiRequest& request, Time now);
  WikiReply modify_job(const WikiRequest& request, Time now);
  WikiReply note_jobs(const WikiRequest& request, Time now);

  Result<bool> refresh();
  void note_returns(Time now);
  Status know_what_is();
  bool repair(Time now);
  void know_generation(std::int64_t generation, Time now);
  void look_for_successor();
  const Job* find(const std::string& name) const;

  Controller& controller_;
  Seconds patience_;
  void report_use(WikiJob& reported) const;

  Cluster cluster_;
  std::int64_t generation_ = 0;  // of the lease of who asks; 0: there is none
  std::int64_t successor_ = 0;   // the generation that has taken it from there, as Slurm shows
  Time began_{0};                // the first request of that generation
  std::set<std::string> away_;   // nodes that were down when it was looked last
  Time node_returned_{0};
  /// For the questions of the poll under way, or of the next one: nothing was asked for since then.
  std::optional<std::chrono::steady_clock::time_point> loaded_;
  bool for_next_poll_ = false;
  Notices notices_;
  Usage usage_;
  Time measured_{0};
  std::unordered_map<std::string, std::size_t> places_;  // of records, by the name of the job
  std::set<std::string> started_;                        // since cluster_ was loaded
  std::optional<Surroundings> all_;                      // cluster_, with what was started since
};

}  // namespace maui::slurm
