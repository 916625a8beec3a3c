// The words for who may share a node (NODEACCESSPOLICY; guide 10, appendix F).
#pragma once
#include "base/enum_names.h"
#include "maui/request.h"

namespace maui {

/// The first word of each is the one that is written.
inline constexpr EnumName<NodeAccess> kNodeAccessNames[] = {
    {NodeAccess::shared, "SHARED"},
    {NodeAccess::dedicated, "DEDICATED"},
    {NodeAccess::dedicated, "SINGLEJOB"},
    {NodeAccess::single_user, "SINGLEUSER"},
    {NodeAccess::single_task, "SINGLETASK"}};

}  // namespace maui
