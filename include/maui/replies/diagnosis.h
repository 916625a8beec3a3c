// Replies of diagnose.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "maui/replies/job.h"
#include "maui/replies/node.h"
#include "maui/replies/queue.h"

namespace maui {

struct JobDiagnosis {
  std::string name, state, partition, qos, user, group, account;
  std::int64_t procs = 0, min_procs = 0, limit = 0;
  std::int64_t queue_time = 0;  // seconds in the queue
  bool reserved = false;
  std::string network, opsys, arch;
  AmountBound memory, disk, node_procs;
  std::string job_class;
  std::int64_t initiators = 0;
  std::vector<std::string> features;
  std::vector<std::string> warnings = {};
  friend bool operator==(const JobDiagnosis&, const JobDiagnosis&) = default;
};

/// diagnose -j
struct JobsDiagnosisReply {
  bool verbose = false;
  bool all = true;  // all jobs, not a single one
  std::vector<JobDiagnosis> jobs;
  std::int64_t active_jobs = 0;
  std::vector<std::string> warnings = {};          // warnings about all jobs
  std::vector<std::string> active_queue = {};      // with -v: active jobs in order of end
  std::vector<std::string> general_warnings = {};  // warnings not about a single job
  friend bool operator==(const JobsDiagnosisReply&, const JobsDiagnosisReply&) = default;
};

struct FreeAmount {
  std::int64_t free = 0, configured = 0;
  friend bool operator==(const FreeAmount&, const FreeAmount&) = default;
};

struct NodeDiagnosis {
  std::string name, state, opsys, arch, partition;
  FreeAmount procs, memory, disk, swap;
  double speed = 1, load = 0;
  std::int64_t reservations = 0;
  std::vector<ClassAmount> classes;
  std::vector<std::string> networks, features;
  std::vector<std::string> jobs = {};
  friend bool operator==(const NodeDiagnosis&, const NodeDiagnosis&) = default;
};

/// diagnose -n
struct NodesDiagnosisReply {
  bool verbose = false;
  std::vector<NodeDiagnosis> nodes;
  std::int64_t active = 0, idle = 0, down = 0;
  std::vector<std::string> warnings;
  friend bool operator==(const NodesDiagnosisReply&, const NodesDiagnosisReply&) = default;
};

struct PrioritySubcomponent {
  std::string label;
  double weight = 0;
  friend bool operator==(const PrioritySubcomponent&, const PrioritySubcomponent&) = default;
};

struct PriorityComponent {
  std::string label;
  double weight = 0;
  std::vector<PrioritySubcomponent> subcomponents;
  friend bool operator==(const PriorityComponent&, const PriorityComponent&) = default;
};

/// `contributions` is in the order of components; `weighted` is in the order of subcomponents, over
/// all components.
struct PriorityJob {
  std::string name;
  std::int64_t priority = 0;
  bool system_priority = false;
  std::vector<double> contributions;
  std::vector<double> weighted;
  friend bool operator==(const PriorityJob&, const PriorityJob&) = default;
};

/// diagnose -p: the components with nonzero weight, and the jobs in order of priority.
struct PriorityReply {
  std::string partition;
  std::vector<PriorityComponent> components;
  std::vector<PriorityJob> jobs;
  friend bool operator==(const PriorityReply&, const PriorityReply&) = default;
};

/// diagnose -q
struct BlockedJobsReply {
  std::string policy_level, partition;
  std::vector<BlockedDetail> jobs;
  friend bool operator==(const BlockedJobsReply&, const BlockedJobsReply&) = default;
};

/// An entry of an access list, or a credential of a reservation: "USER" "amy".  The names of NOT
/// entries begin with !.
struct AccessEntry {
  std::string type, name;
  std::string compare = "==";
  std::string marks = {};  // + - or = for affinity, and a * if it is required
  friend bool operator==(const AccessEntry&, const AccessEntry&) = default;
};

struct ReservationDiagnosis {
  std::string name, type, partition;
  std::int64_t start = 0;
  std::int64_t end = 0;  // -1: none
  std::int64_t nodes = 0, tasks = 0, procs = 0;
  std::vector<std::string> flags;
  std::vector<AccessEntry> access, credentials;
  std::vector<ResourceAmount> per_task;  // of an administrative reservation
  std::string host_expression, charge_account, owner;
  /// Configuration of a standing reservation: "TaskCount: 4  StartTime: 18:00:00 ...".
  std::string standing_attributes;
  std::int64_t job_priority = 0;  // of a waiting job's reservation
  bool job_waits = false;
  std::vector<std::string> warnings = {};
  // Processor hours of an active non-job reservation: reserved so far, and used of the reserved.
  double kept_proc_hours = 0, active_proc_hours = 0;
  friend bool operator==(const ReservationDiagnosis&, const ReservationDiagnosis&) = default;
};

/// diagnose -r
struct ReservationsDiagnosisReply {
  std::int64_t now = 0;
  bool verbose = false;
  bool all = true;  // all reservations, not a single one
  std::vector<ReservationDiagnosis> reservations;
  std::int64_t active_reserved_procs = 0;
  std::vector<std::string> warnings;  // warnings not about a single reservation
  friend bool operator==(const ReservationsDiagnosisReply&,
                         const ReservationsDiagnosisReply&) = default;
};

struct PartitionAmount {
  std::string resource;  // NODE, PROC, MEM, SWAP, DISK
  std::int64_t configured = 0, up = 0, dedicated = 0, active = 0;
  friend bool operator==(const PartitionAmount&, const PartitionAmount&) = default;
};

struct PartitionDiagnosis {
  std::string name;
  std::vector<PartitionAmount> amounts;
  std::vector<ClassAmount> classes;  // initiators of the nodes that are up
  friend bool operator==(const PartitionDiagnosis&, const PartitionDiagnosis&) = default;
};

/// diagnose -t
struct PartitionsReply {
  std::vector<PartitionDiagnosis> partitions;
  std::vector<std::string> system_list = {};  // the partitions that every job may use
  std::string system_default = {};
  friend bool operator==(const PartitionsReply&, const PartitionsReply&) = default;
};

/// A frame and its nodes, as far as nodes report their frames.
struct FrameDiagnosis {
  std::int64_t frame = 0;
  std::int64_t memory = 0, disk = 0;  // MB, total of its nodes
  std::vector<std::string> partitions;
  std::vector<std::string> nodes;  // in order of their slots
  friend bool operator==(const FrameDiagnosis&, const FrameDiagnosis&) = default;
};

/// diagnose -m
struct FramesDiagnosisReply {
  bool verbose = false;
  std::vector<FrameDiagnosis> frames;
  std::int64_t nodes_without_frame = 0;  // shown in frame 1
  std::int64_t now = 0, updated = -1;    // updated: last report of nodes; -1: never
  std::vector<std::string> warnings;
  friend bool operator==(const FramesDiagnosisReply&, const FramesDiagnosisReply&) = default;
};

/// One resource manager.  Times are by the scheduler's clock; -1: never.
struct ManagerDiagnosis {
  std::string name, type;
  std::string state;  // Active, Down, or Unknown before the first answer
  std::int64_t polls = 0, failed_polls = 0;
  std::int64_t starts = 0, failed_starts = 0;
  std::int64_t last_answer = -1;
  double average_latency = 0, max_latency = 0;  // of polls, seconds
  std::string last_failure;                     // empty: none
  std::int64_t last_failure_at = -1;
  std::int64_t next_try = -1;   // no poll until then; -1: no pause
  std::int64_t event_port = 0;  // port for its events; 0: it sends none
  std::vector<std::string> warnings = {};
  std::string no_events = {};  // why the scheduler does not listen at that port; empty: it does
  friend bool operator==(const ManagerDiagnosis&, const ManagerDiagnosis&) = default;
};

/// diagnose -R
struct ResourceManagerReply {
  std::int64_t now = 0;
  bool verbose = false;
  std::int64_t nodes = 0, jobs = 0;
  std::vector<ManagerDiagnosis> managers;
  friend bool operator==(const ResourceManagerReply&, const ResourceManagerReply&) = default;
};

/// diagnose -S: the service to clients.
struct ServiceReply {
  bool socket = false, port = false;  // where the server listens
  std::int64_t connections = 0, failures = 0;
  std::int64_t requests = 0, job_requests = 0,
               reservation_requests = 0;  // the last two count changes only
  friend bool operator==(const ServiceReply&, const ServiceReply&) = default;
};

/// One limit of a credential, and its jobs' use.
struct LimitDiagnosis {
  std::string name;                 // as in maui.cfg: MAXJOB, MAXIPROC, OMAXNODE, MAXJOB[USER:amy]
  std::int64_t soft = 0, hard = 0;  // 0: none
  double used = -1;                 // -1: not shown, for limits of idle jobs and of pairs
  friend bool operator==(const LimitDiagnosis&, const LimitDiagnosis&) = default;
};

struct CredentialDiagnosis {
  std::string name;
  std::int64_t priority = 0;
  std::vector<std::string> flags, job_flags;  // job_flags: the flags that a QOS gives its jobs
  std::string default_qos;
  std::vector<std::string> qos_list, partitions;
  double target = 0;  // per cent
  std::vector<LimitDiagnosis> limits;
  // For a QOS only: weights; targets (seconds, expansion factor); credentials that may use it.
  double queue_time_weight = 0, xfactor_weight = 0, xfactor_target = 0;
  std::int64_t queue_time_target = 0;
  std::vector<std::string> users, groups, accounts, classes;
  friend bool operator==(const CredentialDiagnosis&, const CredentialDiagnosis&) = default;
};

/// diagnose -u, -g, -a, -c, -Q
struct CredentialsReply {
  std::string kind;  // user, group, account, class, qos
  bool verbose = false;
  std::string default_qos;  // of the system
  std::vector<CredentialDiagnosis> rows;
  std::vector<std::string> qos_list = {}, flags = {};  // of the system
  friend bool operator==(const CredentialsReply&, const CredentialsReply&) = default;
};

}  // namespace maui
