// What USERCFG, GROUPCFG, ACCOUNTCFG, CLASSCFG and QOSCFG say of a credential (guide 5.1.2.1,
// 6, 7.3).
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "maui/settings/throttling.h"

namespace maui {

/// What a *CFG parameter says of one credential (guide 5.1.2.1; more with the policies).
struct CredentialSettings {
  std::int64_t priority = 0;       // PRIORITY
  double queue_time_weight = 0;    // QTWEIGHT (QOS)
  double xfactor_weight = 0;       // XFWEIGHT (QOS)
  std::string default_qos;         // QDEF
  std::vector<std::string> flags;  // FLAGS, QFLAGS
  CredentialLimits limits;         // MAX*, MAXI*, OMAX*
  friend bool operator==(const CredentialSettings&, const CredentialSettings&) = default;
};

/// By name; "DEFAULT" stands for every name that has no entry of its own.
using CredentialTable = std::map<std::string, CredentialSettings, std::less<>>;

}  // namespace maui
