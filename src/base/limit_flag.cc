#include "base/limit_flag.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace maui {
namespace {

constexpr std::array<std::pair<LimitKind, std::string_view>, kLimitKinds> kKinds{
    {{LimitKind::job, "JOB"},
     {LimitKind::proc, "PROC"},
     {LimitKind::ps, "PS"},
     {LimitKind::pe, "PE"},
     {LimitKind::wc, "WC"},
     {LimitKind::node, "NODE"},
     {LimitKind::mem, "MEM"}}};

constexpr std::array<std::pair<CredentialKind, std::string_view>, 5> kOwners{
    {{CredentialKind::user, "USER"},
     {CredentialKind::group, "GROUP"},
     {CredentialKind::account, "ACCOUNT"},
     {CredentialKind::qos, "QOS"},
     {CredentialKind::job_class, "CLASS"}}};

std::vector<LimitFlag> all_flags() {
  std::vector<LimitFlag> flags;
  for (const auto& [kind, what] : kKinds)
    for (const bool idle : {false, true}) {
      const auto base = fmt::format("{}{}", what, idle ? "QUEUED" : "");
      flags.push_back({"IGNMAX" + base, kind, idle, std::nullopt});
      for (const auto& [owner, whose] : kOwners)
        flags.push_back({fmt::format("IGN{}PER{}", base, whose), kind, idle, owner});
    }
  return flags;
}

// "IGNMAXJOBPERUSER" is "IGNJOBPERUSER"; the guide prints IGNPSPERUSER without its second P.
std::string spelled_as_the_guide_does(std::string_view word) {
  std::string name = upper(word);
  if (name.starts_with("IGNMAX") && name.find("PER") != std::string::npos) name.erase(3, 3);
  if (name.starts_with("IGNSPER")) name.insert(3, "P");
  return name;
}

}  // namespace

const std::vector<LimitFlag>& limit_flags() {
  static const auto kFlags = all_flags();
  return kFlags;
}

const LimitFlag* find_limit_flag(std::string_view word) {
  const auto name = spelled_as_the_guide_does(word);
  const auto& flags = limit_flags();
  const auto at = std::find_if(flags.begin(), flags.end(),
                               [&](const LimitFlag& flag) { return flag.name == name; });
  return at == flags.end() ? nullptr : &*at;
}

}  // namespace maui
