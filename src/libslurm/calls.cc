#include "libslurm/calls.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <utility>

#include "libslurm/records.h"
#include "slurm/gate.h"
#include "slurm/limits.h"

// libslurm exports this function, but slurm.h does not declare it.
extern "C" void slurm_xfree(void** memory);

namespace maui::slurm {
namespace {

// A message of libslurm with the function that frees it.
template <class T>
using Message = std::unique_ptr<T, void (*)(T*)>;

Error error_of(int code) { return Error{fmt::format("Slurm: {}", slurm_strerror(code))}; }

/// Makes a loading call; returns false if nothing has changed since the last call.
template <class Call>
Result<bool> loaded(Call call) {
  if (call() == SLURM_SUCCESS) return true;
  const int code = errno;
  if (code == SLURM_NO_CHANGE_IN_DATA) return false;
  return error_of(code);
}

using Configuration = Message<slurm_conf_t>;

Result<Configuration> configuration() {
  slurm_conf_t* raw = nullptr;
  if (slurm_load_ctl_conf(0, &raw) != SLURM_SUCCESS) return error_of(errno);
  return Configuration(raw, slurm_free_ctl_conf);
}

std::string no_gate_of(const slurm_conf_t& configuration) {
  const char* plugins = configuration.job_submit_plugins;
  return no_gate_in(plugins == nullptr ? "" : plugins);
}

using Answers = Message<job_array_resp_msg_t>;

/// Returns the status of a call that answers for each task of an array.
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

/// Returns the name of a user or group, or else its number.
const std::string& cached(std::map<unsigned, KnownName>& names, unsigned id,
                          std::optional<std::string> (*look_up)(unsigned)) {
  constexpr std::chrono::seconds kMissLasts{60};
  const auto now = std::chrono::steady_clock::now();
  KnownName& known = names[id];
  if (now < known.until) return known.name;
  const auto found = look_up(id);
  known.name = found ? *found : std::to_string(id);
  known.until = found ? std::chrono::steady_clock::time_point::max() : now + kMissLasts;
  return known.name;
}

}  // namespace

LibSlurm::LibSlurm() {
  ::setenv("SLURM_BITSTR_LEN", "0", 1);  // report the tasks of arrays in full
  slurm_init(nullptr);
}

// Jobs and licences change many times a second, the rest of the state rarely.  But a reservation
// for maintenance must affect the very next start.
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
  return std::exchange(unreported_, false) ? std::optional(cluster_) : std::nullopt;
}

Status LibSlurm::load_parts(std::initializer_list<Result<bool> (LibSlurm::*)()> parts) {
  for (const auto part : parts) {
    const auto changed = (this->*part)();
    if (!changed) return changed.error();
    unreported_ = unreported_ || *changed;
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
    Job& job = cluster_.jobs.emplace_back(read_job(info));
    job.user = info.user_name != nullptr ? info.user_name : user_name(info.user_id);
    job.group = group_name(info.group_id);
    // Release 22.05 does not free this field with the rest.
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
  constexpr std::uint16_t kLimits = 0x0002;  // ACCOUNTING_ENFORCE_LIMITS, not in slurm.h
  slurm_conf_t* raw = nullptr;
  auto changed = loaded([&] { return slurm_load_ctl_conf(configuration_at_, &raw); });
  if (!changed || !*changed) return changed;
  const Configuration configuration(raw, slurm_free_ctl_conf);
  configuration_at_ = configuration->last_update;
  enforces_limits_ = (configuration->accounting_storage_enforce & kLimits) != 0;
  cluster_.no_gate = no_gate_of(*configuration);
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
  for (std::uint32_t i = 0; i < message->record_count; ++i)
    cluster_.partitions.push_back(read_partition(message->partition_array[i]));
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
    cluster_.licenses.push_back(read_license(message->lic_array[i]));
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

/// Limits change rarely, and Slurm does not report changes: maui loads them periodically, and when
/// a limit that may be new has refused a start, together with the configuration.
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
  } else {
    cluster_.accounting = {};
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
    if (value) field = const_cast<char*>(value->c_str());  // Slurm only reads it
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

Status LibSlurm::update(const NodeChange& change) {
  update_node_msg_t message;
  slurm_init_update_node_msg(&message);
  std::string node = change.node, reason = change.reason;
  message.node_names = node.data();
  message.node_state = change.out ? NODE_STATE_DRAIN : NODE_RESUME;
  if (change.out) {
    message.reason = reason.data();
    message.reason_uid = ::getuid();
  }
  return slurm_update_node(&message) == SLURM_SUCCESS ? Status(Done{}) : error_of(errno);
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
  return cached(users_, id, [](unsigned number) {
    const auto* entry = ::getpwuid(number);
    return entry != nullptr ? std::optional<std::string>(entry->pw_name) : std::nullopt;
  });
}

const std::string& LibSlurm::group_name(unsigned id) {
  return cached(groups_, id, [](unsigned number) {
    const auto* entry = ::getgrgid(number);
    return entry != nullptr ? std::optional<std::string>(entry->gr_name) : std::nullopt;
  });
}

Result<std::string> LibSlurm::no_usage() {
  const auto loaded = configuration();
  if (!loaded) return loaded.error();
  const char* type = (*loaded)->job_acct_gather_type;
  const std::string kind = type == nullptr ? std::string() : type;
  if (!kind.empty() && kind != "jobacct_gather/none" && kind != "none") return std::string();
  return fmt::format(
      "Slurm does not gather the resource use of jobs: JobAcctGatherType={} in slurm.conf",
      kind.empty() ? "jobacct_gather/none" : kind);
}

Result<std::string> LibSlurm::no_gate() {
  const auto loaded = configuration();
  return loaded ? no_gate_of(**loaded) : Result<std::string>(loaded.error());
}

}  // namespace maui::slurm
