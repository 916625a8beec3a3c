// What the server answers: one plain struct a command, and a refusal.
//
// Replies carry facts, never formatted text: times as epoch seconds, durations
// as seconds, amounts as numbers (-1: without limit where the field says so).
// src/render turns a reply into the text of release 3.3 or into JSON, whose
// member names are those of the structs and do not change.
#pragma once
#include <algorithm>
#include <string>
#include <variant>

#include "maui/replies/config.h"
#include "maui/replies/control.h"
#include "maui/replies/diagnosis.h"
#include "maui/replies/fairshare.h"
#include "maui/replies/job.h"
#include "maui/replies/node.h"
#include "maui/replies/queue.h"
#include "maui/replies/reservation.h"
#include "maui/replies/statistics.h"

namespace maui {

/// The command was understood and refused, or failed; `reason` is one clear sentence.
struct Refusal {
  std::string reason;
  friend bool operator==(const Refusal&, const Refusal&) = default;
};

using Reply =
    std::variant<Refusal, QueueReply, ActiveQueueReply, IdleQueueReply, BlockedQueueReply, JobReply,
                 StartReply, JobsReply, NodeReply, StateReply, WindowsReply, ReservationsReply,
                 ReservedNodesReply, ReservationChartReply, ReservationCreatedReply,
                 ReservationsReleasedReply, StatisticsReply, CredentialStatisticsReply,
                 NodeStatisticsReply, GridReply, StatisticsResetReply, ConfigReply, ParameterReply,
                 ShutdownReply, ReloadReply, StopReply, ResumeReply, NodeTraceReply,
                 NodesModifiedReply, JobsDiagnosisReply, NodesDiagnosisReply, PriorityReply,
                 BlockedJobsReply, ReservationsDiagnosisReply, PartitionsReply,
                 FramesDiagnosisReply, ResourceManagerReply, FairshareReply, CredentialsReply>;

/// False if the command, or any part of it, was refused: the client's exit status.
inline bool succeeded(const Reply& reply) {
  const auto all_done = [](const auto& outcomes) {
    return std::all_of(outcomes.begin(), outcomes.end(), [](const auto& o) { return o.done; });
  };
  if (std::holds_alternative<Refusal>(reply)) return false;
  if (const auto* jobs = std::get_if<JobsReply>(&reply)) return all_done(jobs->jobs);
  if (const auto* modified = std::get_if<NodesModifiedReply>(&reply))
    return all_done(modified->nodes);
  if (const auto* released = std::get_if<ReservationsReleasedReply>(&reply))
    return all_done(released->reservations);
  return true;
}

}  // namespace maui
