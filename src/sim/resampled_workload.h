// Resamples a workload by user and week, which gives a similar workload that might have occurred.
//
// Each week in which a user submitted jobs is replaced by one such week of the same user, drawn at
// random; its jobs keep their days and hours.  So users keep their habits and the log keeps its
// length and rhythm, while chance decides which jobs meet in the queue.  A job that is drawn again
// gets a new name.  Dependencies are dropped, because the jobs that they name may not be drawn.
// (After Feitelson, Resampling with Feedback, 2016, without the feedback.)
#pragma once
#include <cstdint>
#include <memory>

#include "sim/workload.h"

namespace maui {

/// Equal seeds draw equal workloads.
std::unique_ptr<Workload> resample(std::unique_ptr<Workload> workload, std::uint64_t seed);

}  // namespace maui
