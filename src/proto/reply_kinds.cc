#include "proto/reply_kinds.h"

#include <array>
#include <variant>

#include "base/enum_names.h"

namespace maui {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<AnyReply>> kKinds{
    "refusal",
    "queue",
    "active_queue",
    "idle_queue",
    "blocked_queue",
    "job",
    "start",
    "jobs",
    "node",
    "state",
    "windows",
    "reservations",
    "reserved_nodes",
    "reservation_chart",
    "reservation_created",
    "reservations_released",
    "statistics",
    "credential_statistics",
    "node_statistics",
    "learning",
    "grid",
    "statistics_reset",
    "config",
    "parameter",
    "shutdown",
    "reload",
    "stop",
    "resume",
    "node_trace",
    "nodes_modified",
    "jobs_diagnosis",
    "nodes_diagnosis",
    "priority",
    "blocked_jobs",
    "reservations_diagnosis",
    "partitions",
    "frames_diagnosis",
    "resource_manager",
    "fairshare",
    "credentials",
    "service",
    "holds",
    "completed_queue",
    "ended_job",
    "profile",
    "history",
    "reservation_history",
    "utilisation_history",
};

constexpr EnumName<JobAction> kActions[] = {
    {JobAction::cancelled, "cancelled"},
    {JobAction::started, "started"},
    {JobAction::suspended, "suspended"},
    {JobAction::requeued, "requeued"},
    {JobAction::checkpointed, "checkpointed"},
    {JobAction::resumed, "resumed"},
    {JobAction::modified, "modified"},
    {JobAction::preempted, "preempted"},
    {JobAction::cleared, "cleared"},
    {JobAction::holds_set, "holds_set"},
    {JobAction::holds_released, "holds_released"},
    {JobAction::priority_set, "priority_set"},
    {JobAction::qos_set, "qos_set"},
};

}  // namespace

std::string_view reply_kind(const Reply& reply) { return kKinds[reply.index()]; }

std::span<const std::string_view> reply_kinds() { return kKinds; }

std::string_view job_action_name(JobAction action) {
  return name_of(std::span<const EnumName<JobAction>>(kActions), action);
}

std::optional<JobAction> find_job_action(std::string_view name) {
  return value_of(std::span<const EnumName<JobAction>>(kActions), name);
}

std::vector<std::string_view> job_action_names() {
  std::vector<std::string_view> names;
  for (const auto& action : kActions) names.push_back(action.name);
  return names;
}

}  // namespace maui
