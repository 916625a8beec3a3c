// Why a job may be preempted, and by whom (guide 8.4).
#pragma once
#include <cstdint>

#include "maui/job.h"
#include "sched/rules/job_flags.h"

namespace maui {

/// The kinds of victims, as bits: those that a preemptor may take, or those that a job belongs to.
enum class VictimKind : unsigned {
  preemptee = 1,    // PREEMPTOR takes PREEMPTEE
  restartable = 2,  // RESTARTPREEMPT takes RESTARTABLE and requeues it
  backfilled = 4,   // BACKFILLPOLICY PREEMPT: the head of the queue takes backfilled jobs
  guest = 8,        // OWNERPREEMPT: an owner takes other users of its reservation at any priority
};
constexpr unsigned bit(VictimKind kind) { return static_cast<unsigned>(kind); }

/// The kinds that jobs at the head of the queue may take under BACKFILLPOLICY PREEMPT.
inline constexpr unsigned kTakenByHeads = bit(VictimKind::preemptee) | bit(VictimKind::backfilled);

/// Returns the kinds of victim that a job with these flags belongs to.  A RESTARTABLE job is
/// nobody's victim where no job has RESTARTPREEMPT.
unsigned kinds_given_by(const JobFlags& all, std::uint16_t flags);

/// The victims that a waiting job may preempt, as bits of VictimKind.
unsigned preemptible_by(const JobFlags& all, const Job& job);

}  // namespace maui
