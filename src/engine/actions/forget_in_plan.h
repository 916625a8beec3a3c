// Removes from the last plan what events since then have made outdated.
#pragma once
#include "maui/plan.h"

namespace maui {

/// Removes a job that no longer waits from the plan.  Removes all decisions, too: they have been
/// carried out or are void.
void forget_in_plan(Plan& plan, JobId job);
/// Drops the decisions that have not been carried out: what they rest on has changed.
void drop_decisions(Plan& plan);

}  // namespace maui
