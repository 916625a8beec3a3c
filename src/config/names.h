// Names of values that several tables share.
#pragma once
#include "base/enum_names.h"
#include "maui/settings.h"

namespace maui::config {

inline constexpr EnumName<NodeAccess> kNodeAccess[] = {{NodeAccess::shared, "SHARED"},
                                                       {NodeAccess::dedicated, "DEDICATED"},
                                                       {NodeAccess::dedicated, "SINGLEJOB"},
                                                       {NodeAccess::single_user, "SINGLEUSER"},
                                                       {NodeAccess::single_task, "SINGLETASK"}};

inline constexpr EnumName<JobFlag> kJobFlags[] = {
    {JobFlag::adv_res, "ADVRES"},          {JobFlag::host_list, "HOSTLIST"},
    {JobFlag::restartable, "RESTARTABLE"}, {JobFlag::preemptee, "PREEMPTEE"},
    {JobFlag::dedicated, "DEDICATED"},     {JobFlag::preemptor, "PREEMPTOR"}};

}  // namespace maui::config
