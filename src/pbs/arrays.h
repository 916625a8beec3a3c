// Job arrays of OpenPBS: the server does not report their tasks before they start, but lists the
// remaining tasks in an attribute of the array.
#pragma once
#include <span>
#include <vector>

#include "pbs/attribute.h"

namespace maui::pbs {

/// Returns the waiting tasks of each array among `jobs`, a thousand of each at most.  Tasks beyond
/// the array's own limit of running tasks are held.
std::vector<Object> waiting_tasks(std::span<const Object> jobs);

}  // namespace maui::pbs
