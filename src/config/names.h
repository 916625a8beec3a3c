// Names and kinds that several tables share.
#pragma once
#include <array>
#include <string_view>

#include "base/enum_names.h"
#include "maui/job.h"
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

/// What throttling policies limit (guide 6.2.1.1): MAXJOB, MAXPROC and so on.
struct Limit {
  std::string_view name, what;
  bool time = false;
};
inline constexpr std::array<Limit, 7> kLimits{{{"JOB", "jobs"},
                                               {"PROC", "processors"},
                                               {"PS", "outstanding processor-seconds"},
                                               {"PE", "processor equivalents"},
                                               {"WC", "outstanding wallclock time", true},
                                               {"NODE", "nodes"},
                                               {"MEM", "megabytes of memory"}}};

}  // namespace maui::config
