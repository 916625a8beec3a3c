// Jobs that leave the queue between two plans leave the last plan, too.
#pragma once
#include "maui/plan.h"

namespace maui {

/// Removes a job that no longer waits from the plan.  All decisions go, too: they have been carried
/// out, or are not to be any more.
void forget_in_plan(Plan& plan, JobId job);

}  // namespace maui
