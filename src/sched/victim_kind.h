// Why a job may be preempted, and by whom (guide 8.4).
#pragma once
#include "maui/job.h"
#include "sched/rules/job_flags.h"

namespace maui {

/// Which jobs somebody may preempt, or which of them a job is, as bits.
enum class VictimKind : unsigned {
  preemptee = 1,    // PREEMPTOR takes PREEMPTEE
  restartable = 2,  // RESTARTPREEMPT takes RESTARTABLE, which is requeued
  backfilled = 4,   // BACKFILLPOLICY PREEMPT: the head of the queue takes what backfill started
  guest = 8,        // OWNERPREEMPT: an owner takes whoever uses his reservation, whatever priority
};
constexpr unsigned bit(VictimKind kind) { return static_cast<unsigned>(kind); }

/// The victims that a waiting job may preempt, as bits of VictimKind.
unsigned preemptible_by(const JobFlags& all, const Job& job);

}  // namespace maui
