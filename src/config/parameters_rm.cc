// Resource managers and the allocation manager (guide 6.4, 13.2).
#include "config/apply.h"
#include "config/names.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

std::vector<Parameter> bank_parameters() {
  using enum Index;
  using enum Change;
  constexpr auto kYes = Landed::yes;
  return {
      {"BANKTYPE", "", none, or_none(choice(kAllocationManagers)), "[NONE]", at_restart, kYes,
       "Kind of allocation manager: FILE, or a server that speaks the lines of "
       "decisions/allocation-manager.md.",
       [](Settings& s, const std::string&, const Words& value) {
         using Names = std::span<const EnumName<AllocationManagerType>>;
         const auto named =
             value.empty() ? std::nullopt : value_of(Names(kAllocationManagers), value.front());
         s.allocations.type = named.value_or(AllocationManagerType::none);
       }},
      {"BANKSERVER", "", none, text("a host name"), "[NONE]", at_restart, kYes,
       "Host of the allocation manager.",
       into([](Settings & s) -> auto& { return s.allocations.host; })},
      {"BANKPORT", "", none, integer(1, 65535), "40560", at_restart, kYes,
       "Port of the allocation manager.",
       into([](Settings & s) -> auto& { return s.allocations.port; })},
      {"BANKTIMEOUT", "", none, duration(), "9", at_restart, kYes,
       "How long the allocation manager may take to answer.",
       into([](Settings & s) -> auto& { return s.allocations.timeout; })},
      {"BANKCHARGEPOLICY", "BANKCHARGEMODE", none, choice(kChargePolicies), "DEBITSUCCESSFULWC",
       at_runtime, kYes, "Which jobs are charged, and for what.",
       into(
           kChargePolicies, [](Settings & s) -> auto& { return s.allocations.policy; })},
      {"BANKDEFERJOBONFAILURE", "", none, boolean(), "OFF", at_runtime, kYes,
       "Whether jobs are deferred while the allocation manager fails; else they start.",
       into([](Settings & s) -> auto& { return s.allocations.defer_on_failure; })},
      {"BANKFALLBACKACCOUNT", "", none, text("an account"), "[NONE]", at_runtime, kYes,
       "Account to charge when the job's own has no allocation left.",
       into([](Settings & s) -> auto& { return s.allocations.fallback_account; })},
      {"AMCFG",
       "",
       name,
       {},
       "[NONE]",
       at_restart,
       kYes,
       "Attributes of the allocation manager, in the form of release 3.3; what it says stands "
       "before the BANK parameters.",
       {},
       &allocation_manager_attributes()},
  };
}

}  // namespace

std::vector<Parameter> resource_manager_parameters() {
  using enum Index;
  using enum Change;
  std::vector<Parameter> rows{
      {"RMTYPE", "", either, resource_manager_type(), "LL", at_restart, Landed::no,
       "Kind of resource manager."},
      {"RMNAME", "", either, text("a name"), "[NONE]", at_restart, Landed::no,
       "What the resource manager is called; its index by default."},
      {"RMSERVER", "RMHOST", either, text("a host name"), "[NONE]", at_restart, Landed::no,
       "Host of the resource manager; that of its kind by default."},
      {"RMPORT", "", either, integer(0, 65535), "0", at_restart, Landed::no,
       "Port of the resource manager; 0: the usual one of its kind."},
      {"RMNMPORT", "", either, integer(0, 65535), "0", at_restart, Landed::no,
       "Port of the node managers; 0: the usual one of the kind."},
      {"RMAUTHTYPE", "", either, choice("CHECKSUM PKI SECUREPORT NONE"), "CHECKSUM", at_restart,
       Landed::no, "How messages between scheduler and resource manager are secured."},
      {"RMTIMEOUT", "", either, duration(), "15", at_runtime, Landed::no,
       "How long the resource manager may take to answer."},
      {"RMCONFIGFILE", "", either, text("a file name"), "[NONE]", at_restart, Landed::no,
       "The resource manager's own configuration file."},
      {"RMCFG",
       "",
       name,
       {},
       "[NONE]",
       at_restart,
       Landed::no,
       "Attributes of one resource manager, in the form of release 3.3.",
       {},
       &resource_manager_attributes()},
  };
  for (auto& row : bank_parameters()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace maui::config
