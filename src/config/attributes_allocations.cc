// Attributes of AMCFG: the BANK parameters, under the names of release 3.3 (guide 6.4).
#include "config/apply.h"
#include "config/attributes.h"
#include "config/names.h"

namespace maui::config {

const std::vector<Attribute>& allocation_manager_attributes() {
  static const std::vector<Attribute> kRows{
      {"TYPE", "", choice(kAllocationManagers), true, "Type of the allocation manager.",
       into(
           kAllocationManagers, [](Settings & s) -> auto& { return s.allocations.type; })},
      {"HOST", "SERVER", text("a host name"), true, "Host of the allocation manager.",
       into([](Settings & s) -> auto& { return s.allocations.host; })},
      {"PORT", "", integer(1, 65535), true, "Port of the allocation manager.",
       into([](Settings & s) -> auto& { return s.allocations.port; })},
      {"TIMEOUT", "", duration(), true, "How long it may take to answer.",
       into([](Settings & s) -> auto& { return s.allocations.timeout; })},
      {"CHARGEPOLICY", "", choice(kChargePolicies), true, "Which jobs are charged, and for what.",
       into(
           kChargePolicies, [](Settings & s) -> auto& { return s.allocations.policy; })},
      {"DEFERJOBONFAILURE", "", boolean(), true,
       "Whether jobs are deferred while it fails; otherwise they start.",
       into([](Settings & s) -> auto& { return s.allocations.defer_on_failure; })},
      {"FALLBACKACCOUNT", "", text("an account"), true,
       "Account to charge when the job's own has no allocation left.",
       into([](Settings & s) -> auto& { return s.allocations.fallback_account; })},
  };
  return kRows;
}

}  // namespace maui::config
