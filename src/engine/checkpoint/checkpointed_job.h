// A job as a checkpoint has it.
#pragma once
#include "engine/checkpoint/checkpoint.h"
#include "maui/job.h"
#include "maui/units.h"

namespace maui {

struct EngineKnowledge;

/// True if a new scheduler would learn everything about the job from reports.
bool nothing_to_checkpoint(const EngineKnowledge& known, const Job& job);
/// Returns the state of the job that no resource manager would report again, and its run.
CheckpointedJob checkpointed(const EngineKnowledge& known, const Job& job, Time now);

}  // namespace maui
