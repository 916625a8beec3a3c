// Resource managers and the allocation manager (guide 6.4, 13.2).
#include "config/parameters.h"

namespace maui::config {
namespace {

std::vector<Parameter> bank_parameters() {
  using enum Index;
  using enum Change;
  return {
      {"BANKTYPE", "", none, or_none(choice("QBANK RESD FILE")), "[NONE]", at_restart, Landed::no,
       "Kind of allocation manager."},
      {"BANKSERVER", "", none, text("a host name"), "[NONE]", at_restart, Landed::no,
       "Host of the allocation manager."},
      {"BANKPORT", "", none, integer(0, 65535), "40560", at_restart, Landed::no,
       "Port of the allocation manager."},
      {"BANKTIMEOUT", "", none, duration(), "9", at_runtime, Landed::no,
       "How long the allocation manager may take to answer."},
      {"BANKCHARGEPOLICY", "BANKCHARGEMODE", none,
       choice("DEBITALLWC DEBITSUCCESSFULWC DEBITSUCCESSFULCPU|DEBITSUCCESSFULLCPU "
              "DEBITSUCCESSFULPE"),
       "DEBITSUCCESSFULWC", at_runtime, Landed::no, "Which jobs are charged, and for what."},
      {"BANKDEFERJOBONFAILURE", "", none, boolean(), "OFF", at_runtime, Landed::no,
       "Whether jobs are deferred while the allocation manager fails."},
      {"BANKFALLBACKACCOUNT", "", none, text("an account"), "[NONE]", at_runtime, Landed::no,
       "Account to charge when the job's own has no allocation left."},
      {"AMCFG",
       "",
       name,
       {},
       "[NONE]",
       at_restart,
       Landed::no,
       "Attributes of the allocation manager, in the form of release 3.3.",
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
