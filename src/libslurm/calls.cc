#include "libslurm/calls.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurm_version.h>
#include <slurm/slurmdb.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>

#include "slurm/limits.h"
#include "slurm/lists.h"

// libslurm exports these and slurm.h does not tell of them.
extern "C" char* slurm_job_reason_string(enum job_state_reason reason);
extern "C" void slurm_xfree(void** memory);

namespace maui::slurm {
namespace {

// A message of libslurm's and the function that frees it.
template <class T>
using Message = std::unique_ptr<T, void (*)(T*)>;

std::string text(const char* value) { return value == nullptr ? std::string() : value; }

Error error_of(int code) { return Error{fmt::format("Slurm: {}", slurm_strerror(code))}; }

/// One loading call; false: nothing changed since.
template <class Call>
Result<bool> loaded(Call call) {
  if (call() == SLURM_SUCCESS) return true;
  const int code = errno;
  if (code == SLURM_NO_CHANGE_IN_DATA) return false;
  return error_of(code);
}

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
  constexpr std::uint64_t kMostMegabytes = std::numeric_limits<int>::max();  // as WIKI has them
  job.tasks = count(info.num_tasks, 1);
  job.cpus = count(info.num_cpus, 1);
  job.cpus_per_task = count16(info.cpus_per_task, 1);
  job.min_nodes = count(info.num_nodes, 1);
  job.max_nodes = count(info.max_nodes);
  // Slurm guesses it for a job that waits, maybe beyond what was asked for.
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

Node read_node(const node_info_t& info) {
  // Maintenance is a reservation, which is told of as one.
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

/// Limits on resources, by Slurm's numbers for CPUs, memory and nodes.
Quota read_quota(const char* resources, std::uint32_t jobs = NO_VAL) {
  const auto amounts = amounts_by_number(text(resources));
  const auto of = [&](int number) {
    const auto at = amounts.find(number);
    return at == amounts.end() ? std::nullopt : std::optional(at->second);
  };
  return {amount(jobs), of(1), of(4), of(2)};
}

Association read_association(const slurmdb_assoc_rec_t& info) {
  Association one;
  one.id = info.id;
  one.parent = info.parent_id;
  one.together = read_quota(info.grp_tres, info.grp_jobs);
  one.jobs = amount(info.max_jobs);
  one.each = read_quota(info.max_tres_pj);
  one.wall = minutes(info.max_wall_pj);
  return one;
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

Accounting read_accounting(const assoc_mgr_info_msg_t& message) {
  Accounting accounting;
  const auto each = [](List list, auto take) {
    if (list == nullptr) return;
    const auto iterator = slurm_list_iterator_create(list);
    while (void* one = slurm_list_next(iterator)) take(one);
    slurm_list_iterator_destroy(iterator);
  };
  each(message.assoc_list, [&](void* one) {
    accounting.associations.push_back(
        read_association(*static_cast<const slurmdb_assoc_rec_t*>(one)));
  });
  each(message.qos_list, [&](void* one) {
    accounting.qos.push_back(read_qos(*static_cast<const slurmdb_qos_rec_t*>(one)));
  });
  return accounting;
}

using Answers = Message<job_array_resp_msg_t>;

/// The outcome of a call that answers for each task of an array.
template <class Call>
Status each_done(Call call) {
  job_array_resp_msg_t* raw = nullptr;
  const int status = call(&raw);
  const int code = errno;
  const Answers answers(raw, slurm_free_job_array_resp);
  if (status != SLURM_SUCCESS) return error_of(code);
  if (answers != nullptr)
    for (std::uint32_t i = 0; i < answers->job_array_count; ++i)
      if (answers->error_code[i] != 0) return error_of(static_cast<int>(answers->error_code[i]));
  return Done{};
}

const std::string& remembered(std::map<unsigned, std::string>& names, unsigned id,
                              std::string (*look_up)(unsigned)) {
  const auto at = names.find(id);
  return at != names.end() ? at->second : names.emplace(id, look_up(id)).first->second;
}

}  // namespace

LibSlurm::LibSlurm() {
  ::setenv("SLURM_BITSTR_LEN", "0", 1);  // the tasks of an array in full
  slurm_init(nullptr);
}

// Jobs come and go many times a second, and with them licences; what is around them does not.  But
// a reservation for maintenance counts for the very next start.
Result<std::optional<Cluster>> LibSlurm::load() {
  constexpr std::chrono::milliseconds kSurroundingsEvery{900};
  const auto now = std::chrono::steady_clock::now();
  if (const auto status =
          load_parts({&LibSlurm::load_jobs, &LibSlurm::load_nodes, &LibSlurm::load_reservations});
      !status)
    return status.error();
  if (!cluster_.licenses.empty())
    if (const auto status = load_parts({&LibSlurm::load_licenses}); !status) return status.error();
  if (now >= surroundings_due_) {
    if (const auto status = load_parts(
            {&LibSlurm::load_partitions, &LibSlurm::load_licenses, &LibSlurm::load_accounting});
        !status)
      return status.error();
    surroundings_due_ = now + kSurroundingsEvery;
  }
  return std::exchange(untold_, false) ? std::optional(cluster_) : std::nullopt;
}

Status LibSlurm::load_parts(std::initializer_list<Result<bool> (LibSlurm::*)()> parts) {
  for (const auto part : parts) {
    const auto changed = (this->*part)();
    if (!changed) return changed.error();
    untold_ = untold_ || *changed;
  }
  return Done{};
}

Result<bool> LibSlurm::load_jobs() {
  job_info_msg_t* raw = nullptr;
  auto changed = loaded([&] { return slurm_load_jobs(jobs_at_, &raw, SHOW_ALL | SHOW_DETAIL); });
  if (!changed || !*changed) return changed;
  const Message<job_info_msg_t> message(raw, slurm_free_job_info_msg);
  jobs_at_ = message->last_update;
  cluster_.jobs.clear();
  for (std::uint32_t i = 0; i < message->record_count; ++i) {
    auto& info = message->job_array[i];
    Job& job = cluster_.jobs.emplace_back();
    read_identity(info, job);
    read_shape(info, job);
    read_times(info, job);
    read_state(info, job);
    job.user = info.user_name != nullptr ? info.user_name : user_name(info.user_id);
    job.group = group_name(info.group_id);
    // Release 22.05 forgets it when it frees the rest.
    slurm_xfree(reinterpret_cast<void**>(&info.admin_comment));
  }
  return true;
}

Result<bool> LibSlurm::load_nodes() {
  node_info_msg_t* raw = nullptr;
  auto changed = loaded([&] { return slurm_load_node(nodes_at_, &raw, SHOW_ALL | SHOW_MIXED); });
  if (!changed || !*changed) return changed;
  const Message<node_info_msg_t> message(raw, slurm_free_node_info_msg);
  nodes_at_ = message->last_update;
  cluster_.nodes.clear();
  for (std::uint32_t i = 0; i < message->record_count; ++i)
    if (message->node_array[i].name != nullptr)
      cluster_.nodes.push_back(read_node(message->node_array[i]));
  return true;
}

Result<bool> LibSlurm::load_configuration() {
  constexpr std::uint16_t kLimits = 0x0002;  // ACCOUNTING_ENFORCE_LIMITS, which slurm.h leaves out
  slurm_conf_t* raw = nullptr;
  auto changed = loaded([&] { return slurm_load_ctl_conf(configuration_at_, &raw); });
  if (!changed || !*changed) return changed;
  const Message<slurm_conf_t> configuration(raw, slurm_free_ctl_conf);
  configuration_at_ = configuration->last_update;
  enforces_limits_ = (configuration->accounting_storage_enforce & kLimits) != 0;
  cluster_.allots_memory = (configuration->select_type_param & CR_MEMORY) != 0;
  return true;
}

Result<bool> LibSlurm::load_partitions() {
  partition_info_msg_t* raw = nullptr;
  auto changed = loaded([&] { return slurm_load_partitions(partitions_at_, &raw, SHOW_ALL); });
  if (!changed || !*changed) return changed;
  const Message<partition_info_msg_t> message(raw, slurm_free_partition_info_msg);
  partitions_at_ = message->last_update;
  cluster_.partitions.clear();
  for (std::uint32_t i = 0; i < message->record_count; ++i) {
    const auto& info = message->partition_array[i];
    Partition& partition = cluster_.partitions.emplace_back();
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
  }
  return true;
}

Result<bool> LibSlurm::load_licenses() {
  license_info_msg_t* raw = nullptr;
  auto changed = loaded([&] { return slurm_load_licenses(licenses_at_, &raw, SHOW_ALL); });
  if (!changed || !*changed) return changed;
  const Message<license_info_msg_t> message(raw, slurm_free_license_info_msg);
  licenses_at_ = message->last_update;
  cluster_.licenses.clear();
  for (std::uint32_t i = 0; i < message->num_lic; ++i)
    cluster_.licenses.push_back({text(message->lic_array[i].name),
                                 count(message->lic_array[i].available),
                                 count(message->lic_array[i].total)});
  return true;
}

Result<bool> LibSlurm::load_reservations() {
  reserve_info_msg_t* raw = nullptr;
  auto changed = loaded([&] { return slurm_load_reservations(reservations_at_, &raw); });
  if (!changed || !*changed) return changed;
  const Message<reserve_info_msg_t> message(raw, slurm_free_reservation_info_msg);
  reservations_at_ = message->last_update;
  cluster_.reservations.clear();
  for (std::uint32_t i = 0; i < message->record_count; ++i)
    cluster_.reservations.push_back(read_reservation(message->reservation_array[i]));
  return true;
}

/// Limits change rarely, and Slurm does not tell when: they are asked for now and then, and when
/// one that may be new has refused a start; with them the configuration.
Result<bool> LibSlurm::load_accounting() {
  constexpr std::chrono::seconds kEvery{30};
  const auto now = std::chrono::steady_clock::now();
  if (now < accounting_due_ && !limit_refused(cluster_)) return false;
  const auto changed = load_configuration();
  if (!changed) return changed;
  if (enforces_limits_) {
    assoc_mgr_info_request_msg_t request{};
    request.flags = ASSOC_MGR_INFO_FLAG_ASSOC | ASSOC_MGR_INFO_FLAG_QOS;
    assoc_mgr_info_msg_t* raw = nullptr;
    if (slurm_load_assoc_mgr_info(&request, &raw) != SLURM_SUCCESS) return error_of(errno);
    const Message<assoc_mgr_info_msg_t> message(raw, slurm_free_assoc_mgr_info_msg);
    cluster_.accounting = read_accounting(*message);
  }
  accounting_due_ = now + kEvery;
  return enforces_limits_ || *changed;
}

Status LibSlurm::update(const Change& change) {
  job_desc_msg_t description;
  slurm_init_job_desc_msg(&description);
  std::string job = change.job;
  description.job_id_str = job.data();
  const auto set_text = [](char*& field, const std::optional<std::string>& value) {
    if (value) field = const_cast<char*>(value->c_str());  // it is only read
  };
  set_text(description.req_nodes, change.required_nodes);
  set_text(description.exc_nodes, change.excluded_nodes);
  set_text(description.admin_comment, change.admin_comment);
  set_text(description.account, change.account);
  set_text(description.partition, change.partition);
  if (change.gate != Change::Gate::as_it_is)
    description.priority = change.gate == Change::Gate::open ? INFINITE : 0;
  if (change.min_nodes) description.min_nodes = static_cast<std::uint32_t>(*change.min_nodes);
  if (change.max_nodes) description.max_nodes = static_cast<std::uint32_t>(*change.max_nodes);
  if (change.min_cpus) description.pn_min_cpus = static_cast<std::uint16_t>(*change.min_cpus);
  if (change.cpus) description.min_cpus = static_cast<std::uint32_t>(*change.cpus);
  if (change.limit) description.time_limit = *change.limit;
  if (change.begin_now) description.begin_time = std::time(nullptr);
  if (change.allow_requeue) description.requeue = 1;
  if (change.holds) description.site_factor = NICE_OFFSET + *change.holds;
  return each_done(
      [&](job_array_resp_msg_t** answers) { return slurm_update_job2(&description, answers); });
}

Status LibSlurm::signal(const std::string& job, int number) {
  constexpr std::uint16_t kAllOfIt = KILL_FULL_JOB;
  const std::uint16_t flags = number == SIGKILL ? 0 : kAllOfIt;
  if (slurm_kill_job2(job.c_str(), static_cast<std::uint16_t>(number), flags, nullptr) ==
      SLURM_SUCCESS)
    return Done{};
  return error_of(errno);
}

Status LibSlurm::requeue(const std::string& job) {
  std::string name = job;
  return each_done(
      [&](job_array_resp_msg_t** answers) { return slurm_requeue2(name.data(), 0, answers); });
}

Status LibSlurm::suspend(const std::string& job) {
  std::string name = job;
  return each_done(
      [&](job_array_resp_msg_t** answers) { return slurm_suspend2(name.data(), answers); });
}

Status LibSlurm::resume(const std::string& job) {
  std::string name = job;
  return each_done(
      [&](job_array_resp_msg_t** answers) { return slurm_resume2(name.data(), answers); });
}

const std::string& LibSlurm::user_name(unsigned id) {
  return remembered(users_, id, [](unsigned number) {
    const auto* entry = ::getpwuid(number);
    return entry != nullptr ? std::string(entry->pw_name) : std::to_string(number);
  });
}

const std::string& LibSlurm::group_name(unsigned id) {
  return remembered(groups_, id, [](unsigned number) {
    const auto* entry = ::getgrgid(number);
    return entry != nullptr ? std::string(entry->gr_name) : std::to_string(number);
  });
}

Result<std::string> LibSlurm::no_usage() {
  slurm_conf_t* raw = nullptr;
  if (slurm_load_ctl_conf(0, &raw) != SLURM_SUCCESS) return error_of(errno);
  const Message<slurm_conf_t> message(raw, slurm_free_ctl_conf);
  const std::string kind = text(message->job_acct_gather_type);
  if (!kind.empty() && kind != "jobacct_gather/none" && kind != "none") return std::string();
  return fmt::format("Slurm does not gather what jobs use: JobAcctGatherType={} in slurm.conf",
                     kind.empty() ? "jobacct_gather/none" : kind);
}

}  // namespace maui::slurm
