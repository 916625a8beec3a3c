// A workload that might have been: that of another, drawn anew by user and week.
//
// For each week in which a user submitted jobs, one of all such weeks of that user is drawn and
// takes its place, at the same hours of the same days.  So users keep their habits and the log its
// length and rhythm, while who meets whom in the queue is left to chance.  A job that is drawn
// twice has a name of its own the second time; dependencies are left out, since what they name may
// not have been drawn. (After Feitelson, Resampling with Feedback, 2016, without the feedback.)
#pragma once
#include <cstdint>
#include <memory>

#include "sim/workload.h"

namespace maui {

/// The same seed draws the same.
std::unique_ptr<Workload> resample(std::unique_ptr<Workload> workload, std::uint64_t seed);

}  // namespace maui
