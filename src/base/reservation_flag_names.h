// Names of reservation flags in maui.cfg, setres and diagnose -r (seed 7.1.5.1.4).
#pragma once
#include "base/enum_names.h"
#include "maui/reservation.h"

namespace maui {

inline constexpr EnumName<ReservationFlag> kReservationFlagNames[] = {
    {ReservationFlag::single_use, "SINGLEUSE"},
    {ReservationFlag::by_name, "BYNAME"},
    {ReservationFlag::preemptee, "PREEMPTEE"},
    {ReservationFlag::slide_forward, "SLIDEFORWARD"},
    {ReservationFlag::force, "FORCE"},
    {ReservationFlag::owner_preempt, "OWNERPREEMPT"},
    {ReservationFlag::time_flex, "TIMEFLEX"},
    {ReservationFlag::space_flex, "SPACEFLEX"},
    {ReservationFlag::best_effort, "BESTEFFORT"},
};

}  // namespace maui
