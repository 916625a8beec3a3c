// The words for job flags in traces and extensions (guide 13.3, 16.3 field 25, appendix F).
#pragma once
#include <array>

#include "base/enum_names.h"
#include "maui/job.h"

namespace maui {

inline constexpr std::array<EnumName<JobFlag>, 8> kJobFlagNames{{
    {JobFlag::adv_res, "ADVRES"},
    {JobFlag::host_list, "HOSTLIST"},
    {JobFlag::restartable, "RESTARTABLE"},
    {JobFlag::preemptee, "PREEMPTEE"},
    {JobFlag::dedicated, "DEDICATED"},
    {JobFlag::preemptor, "PREEMPTOR"},
    {JobFlag::backfill, "BACKFILL"},
    {JobFlag::no_queue, "NOQUEUE"},
}};

}  // namespace maui
