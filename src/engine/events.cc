#include "engine/events.h"

namespace maui {
namespace {

constexpr EnumName<EventType> kNames[] = {
    {EventType::bank_failure, "BANKFAILURE"},
    {EventType::job_corruption, "JOBCORRUPTION"},
    {EventType::job_hold, "JOBHOLD"},
    {EventType::job_wc_violation, "JOBWCVIOLATION"},
    {EventType::reservation_corruption, "RESERVATIONCORRUPTION"},
    {EventType::reservation_created, "RESERVATIONCREATED"},
    {EventType::reservation_destroyed, "RESERVATIONDESTROYED"},
    {EventType::rm_failure, "RMFAILURE"},
};

}  // namespace

std::span<const EnumName<EventType>> event_names() { return kNames; }

}  // namespace maui
