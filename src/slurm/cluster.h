// Slurm's jobs, nodes and partitions as plain values.
//
// Names and units are Slurm's own: memory and disk in MB, limits in minutes.  src/libslurm fills
// these from libslurm's structures; everything else here works on them alone, so that it is tested
// without.
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

/// Holds that the gate keeps apart in site_factor (etc/slurm/job_submit.lua).
enum HoldBit : std::uint32_t { kUserHold = 1, kAdminHold = 2 };

struct Job {
  std::uint32_t id = 0;
  std::uint32_t array_job = 0;              // the array it belongs to; 0: none
  std::optional<std::uint32_t> array_task;  // its number there
  std::string array_tasks;                  // those of an array that wait, which share one record
  std::uint32_t array_limit = 0;            // of tasks that may run at once; 0: none
  std::uint32_t het_job = 0;                // of several jobs in one; 0: is none
  std::string name, user, group, account, partition, qos, comment, admin_comment, command;
  std::string dependency, features, licenses, reservation;
  std::string reason;             // why Slurm does not start it
  std::uint32_t association = 0;  // in Slurm's accounting; 0: none
  std::string required_nodes, excluded_nodes;
  std::string nodes;               // allocated
  std::vector<int> cpus_on_nodes;  // allocated on each of them; empty: not known
  std::string tres_per_job, tres_per_node, tres_per_socket, tres_per_task;
  JobState state = JobState::pending;
  bool completing = false;     // its end, or its requeue, is not yet through
  std::uint32_t priority = 0;  // 0: the gate is closed
  std::uint32_t holds = 0;     // bits of HoldBit that the gate keeps
  bool passed_gate = true;     // which knows of its holds; those of others are Slurm's own
  bool requeued_held = false;  // it came back to be held, as with scontrol requeuehold
  // Slurm's words for a job that it gave nodes, could not begin there, and has taken back to hold.
  std::string launch_failure;
  Time submitted{0}, eligible{0}, started{0}, ended{0};
  Time suspension_changed{0};  // when it was suspended or resumed last
  Seconds run_before_suspension{0};
  std::optional<std::uint32_t> limit;  // minutes; none: the partition's
  bool unlimited = false;
  int tasks = 1, cpus = 1, cpus_per_task = 1;
  int min_nodes = 1, max_nodes = 0;                     // 0: no most
  int tasks_per_node = 0;                               // 0: not asked
  int tasks_per_socket = 0;                             // at most; 0: not asked
  int tasks_per_gpu = 0;                                // 0: not asked
  int min_cpus = 1;                                     // on each node
  int min_sockets = 0, min_cores = 0, min_threads = 0;  // of a node, its sockets, their cores
  std::int64_t memory = 0;  // on each node, or for each CPU; 0: all there is
  bool memory_per_cpu = false;
  std::int64_t disk = 0;
  bool exclusive = false, requeue = true;
  bool with_own_user = false;  // only jobs of its user may be on its nodes
  bool overcommitted = false;  // it has fewer CPUs than tasks; reported as tasks of a CPU each
  int switches = 0;            // its nodes should be behind so many at most; 0: any number
  int restarts = 0;
  int exit_status = 0;  // as wait(2) gives it

  bool pending() const { return state == JobState::pending; }
  bool active() const { return state == JobState::running || state == JobState::suspended; }
  bool over() const { return !pending() && !active(); }
};

enum class NodeState : std::uint8_t { unknown, down, idle, allocated, mixed };

struct Node {
  std::string name;
  NodeState state = NodeState::unknown;
  bool closed = false;  // drained, failing, in maintenance, to be rebooted
  bool silent = false;  // slurmd does not answer
  bool powered = true;  // neither switched off nor being switched
  bool completing = false;
  std::string architecture, system, features, gres;
  int cpus = 0, cores = 0, sockets = 1;
  std::int64_t memory = 0, disk = 0, free_memory = -1;  // -1: not known
  double load = 0;
};

struct Partition {
  std::string name, nodes;
  bool up = true;                                    // it starts jobs
  bool exclusive = false;                            // all its jobs have their nodes alone
  std::optional<std::uint32_t> default_limit, most;  // minutes; none: unlimited
  std::optional<int> most_nodes;                     // of a job; none: all
  // Lists with commas; empty: all are let in, none is kept out.
  std::string accounts, denied_accounts, all_qos, denied_qos;
  std::string qos;  // its own, whose limits its jobs have beside others
};

struct License {
  std::string name;
  int available = 0, total = 0;
};

/// Slurm's own reservation: jobs that name it may use its nodes, and no others.
struct Reservation {
  std::string name, nodes;
  Time start{0}, end{0};
  std::vector<std::pair<std::string, int>> cpus;  // by node, where it has not whole nodes
  int cores = 0;                                  // in all; Slurm does not say of each where it is
  bool any_nodes = false;     // its jobs may also run elsewhere: it may be one of licences alone
  std::string licenses = {};  // kept for its jobs
};

/// At most so much at once, or of one job; none: any number.
struct Quota {
  std::optional<std::int64_t> jobs, cpus, nodes, memory;  // MB
};

struct Association {
  std::uint32_t id = 0, parent = 0;
  Quota together;                     // of all under it
  std::optional<std::int64_t> jobs;   // its own, without those under it
  Quota each;                         // of one job
  std::optional<std::uint32_t> wall;  // minutes, of one job
};

struct Qos {
  std::string name;
  Quota together, user, account, each;
  std::optional<std::uint32_t> wall;
  bool passes_time_limit = false, passes_node_limit = false;  // of partitions
};

/// The limits of Slurm's accounting, where they are enforced.
struct Accounting {
  std::vector<Association> associations;
  std::vector<Qos> qos;
};

/// All there is, as of one moment.
struct Cluster {
  std::vector<Job> jobs;
  std::vector<Node> nodes;
  std::vector<Partition> partitions;
  std::vector<License> licenses;
  std::vector<Reservation> reservations;
  Accounting accounting;
  bool allots_memory = false;  // SelectTypeParameters has memory in it
  Time node_returned{0};       // when a node was last seen to be back, since the helper looks
};

}  // namespace maui::slurm
