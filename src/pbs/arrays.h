// Arrays of OpenPBS, whose tasks the server does not report before they start: the array says
// which are left.
#pragma once
#include <span>
#include <vector>

#include "pbs/attribute.h"

namespace maui::pbs {

/// Returns the tasks that wait, of every array among `jobs`; the first thousand of each.  Those
/// that the array's own limit keeps back are held by it.
std::vector<Object> waiting_tasks(std::span<const Object> jobs);

}  // namespace maui::pbs
