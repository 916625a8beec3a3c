// The settings of a credential: USERCFG, GROUPCFG, ACCOUNTCFG, CLASSCFG, QOSCFG and SYSCFG
// (guide 5.1.2.1, 6, 7.2, 7.3).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "maui/settings/fairshare.h"
#include "maui/settings/throttling.h"
#include "maui/units.h"

namespace maui {

/// The attributes that a *CFG parameter gives one credential (guide 5.1.2.1).
struct CredentialSettings {
  std::optional<std::int64_t> priority;                    // PRIORITY
  std::optional<FairshareTarget> fairshare_target;         // FSTARGET
  std::optional<Seconds> queue_time_target;                // QTTARGET
  std::optional<double> xfactor_target;                    // XFTARGET
  double queue_time_weight = 0;                            // QTWEIGHT (QOS)
  double xfactor_weight = 0;                               // XFWEIGHT (QOS)
  std::string default_qos;                                 // QDEF
  std::optional<std::vector<std::string>> qos_list;        // QLIST; nullopt: not set
  std::string default_partition;                           // PDEF
  std::optional<std::vector<std::string>> partition_list;  // PLIST; an empty list grants nothing
  std::vector<std::string> flags;     // FLAGS, QFLAGS: canonical words, USERESERVED:NAME among them
  std::vector<std::string> features;  // FEATURES (QOS): required of its jobs' nodes
  std::optional<bool> learn;          // LEARN
  CredentialLimits limits;            // MAX*, MAXI*, OMAX*
  friend bool operator==(const CredentialSettings&, const CredentialSettings&) = default;
};

/// By name; "DEFAULT" applies to every name without its own entry, and, attribute by attribute, to
/// entries that do not say more.
using CredentialTable = std::map<std::string, CredentialSettings, std::less<>>;

}  // namespace maui
