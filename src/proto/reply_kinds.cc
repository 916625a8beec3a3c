#include "proto/reply_kinds.h"

#include <array>
#include <tuple>
#include <type_traits>
#include <variant>

#include "base/enum_names.h"

namespace maui {
namespace {

template <class Body>
struct NameOf {
  std::string_view name;
};
constexpr std::tuple kReplyNames{
    NameOf<Refusal>{"refusal"},
    NameOf<QueueReply>{"queue"},
    NameOf<ActiveQueueReply>{"active_queue"},
    NameOf<IdleQueueReply>{"idle_queue"},
    NameOf<BlockedQueueReply>{"blocked_queue"},
    NameOf<JobReply>{"job"},
    NameOf<StartReply>{"start"},
    NameOf<JobsReply>{"jobs"},
    NameOf<NodeReply>{"node"},
    NameOf<StateReply>{"state"},
    NameOf<WindowsReply>{"windows"},
    NameOf<ReservationsReply>{"reservations"},
    NameOf<ReservedNodesReply>{"reserved_nodes"},
    NameOf<ReservationChartReply>{"reservation_chart"},
    NameOf<ReservationCreatedReply>{"reservation_created"},
    NameOf<ReservationsReleasedReply>{"reservations_released"},
    NameOf<StatisticsReply>{"statistics"},
    NameOf<CredentialStatisticsReply>{"credential_statistics"},
    NameOf<NodeStatisticsReply>{"node_statistics"},
    NameOf<LearningReply>{"learning"},
    NameOf<GridReply>{"grid"},
    NameOf<StatisticsResetReply>{"statistics_reset"},
    NameOf<ConfigReply>{"config"},
    NameOf<ParameterReply>{"parameter"},
    NameOf<ShutdownReply>{"shutdown"},
    NameOf<ReloadReply>{"reload"},
    NameOf<StopReply>{"stop"},
    NameOf<ResumeReply>{"resume"},
    NameOf<NodeTraceReply>{"node_trace"},
    NameOf<NodesModifiedReply>{"nodes_modified"},
    NameOf<JobsDiagnosisReply>{"jobs_diagnosis"},
    NameOf<NodesDiagnosisReply>{"nodes_diagnosis"},
    NameOf<PriorityReply>{"priority"},
    NameOf<BlockedJobsReply>{"blocked_jobs"},
    NameOf<ReservationsDiagnosisReply>{"reservations_diagnosis"},
    NameOf<PartitionsReply>{"partitions"},
    NameOf<FramesDiagnosisReply>{"frames_diagnosis"},
    NameOf<ResourceManagerReply>{"resource_manager"},
    NameOf<FairshareReply>{"fairshare"},
    NameOf<CredentialsReply>{"credentials"},
    NameOf<ServiceReply>{"service"},
    NameOf<HoldsReply>{"holds"},
    NameOf<CompletedQueueReply>{"completed_queue"},
    NameOf<EndedJobReply>{"ended_job"},
    NameOf<ProfileReply>{"profile"},
    NameOf<HistoryReply>{"history"},
    NameOf<ReservationHistoryReply>{"reservation_history"},
    NameOf<UtilisationHistoryReply>{"utilisation_history"},
};

/// Returns the names in the order of the variant; a reply without a row does not compile.
template <class... Bodies>
constexpr std::array<std::string_view, sizeof...(Bodies)> names_in_order(
    std::type_identity<std::variant<Bodies...>> /*replies*/) {
  return {std::get<NameOf<Bodies>>(kReplyNames).name...};
}
constexpr auto kKinds = names_in_order(std::type_identity<AnyReply>());
static_assert(std::tuple_size_v<decltype(kReplyNames)> == kKinds.size());

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
