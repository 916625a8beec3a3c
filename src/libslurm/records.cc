#include "libslurm/records.h"

#include <fmt/format.h>
#include <slurm/slurm_version.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slurm/lists.h"

// libslurm exports this function, but slurm.h does not declare it.
extern "C" char* slurm_job_reason_string(enum job_state_reason reason);

namespace maui::slurm {
namespace {

std::string text(const char* value) { return value == nullptr ? std::string() : value; }

JobState state_of(std::uint32_t state) {
  switch (state & 0xff) {
    case JOB_PENDING:
      return JobState::pending;
    case JOB_RUNNING:
      return JobState::running;
    case JOB_SUSPENDED:
      return JobState::suspended;
    case JOB_COMPLETE:
      return JobState::complete;
    case JOB_CANCELLED:
      return JobState::cancelled;
    case JOB_TIMEOUT:
      return JobState::timeout;
    case JOB_NODE_FAIL:
      return JobState::node_fail;
    case JOB_PREEMPTED:
      return JobState::preempted;
    case JOB_BOOT_FAIL:
      return JobState::boot_fail;
    case JOB_DEADLINE:
      return JobState::deadline;
    case JOB_OOM:
      return JobState::out_of_memory;
    default:
      return JobState::failed;
  }
}

int count(std::uint32_t value, int otherwise = 0) {
  constexpr std::uint32_t kMost = std::numeric_limits<int>::max();
  return value == NO_VAL || value == INFINITE ? otherwise
                                              : static_cast<int>(std::min(value, kMost));
}
int count16(std::uint16_t value, int otherwise = 0) {
  return value == NO_VAL16 || value == INFINITE16 ? otherwise : value;
}
std::optional<std::uint32_t> minutes(std::uint32_t value) {
  if (value == NO_VAL || value == INFINITE) return std::nullopt;
  return value;
}

std::optional<int> amount(std::uint32_t value) {
  constexpr std::uint32_t kMost = std::numeric_limits<int>::max();
  if (value == NO_VAL || value == INFINITE || value > kMost) return std::nullopt;
  return static_cast<int>(value);
}

std::vector<int> cpus_on_nodes([[maybe_unused]] const slurm_job_info_t& info) {
  std::vector<int> cpus;
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
  if (info.job_resrcs != nullptr && state_of(info.job_state) == JobState::running)
    for (int node = 0; node < count(info.num_nodes); ++node)
      cpus.push_back(slurm_job_cpus_allocated_on_node_id(info.job_resrcs, node));
#endif
  return cpus;
}

void read_shape(const slurm_job_info_t& info, Job& job) {
  constexpr std::uint64_t kMostMegabytes = std::numeric_limits<int>::max();  // WIKI's maximum
  job.tasks = count(info.num_tasks, 1);
  job.cpus = count(info.num_cpus, 1);
  job.cpus_per_task = count16(info.cpus_per_task, 1);
  job.min_nodes = count(info.num_nodes, 1);
  job.max_nodes = count(info.max_nodes);
  // For a waiting job, min_nodes is Slurm's guess, which may exceed the job's maximum.
  if (job.max_nodes > 0) job.min_nodes = std::min(job.min_nodes, job.max_nodes);
  job.tasks_per_node = count16(info.ntasks_per_node);
  job.tasks_per_socket = count16(info.ntasks_per_socket);
  job.tasks_per_gpu = count16(info.ntasks_per_tres);
  job.min_cpus = count16(info.pn_min_cpus, 1);
  job.min_sockets = count16(info.sockets_per_node);
  job.min_cores = count16(info.cores_per_socket);
  job.min_threads = count16(info.threads_per_core);
  job.memory_per_cpu = (info.pn_min_memory & MEM_PER_CPU) != 0;
  job.memory =
      info.pn_min_memory == NO_VAL64
          ? 0
          : static_cast<std::int64_t>(std::min(info.pn_min_memory & ~MEM_PER_CPU, kMostMegabytes));
  job.disk = count(info.pn_min_tmp_disk);
  job.switches = count(info.req_switch);
  job.exclusive = info.shared == JOB_SHARED_NONE;
  job.with_own_user = info.shared == JOB_SHARED_USER;
  job.tres_per_job = text(info.tres_per_job);
  job.tres_per_node = text(info.tres_per_node);
  job.tres_per_socket = text(info.tres_per_socket);
  job.tres_per_task = text(info.tres_per_task);
  job.cpus_per_tres = text(info.cpus_per_tres);
  job.memory_per_tres = text(info.mem_per_tres);
  job.features = text(info.features);
  job.licenses = text(info.licenses);
  job.required_nodes = text(info.req_nodes);
  job.excluded_nodes = text(info.exc_nodes);
}

void read_times(const slurm_job_info_t& info, Job& job) {
  job.submitted = Time(info.submit_time);
  job.eligible = Time(info.eligible_time);
  job.started = Time(info.start_time);
  job.ended = Time(info.end_time);
  job.suspension_changed = Time(info.suspend_time);
  job.run_before_suspension = Seconds(info.pre_sus_time);
  job.limit = minutes(info.time_limit);
  job.unlimited = info.time_limit == INFINITE;
}

void read_identity(const slurm_job_info_t& info, Job& job) {
  job.id = info.job_id;
  job.array_job = info.array_job_id;
  if (info.array_task_id != NO_VAL) job.array_task = info.array_task_id;
  job.array_tasks = text(info.array_task_str);
  job.array_limit = static_cast<std::uint32_t>(count(info.array_max_tasks));
  job.het_job = info.het_job_id;
  job.name = text(info.name);
  job.account = text(info.account);
  job.partition = text(info.partition);
  job.qos = text(info.qos);
  job.comment = text(info.comment);
  job.admin_comment = text(info.admin_comment);
  job.command = text(info.command);
  job.dependency = text(info.dependency);
  job.reservation = text(info.resv_name);
  job.association = info.assoc_id;
}

void read_state(const slurm_job_info_t& info, Job& job) {
  job.state = state_of(info.job_state);
  job.completing = (info.job_state & JOB_COMPLETING) != 0;
  job.priority = info.priority;
  constexpr std::uint32_t kMarksOfGate = 15;
  constexpr std::string_view kRequeuedHeld = "job requeued in ";  // held state, special exit state
  // "launch failed requeued held", "user env retrieval failed requeued held"
  constexpr std::string_view kGivenUp = "failed requeued held";
  const auto marks = info.site_factor == NO_VAL ? 0 : info.site_factor & kMarksOfGate;
  job.holds = marks & (kUserHold | kAdminHold);
  job.passed_gate = marks != 0;
  const std::string words = text(info.state_desc);
  job.requeued_held = words.starts_with(kRequeuedHeld);
  if (!job.requeued_held && words.ends_with(kGivenUp)) job.launch_failure = words;
  job.requeue = info.requeue != 0;
  job.restarts = info.restart_cnt;
  job.exit_status = static_cast<int>(info.exit_code);
  job.nodes = text(info.nodes);
  job.cpus_on_nodes = cpus_on_nodes(info);
  job.reason = text(slurm_job_reason_string(static_cast<job_state_reason>(info.state_reason)));
}

NodeState node_state(std::uint32_t state) {
  switch (state & NODE_STATE_BASE) {
    case NODE_STATE_IDLE:
      return NodeState::idle;
    case NODE_STATE_ALLOCATED:
      return NodeState::allocated;
    case NODE_STATE_MIXED:
      return NodeState::mixed;
    case NODE_STATE_UNKNOWN:
      return NodeState::unknown;
    default:
      return NodeState::down;
  }
}

/// Returns limits on resources, by Slurm's numbers for CPUs, memory and nodes.
Quota read_quota(const char* resources, std::uint32_t jobs = NO_VAL) {
  const auto amounts = amounts_by_number(text(resources));
  const auto of = [&](int number) {
    const auto at = amounts.find(number);
    return at == amounts.end() ? std::nullopt : std::optional(at->second);
  };
  return {amount(jobs), of(1), of(4), of(2)};
}

Association read_association(const slurmdb_assoc_rec_t& info) {
  Association association;
  association.id = info.id;
  association.parent = info.parent_id;
  association.together = read_quota(info.grp_tres, info.grp_jobs);
  association.jobs = amount(info.max_jobs);
  association.each = read_quota(info.max_tres_pj);
  association.wall = minutes(info.max_wall_pj);
  return association;
}

Qos read_qos(const slurmdb_qos_rec_t& info) {
  Qos qos;
  qos.name = text(info.name);
  qos.together = read_quota(info.grp_tres, info.grp_jobs);
  qos.user = read_quota(info.max_tres_pu, info.max_jobs_pu);
  qos.account = read_quota(info.max_tres_pa, info.max_jobs_pa);
  qos.each = read_quota(info.max_tres_pj);
  qos.wall = minutes(info.max_wall_pj);
  qos.passes_time_limit = (info.flags & QOS_FLAG_PART_TIME_LIMIT) != 0;
  qos.passes_node_limit = (info.flags & QOS_FLAG_PART_MAX_NODE) != 0;
  return qos;
}

}  // namespace

Job read_job(const slurm_job_info_t& info) {
  Job job;
  read_identity(info, job);
  read_shape(info, job);
  read_times(info, job);
  read_state(info, job);
  return job;
}

Node read_node(const node_info_t& info) {
  // Maintenance is a reservation in Slurm, and is reported as a reservation.
  constexpr std::uint32_t kClosed =
      NODE_STATE_DRAIN | NODE_STATE_FAIL | NODE_STATE_REBOOT_REQUESTED | NODE_STATE_REBOOT_ISSUED;
  constexpr std::uint32_t kOff =
      NODE_STATE_POWERED_DOWN | NODE_STATE_POWERING_DOWN | NODE_STATE_POWERING_UP;
  Node node;
  node.name = text(info.name);
  node.state = node_state(info.node_state);
  node.closed = (info.node_state & kClosed) != 0;
  node.silent = (info.node_state & NODE_STATE_NO_RESPOND) != 0;
  node.powered = (info.node_state & kOff) == 0;
  node.completing = (info.node_state & NODE_STATE_COMPLETING) != 0;
  node.architecture = text(info.arch);
  node.system = text(info.os);
  node.features = text(info.features_act != nullptr ? info.features_act : info.features);
  node.gres = text(info.gres);
  node.cpus = info.cpus_efctv != 0 ? info.cpus_efctv : info.cpus;
  node.sockets = info.sockets;
  node.cores = info.sockets * info.cores;
  node.memory =
      static_cast<std::int64_t>(info.real_memory) -
      (info.mem_spec_limit == NO_VAL64 ? 0 : static_cast<std::int64_t>(info.mem_spec_limit));
  node.disk = count(info.tmp_disk);
  node.load = info.cpu_load == NO_VAL ? 0 : info.cpu_load / 100.0;
  return node;
}

Partition read_partition(const partition_info_t& info) {
  Partition partition;
  partition.name = text(info.name);
  partition.nodes = text(info.nodes);
  partition.up = (info.state_up & PARTITION_SCHED) != 0;
  partition.exclusive = info.max_share == 0;
  partition.default_limit = minutes(info.default_time);
  partition.most = minutes(info.max_time);
  partition.most_nodes = amount(info.max_nodes);
  partition.accounts = text(info.allow_accounts);
  partition.denied_accounts = text(info.deny_accounts);
  partition.all_qos = text(info.allow_qos);
  partition.denied_qos = text(info.deny_qos);
  partition.qos = text(info.qos_char);
  partition.defaults = text(info.job_defaults_str);
  return partition;
}

License read_license(const slurm_license_info_t& info) {
  return {text(info.name), count(info.available), count(info.total)};
}

Reservation read_reservation(const reserve_info_t& info) {
  Reservation reservation;
  reservation.name = text(info.name);
  reservation.nodes = text(info.node_list);
  reservation.start = Time(info.start_time);
  reservation.end = Time(info.end_time);
  reservation.cores = count(info.core_cnt);
  reservation.any_nodes = (info.flags & RESERVE_FLAG_ANY_NODES) != 0;
  reservation.licenses = text(info.licenses);
  for (std::uint32_t i = 0; i < info.core_spec_cnt; ++i)
    reservation.cpus.emplace_back(text(info.core_spec[i].node_name),
                                  count_in_ranges(text(info.core_spec[i].core_id)));
  return reservation;
}

Accounting read_accounting(const assoc_mgr_info_msg_t& message) {
  Accounting accounting;
  const auto each = [](List list, auto take) {
    if (list == nullptr) return;
    const auto iterator = slurm_list_iterator_create(list);
    while (void* item = slurm_list_next(iterator)) take(item);
    slurm_list_iterator_destroy(iterator);
  };
  each(message.assoc_list, [&](void* item) {
    accounting.associations.push_back(
        read_association(*static_cast<const slurmdb_assoc_rec_t*>(item)));
  });
  each(message.qos_list, [&](void* item) {
    accounting.qos.push_back(read_qos(*static_cast<const slurmdb_qos_rec_t*>(item)));
  });
  return accounting;
}

}  // namespace maui::slurm
