// Answers the scheduler's WIKI requests out of Slurm.
//
// Every answer may take as long as slurmctld does: a thread of its own calls it.
#pragma once
#include <set>
#include <string>
#include <unordered_map>

#include "rm/wiki_message.h"
#include "slurm/controller.h"

namespace maui::slurm {

class Adapter {
 public:
  /// A job that does not run `patience` after its start is taken back.  Requires that `controller`
  /// outlives the adapter.
  Adapter(Controller& controller, Seconds patience)
      : controller_(controller), patience_(patience) {}

  WikiReply answer(const WikiRequest& request, Time now);
  /// Looks whether something changed in Slurm, and puts right what must be; true: something did.
  bool look(Time now);

 private:
  using Handler = WikiReply (Adapter::*)(const WikiRequest&, Time);
  struct Row;
  static const Row* row_of(std::string_view command);

  WikiReply get_nodes(const WikiRequest& request, Time now);
  WikiReply get_jobs(const WikiRequest& request, Time now);
  WikiReply start_job(const WikiRequest& request, Time now);
  WikiReply cancel_job(const WikiRequest& request, Time now);
  WikiReply requeue_job(const WikiRequest& request, Time now);
  WikiReply suspend_job(const WikiRequest& request, Time now);
  WikiReply resume_job(const WikiRequest& request, Time now);
  WikiReply signal_job(const WikiRequest& request, Time now);
  WikiReply modify_job(const WikiRequest& request, Time now);

  Result<bool> refresh();
  bool repair(Time now);
  const Job* find(const std::string& name) const;

  Controller& controller_;
  Seconds patience_;
  Cluster cluster_;
  std::unordered_map<std::string, std::size_t> places_;  // of records, by the name of the job
  std::set<std::string> started_;                        // since cluster_ was loaded
};

}  // namespace maui::slurm
