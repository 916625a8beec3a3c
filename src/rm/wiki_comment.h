// Extensions in job comments as WIKI servers pass them on.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/job.h"

namespace maui {

/// Returns the comment in the form of guide 13.3, NAME:VALUE;NAME:VALUE: servers separate
/// extensions with '?' or ',' and use other names for some of them.
std::string extensions_in(std::string_view comment);

/// Removes and returns the dependencies that Slurm's sched/wiki2 writes, in Slurm's notation,
/// before the comment of a job that waits for others: "DEPEND=afterok:2?afterany:3_*?QOS:low"
/// becomes "afterok:2?afterany:3_*" and "QOS:low".  Returns an empty text if there are none.
std::string_view take_dependencies_of_slurm(std::string_view& comment);
/// Returns true if any one of the dependencies suffices.
inline bool any_will_do(std::string_view words) { return words.find('?') != words.npos; }
/// Returns the dependencies that the job has in any case.  Only Slurm can evaluate the rest
/// (alternatives, tasks of arrays, singleton); it reports them when it refuses a start.
std::vector<Dependency> certain_dependencies(std::string_view words);

}  // namespace maui
