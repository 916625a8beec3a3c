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
      {"BANKTYPE", "", none, or_none(choice(kAllocationManagers)), "[NONE]", at_runtime, kYes,
       "Type of the allocation manager: FILE, or a server that speaks the protocol of "
       "decisions/allocation-manager.md.",
       [](Settings& s, const std::string&, const Words& value) {
         using Names = std::span<const EnumName<AllocationManagerType>>;
         const auto named =
             value.empty() ? std::nullopt : value_of(Names(kAllocationManagers), value.front());
         s.allocations.type = named.value_or(AllocationManagerType::none);
       }},
      {"BANKSERVER", "", none, text("a host name"), "[NONE]", at_runtime, kYes,
       "Host of the allocation manager.",
       into([](Settings & s) -> auto& { return s.allocations.host; })},
      {"BANKPORT", "", none, integer(1, 65535), "40560", at_runtime, kYes,
       "Port of the allocation manager.",
       into([](Settings & s) -> auto& { return s.allocations.port; })},
      {"BANKTIMEOUT", "", none, duration(), "9", at_runtime, kYes,
       "How long the allocation manager may take to answer.",
       into([](Settings & s) -> auto& { return s.allocations.timeout; })},
      {"BANKCHARGEPOLICY", "BANKCHARGEMODE", none, choice(kChargePolicies), "DEBITSUCCESSFULWC",
       at_runtime, kYes, "Which jobs are charged, and for what.",
       into(
           kChargePolicies, [](Settings & s) -> auto& { return s.allocations.policy; })},
      {"BANKDEFERJOBONFAILURE", "", none, boolean(), "OFF", at_runtime, kYes,
       "Whether jobs are deferred while the allocation manager fails; otherwise they start.",
       into([](Settings & s) -> auto& { return s.allocations.defer_on_failure; })},
      {"BANKFALLBACKACCOUNT", "", none, text("an account"), "[NONE]", at_runtime, kYes,
       "Account to charge when the job's own has no allocation left.",
       into([](Settings & s) -> auto& { return s.allocations.fallback_account; })},
      {"AMCFG",
       "",
       name,
       {},
       "[NONE]",
       at_runtime,
       kYes,
       "Attributes of the allocation manager, in the form of release 3.3; they take precedence "
       "over the BANK parameters.",
       {},
       &allocation_manager_attributes()},
  };
}

}  // namespace

namespace {

/// Sets a member of one resource manager; index 0 is named base in RMCFG.
template <auto Member>
Apply of_manager() {
  return [](Settings& settings, const std::string& index, const Words& value) {
    assign(settings.resource_managers[index == "0" ? "base" : index].*Member, value);
  };
}

}  // namespace

std::vector<Parameter> resource_manager_parameters() {
  using enum Index;
  using enum Change;
  using M = ResourceManagerSettings;
  std::vector<Parameter> rows{
      {"RMTYPE", "", either, resource_manager_type(), "LL", connects, Landed::yes,
       "Type of the resource manager: WIKI, SLURM, PBS and NATIVE are supported, LL and SSS only "
       "recognised.",
       of_manager<&M::type>()},
      {"RMNAME", "", either, text("a name"), "[NONE]", connects, Landed::yes,
       "Name of the resource manager; its index by default.", of_manager<&M::name>()},
      {"RMSERVER", "RMHOST", either, text("a host name"), "[NONE]", at_runtime, Landed::yes,
       "Host of the resource manager; the scheduler's own by default.", of_manager<&M::host>()},
      {"RMPORT", "", either, integer(0, 65535), "0", at_runtime, Landed::yes,
       "Port of the resource manager; by default 15001 for PBS; WIKI has no default.",
       of_manager<&M::port>()},
      {"RMNMPORT", "", either, integer(0, 65535), "0", connects, Landed::without_effect,
       "Port of the node managers of PBS, which this scheduler does not query."},
      {"RMAUTHTYPE", "", either, choice("CHECKSUM PKI SECUREPORT TRQAUTHD MUNGE NONE"), "CHECKSUM",
       at_runtime, Landed::yes,
       "How messages between scheduler and resource manager are secured: CHECKSUM or NONE; with "
       "PBS, "
       "SECUREPORT, TRQAUTHD, MUNGE or NONE.",
       of_manager<&M::auth>()},
      {"RMTIMEOUT", "", either, duration(), "15", at_runtime, Landed::yes,
       "How long the resource manager may take to answer.", of_manager<&M::timeout>()},
      {"RMCONFIGFILE", "", either, text("a file name"), "[NONE]", connects, Landed::without_effect,
       "Configuration file of LoadLeveler, which this scheduler does not support."},
      {"RMCFG",
       "",
       name,
       {},
       "[NONE]",
       connects,
       Landed::yes,
       "Attributes of one resource manager, in the form of release 3.3.",
       [](Settings& settings, const std::string& index, const Words&) {
         settings.resource_managers[index];
       },
       &resource_manager_attributes()},
  };
  for (auto& row : bank_parameters()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace maui::config
