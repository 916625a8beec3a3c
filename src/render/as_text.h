// The text form of all replies; each family of replies has its own file.
#pragma once
#include <string>

#include "maui/reply.h"

namespace maui {

std::string as_text(const Refusal& reply);

std::string as_text(const QueueReply& reply);
std::string as_text(const ActiveQueueReply& reply);
std::string as_text(const IdleQueueReply& reply);
std::string as_text(const BlockedQueueReply& reply);
std::string as_text(const CompletedQueueReply& reply);

std::string as_text(const JobReply& reply);
std::string as_text(const EndedJobReply& reply);
std::string as_text(const StartReply& reply);
std::string as_text(const JobsReply& reply);

std::string as_text(const NodeReply& reply);
std::string as_text(const StateReply& reply);
std::string as_text(const WindowsReply& reply);

std::string as_text(const ReservationsReply& reply);
std::string as_text(const ReservedNodesReply& reply);
std::string as_text(const ReservationChartReply& reply, int width = 80);
std::string as_svg(const ReservationChartReply& reply);
std::string as_text(const ReservationCreatedReply& reply);
std::string as_text(const ReservationsReleasedReply& reply);

std::string as_text(const StatisticsReply& reply);
std::string as_text(const CredentialStatisticsReply& reply);
std::string as_text(const NodeStatisticsReply& reply);
std::string as_text(const LearningReply& reply);
std::string as_text(const GridReply& reply);
std::string as_text(const StatisticsResetReply& reply);
std::string as_text(const ProfileReply& reply);

std::string as_text(const HistoryReply& reply);
std::string as_text(const ReservationHistoryReply& reply);
std::string as_text(const UtilisationHistoryReply& reply);

std::string as_text(const ConfigReply& reply);
std::string as_text(const ParameterReply& reply);

std::string as_text(const ShutdownReply& reply);
std::string as_text(const ReloadReply& reply);
std::string as_text(const StopReply& reply);
std::string as_text(const ResumeReply& reply);
std::string as_text(const NodeTraceReply& reply);
std::string as_text(const NodesModifiedReply& reply);

std::string as_text(const JobsDiagnosisReply& reply);
std::string as_text(const NodesDiagnosisReply& reply);
std::string as_text(const PriorityReply& reply);
std::string as_text(const BlockedJobsReply& reply);
std::string as_text(const ReservationsDiagnosisReply& reply);
std::string as_text(const PartitionsReply& reply);
std::string as_text(const FramesDiagnosisReply& reply);
std::string as_text(const ResourceManagerReply& reply);
std::string as_text(const CredentialsReply& reply);
std::string as_text(const ServiceReply& reply);
std::string as_text(const HoldsReply& reply);
std::string as_text(const FairshareReply& reply);

}  // namespace maui
