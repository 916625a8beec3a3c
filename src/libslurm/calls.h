// Calls Slurm's own library.  Only this file and libslurm/records, which reads its results, do so.
//
// The following functions are unchanged since release 22.05: slurm_init, slurm_load_jobs,
// slurm_load_node, slurm_load_partitions, slurm_load_licenses, slurm_load_reservations,
// slurm_load_assoc_mgr_info, slurm_load_ctl_conf, slurm_update_job2, slurm_kill_job2,
// slurm_requeue2, slurm_suspend2, slurm_resume2, slurm_update_node, slurm_init_job_desc_msg,
// slurm_init_update_node_msg, slurm_strerror, and the functions that free their results.  Another
// one, slurm_job_cpus_allocated_on_node_id, was removed in release 24.11; without it, maui reports
// uneven jobs as if Slurm had spread them evenly.
#pragma once
#include <chrono>
#include <ctime>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>

#include "slurm/controller.h"

namespace maui::slurm {

/// The name of a user or group.  After `until` it is looked up again, because it was not found.
struct KnownName {
  std::string name;
  std::chrono::steady_clock::time_point until{};
};

class LibSlurm final : public Controller {
 public:
  /// Reads slurm.conf, whose path SLURM_CONF may give; libslurm ends the program if that fails.
  LibSlurm();

  Result<std::optional<Cluster>> load() override;
  Status update(const Change& change) override;
  Status update(const NodeChange& change) override;
  Status signal(const std::string& job, int number) override;
  Status requeue(const std::string& job) override;
  Status suspend(const std::string& job) override;
  Status resume(const std::string& job) override;
  Result<std::string> no_usage() override;
  /// Returns that slurm.conf does not use maui's gate; empty if it does.
  static Result<std::string> no_gate();

 private:
  Status load_parts(std::initializer_list<Result<bool> (LibSlurm::*)()> parts);
  Result<bool> load_jobs();
  Result<bool> load_nodes();
  Result<bool> load_configuration();
  Result<bool> load_partitions();
  Result<bool> load_licenses();
  Result<bool> load_reservations();
  Result<bool> load_accounting();
  const std::string& user_name(unsigned id);
  const std::string& group_name(unsigned id);

  Cluster cluster_;
  bool unreported_ = false;  // cluster_ has changed since load() returned it
  std::time_t jobs_at_ = 0, nodes_at_ = 0, partitions_at_ = 0, licenses_at_ = 0;
  std::time_t reservations_at_ = 0, configuration_at_ = 0;
  std::chrono::steady_clock::time_point surroundings_due_{}, accounting_due_{};
  bool enforces_limits_ = false;  // limits of accounting
  std::map<unsigned, KnownName> users_, groups_;
};

}  // namespace maui::slurm
