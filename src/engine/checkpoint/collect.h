// Collects what a checkpoint has of a job.
#pragma once
#include "engine/checkpoint/checkpoint.h"
#include "maui/job.h"
#include "maui/units.h"

namespace maui {

struct EngineKnowledge;

/// Returns the state of the job that no resource manager would report again, and its run.
CheckpointedJob checkpointed(const EngineKnowledge& known, const Job& job, Time now);

}  // namespace maui
