// Names of node set policies and attributes, in maui.cfg and in jobs (guide 8.3, 13.3).
#pragma once
#include "base/enum_names.h"
#include "maui/node_set.h"

namespace maui {

inline constexpr EnumName<NodeSetPolicy> kNodeSetPolicies[] = {{NodeSetPolicy::one_of, "ONEOF"},
                                                               {NodeSetPolicy::first_of, "FIRSTOF"},
                                                               {NodeSetPolicy::any_of, "ANYOF"}};

inline constexpr EnumName<NodeSetAttribute> kNodeSetAttributes[] = {
    {NodeSetAttribute::feature, "FEATURE"},      {NodeSetAttribute::network, "NETWORK"},
    {NodeSetAttribute::proc_speed, "PROCSPEED"}, {NodeSetAttribute::job_class, "CLASS"},
    {NodeSetAttribute::memory, "MEMORY"},        {NodeSetAttribute::memory, "MEM"}};

inline constexpr EnumName<NodeSetPriority> kNodeSetPriorities[] = {
    {NodeSetPriority::best_fit, "BESTFIT"},
    {NodeSetPriority::worst_fit, "WORSTFIT"},
    {NodeSetPriority::best_resource, "BESTRESOURCE"},
    {NodeSetPriority::min_loss, "MINLOSS"}};

}  // namespace maui
