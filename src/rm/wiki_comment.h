// Extensions in comments as servers of WIKI pass them on.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/job.h"

namespace maui {

/// The comment in the form of guide 13.3, NAME:VALUE;NAME:VALUE: servers put '?' or ',' between
/// extensions and call some of them otherwise.
std::string extensions_in(std::string_view comment);

/// Takes off what Slurm's sched/wiki2 writes in front of the comment of a job that waits for
/// others, in Slurm's own words: "DEPEND=afterok:2?afterany:3_*?QOS:low" is
/// "afterok:2?afterany:3_*" and "QOS:low".  Empty if there is no such part.
std::string_view take_dependencies_of_slurm(std::string_view& comment);
/// True if any one of such words will do.
inline bool any_will_do(std::string_view words) { return words.find('?') != words.npos; }
/// The jobs of such words that the job waits for in any case.  The rest (alternatives, tasks of
/// arrays, singleton) is for Slurm alone to judge, which says so when it refuses a start.
std::vector<Dependency> certain_dependencies(std::string_view words);

}  // namespace maui
