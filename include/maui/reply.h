// The server's answers: one plain struct per command, and a refusal.
//
// Replies carry facts, never formatted text: times as epoch seconds, durations
// as seconds, amounts as numbers (-1: no limit, for fields that say so).
// src/render turns a reply into the text of release 3.3 or into JSON, whose
// member names are those of the structs and do not change.
#pragma once
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "maui/replies/config.h"
#include "maui/replies/control.h"
#include "maui/replies/diagnosis.h"
#include "maui/replies/fairshare.h"
#include "maui/replies/history.h"
#include "maui/replies/job.h"
#include "maui/replies/node.h"
#include "maui/replies/queue.h"
#include "maui/replies/reservation.h"
#include "maui/replies/statistics.h"

namespace maui {

/// The server understood the command but refused it or failed; `reason` is one clear sentence.
struct Refusal {
  std::string reason;
  friend bool operator==(const Refusal&, const Refusal&) = default;
};

using AnyReply = std::variant<
    Refusal, QueueReply, ActiveQueueReply, IdleQueueReply, BlockedQueueReply, JobReply, StartReply,
    JobsReply, NodeReply, StateReply, WindowsReply, ReservationsReply, ReservedNodesReply,
    ReservationChartReply, ReservationCreatedReply, ReservationsReleasedReply, StatisticsReply,
    CredentialStatisticsReply, NodeStatisticsReply, LearningReply, GridReply, StatisticsResetReply,
    ConfigReply, ParameterReply, ShutdownReply, ReloadReply, StopReply, ResumeReply, NodeTraceReply,
    NodesModifiedReply, JobsDiagnosisReply, NodesDiagnosisReply, PriorityReply, BlockedJobsReply,
    ReservationsDiagnosisReply, PartitionsReply, FramesDiagnosisReply, ResourceManagerReply,
    FairshareReply, CredentialsReply, ServiceReply, HoldsReply, CompletedQueueReply, EndedJobReply,
    ProfileReply, HistoryReply, ReservationHistoryReply, UtilisationHistoryReply>;

template <class Body, class Variant>
inline constexpr bool kIsOneOf = false;
template <class Body, class... All>
inline constexpr bool kIsOneOf<Body, std::variant<All...>> = (std::is_same_v<Body, All> || ...);
template <class Body>
concept SomeReply = kIsOneOf<Body, AnyReply>;

/// A reply of any type.  This is a class so that the compiler instantiates the large variant only
/// once, in proto/reply.cc, rather than in every file that returns a reply.
class Reply : public AnyReply {
 public:
  template <SomeReply Body>
  Reply(Body body) : AnyReply(std::in_place_type<Body>, std::move(body)) {}
  Reply(Reply&& other) noexcept;
  Reply& operator=(Reply&& other) noexcept;
  ~Reply();
};

/// Returns false if the command or any part of it was refused; decides the client's exit status.
bool succeeded(const Reply& reply);

}  // namespace maui
