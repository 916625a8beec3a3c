// Names of job flags in traces, extensions and configuration (guide 7.3.2.2, 13.3, 16.3 field 25,
// appendix F).
#pragma once
#include <array>

#include "base/enum_names.h"
#include "maui/job.h"

namespace maui {

/// The flags that a job itself may have.
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

/// The flags that the FLAGS parameter of a credential may grant to its jobs.
inline constexpr std::array<EnumName<JobFlag>, 12> kGrantedFlagNames{{
    {JobFlag::adv_res, "ADVRES"},
    {JobFlag::dedicated, "DEDICATED"},
    {JobFlag::no_backfill, "NOBF"},
    {JobFlag::no_reservation, "NORESERVATION"},
    {JobFlag::preemptee, "PREEMPTEE"},
    {JobFlag::preemptor, "PREEMPTOR"},
    {JobFlag::reserve_always, "RESERVEALWAYS"},
    {JobFlag::restartable, "RESTARTABLE"},
    {JobFlag::restart_preempt, "RESTARTPREEMPT"},
    {JobFlag::span, "SPAN"},
    {JobFlag::use_reserved, "USERESERVED"},
    {JobFlag::ignore_time_limit, "IGNSRMAXTIME"},
}};

}  // namespace maui
