// Names of the ways to share a node (NODEACCESSPOLICY; guide 10, appendix F).
#pragma once
#include "base/enum_names.h"
#include "maui/request.h"

namespace maui {

/// The first name of each value is the one that is displayed.
inline constexpr EnumName<NodeAccess> kNodeAccessNames[] = {
    {NodeAccess::shared, "SHARED"},
    {NodeAccess::dedicated, "DEDICATED"},
    {NodeAccess::dedicated, "SINGLEJOB"},
    {NodeAccess::single_user, "SINGLEUSER"},
    {NodeAccess::single_task, "SINGLETASK"}};

}  // namespace maui
