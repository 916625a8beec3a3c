// Slurm's jobs, nodes and partitions as plain values.
//
// Names and units are Slurm's own: memory and disk in MB, limits in minutes.  src/libslurm fills
// these structures from libslurm's; all other code works on them alone, so that tests do not need
// libslurm.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "maui/units.h"

namespace maui::slurm {

enum class JobState : std::uint8_t {
  pending,
  running,
  suspended,
  complete,
  cancelled,
  failed,
  timeout,
  node_fail,
  preempted,
  boot_fail,
  deadline,
  out_of_memory,
};

/// Holds that the gate stores separately in site_factor (etc/slurm/job_submit.lua).
enum HoldBit : std::uint32_t { kUserHold = 1, kAdminHold = 2 };

struct Job {
  std::uint32_t id = 0;
  std::uint32_t array_job = 0;              // the array that it belongs to; 0: none
  std::optional<std::uint32_t> array_task;  // its number in the array
  std::string array_tasks;                  // waiting tasks that share this record
  std::uint32_t array_limit = 0;            // of tasks running at once; 0: no limit
  std::uint32_t het_job = 0;                // the heterogeneous job it belongs to; 0: none
  std::string name, user, group, account, partition, qos, comment, admin_comment, command;
  std::string dependency, features, licenses, reservation;
  std::string reason;             // why Slurm does not start the job
  std::uint32_t association = 0;  // in Slurm's accounting; 0: none
  std::string required_nodes, excluded_nodes;
  std::string nodes;               // allocated
  std::vector<int> cpus_on_nodes;  // allocated on each of these nodes; empty: unknown
  std::string tres_per_job, tres_per_node, tres_per_socket, tres_per_task;
  std::string cpus_per_tres, memory_per_tres;  // "gres:gpu:8", in MB; see apply_shares_of_gpus()
  JobState state = JobState::pending;
  bool completing = false;     // its end, or its requeue, is not complete
  std::uint32_t priority = 0;  // 0: the gate is closed
  std::uint32_t holds = 0;     // bits of HoldBit that the gate stores
  bool passed_gate = true;     // the gate knows its holds; other jobs have only Slurm's holds
  bool requeued_held = false;  // requeued into a hold, as with scontrol requeuehold
  // Slurm's reason when it allocated nodes, failed to launch the job there, and held it again.
  std::string launch_failure;
  Time submitted{0}, eligible{0}, started{0}, ended{0};
  Time suspension_changed{0};  // time of the last suspend or resume
  Seconds run_before_suspension{0};
  std::optional<std::uint32_t> limit;  // minutes; none: that of the partition
  bool unlimited = false;
  int tasks = 1, cpus = 1, cpus_per_task = 1;
  int min_nodes = 1, max_nodes = 0;                     // max_nodes: 0 for no maximum
  int tasks_per_node = 0;                               // 0: not requested
  int tasks_per_socket = 0;                             // at most; 0: not requested
  int tasks_per_gpu = 0;                                // 0: not requested
  int min_cpus = 1;                                     // on each node
  int min_sockets = 0, min_cores = 0, min_threads = 0;  // of a node; of a socket; of a core
  std::int64_t memory = 0;  // on each node, or for each CPU; 0: all of it
  bool memory_per_cpu = false;
  std::int64_t disk = 0;
  bool exclusive = false, requeue = true;
  bool with_own_user = false;  // other jobs on its nodes must be of its user
  bool overcommitted = false;  // it has fewer CPUs than tasks; reported as tasks of a CPU each
  int switches = 0;            // most leaf switches that its nodes should span; 0: any number
  int restarts = 0;
  int exit_status = 0;  // in the encoding of wait(2)

  bool pending() const { return state == JobState::pending; }
  bool active() const { return state == JobState::running || state == JobState::suspended; }
  bool over() const { return !pending() && !active(); }
};

enum class NodeState : std::uint8_t { unknown, down, idle, allocated, mixed };

struct Node {
  std::string name;
  NodeState state = NodeState::unknown;
  bool closed = false;  // drained, failing, or to be rebooted
  bool silent = false;  // slurmd does not respond
  bool powered = true;  // neither powered down nor changing its power state
  bool completing = false;
  std::string architecture, system, features, gres;
  int cpus = 0, cores = 0, sockets = 1;
  std::int64_t memory = 0, disk = 0, free_memory = -1;  // -1: unknown
  double load = 0;
};

struct Partition {
  std::string name, nodes;
  bool up = true;                                    // starts jobs
  bool exclusive = false;                            // its jobs have their nodes alone
  std::optional<std::uint32_t> default_limit, most;  // minutes; none: unlimited
  std::optional<int> most_nodes;                     // of a job; none: no limit
  // Comma-separated lists; empty: all are admitted, none is denied.
  std::string accounts, denied_accounts, all_qos, denied_qos;
  std::string qos;       // the partition's own QOS, whose limits also apply to its jobs
  std::string defaults;  // "DefCpuPerGPU=8,DefMemPerGPU=1000"
};

struct License {
  std::string name;
  int available = 0, total = 0;
};

/// Slurm's own reservation: only jobs that name it may use its nodes.
struct Reservation {
  std::string name, nodes;
  Time start{0}, end{0};
  std::vector<std::pair<std::string, int>> cpus;  // by node, unless it has whole nodes
  int cores = 0;                                  // in all; Slurm does not report on which nodes
  bool any_nodes = false;     // its jobs may run elsewhere, too: it may hold licences only
  std::string licenses = {};  // kept for its jobs
};

/// The most that is used at once, or by one job; none: no limit.
struct Quota {
  std::optional<std::int64_t> jobs, cpus, nodes, memory;  // MB
};

struct Association {
  std::uint32_t id = 0, parent = 0;
  Quota together;                     // of the association and all below it
  std::optional<std::int64_t> jobs;   // its own, without associations below
  Quota each;                         // of one job
  std::optional<std::uint32_t> wall;  // minutes, of one job
};

struct Qos {
  std::string name;
  Quota together, user, account, each;
  std::optional<std::uint32_t> wall;
  bool passes_time_limit = false, passes_node_limit = false;  // overrides partition limits
};

/// The limits of Slurm's accounting, if they are enforced.
struct Accounting {
  std::vector<Association> associations;
  std::vector<Qos> qos;
};

/// The state of Slurm at one time.
struct Cluster {
  std::vector<Job> jobs;
  std::vector<Node> nodes;
  std::vector<Partition> partitions;
  std::vector<License> licenses;
  std::vector<Reservation> reservations;
  Accounting accounting;
  bool allots_memory = false;  // SelectTypeParameters includes memory
  Time node_returned{0};       // when a node last came back, since the helper runs
  std::string no_gate = {};    // that slurm.conf does not use the gate; empty: it does
};

}  // namespace maui::slurm
