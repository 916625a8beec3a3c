#include "engine/actions/forget_in_plan.h"

#include <algorithm>

namespace maui {

void drop_decisions(Plan& plan) {
  plan.decisions.clear();
  plan.backfilled.clear();
}

void forget_in_plan(Plan& plan, JobId id) {
  drop_decisions(plan);
  const auto at = std::find_if(plan.order.begin(), plan.order.end(),
                               [id](const Plan::Ranked& ranked) { return ranked.job == id; });
  if (at == plan.order.end()) return;
  plan.reasons.erase(plan.reasons.begin() + (at - plan.order.begin()));
  plan.order.erase(at);
}

}  // namespace maui
