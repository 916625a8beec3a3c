// The site's own programs, consulted in every iteration (guide, appendices B and C).
#pragma once
#include <string>
#include <string_view>

#include "maui/local_policies.h"

namespace maui {

struct LocalSettings {
  std::string attribute_program;  // JOBATTRIBUTEPROGRAM
  std::string priority_program;   // PRIORITYPROGRAM
  std::string fairness_program;   // FAIRNESSPROGRAM
  std::string backfill_program;   // BACKFILLPROGRAM
  friend bool operator==(const LocalSettings&, const LocalSettings&) = default;
};

struct LocalProgramRow {
  LocalHook hook;
  std::string_view parameter;
  std::string LocalSettings::*member;
};
inline constexpr LocalProgramRow kLocalPrograms[] = {
    {LocalHook::attributes, "JOBATTRIBUTEPROGRAM", &LocalSettings::attribute_program},
    {LocalHook::priority, "PRIORITYPROGRAM", &LocalSettings::priority_program},
    {LocalHook::fairness, "FAIRNESSPROGRAM", &LocalSettings::fairness_program},
    {LocalHook::backfill, "BACKFILLPROGRAM", &LocalSettings::backfill_program},
};

}  // namespace maui
