#include "engine/events.h"

namespace maui {
namespace {

constexpr EnumName<EventType> kNames[] = {
    {EventType::bank_failure, "BANKFAILURE"},
    {EventType::checkpoint_failure, "CHECKPOINTFAILURE"},
    {EventType::job_corruption, "JOBCORRUPTION"},
    {EventType::job_hold, "JOBHOLD"},
    {EventType::job_wc_violation, "JOBWCVIOLATION"},
    {EventType::node_down, "NODEDOWN"},
    {EventType::node_up, "NODEUP"},
    {EventType::reservation_corruption, "RESERVATIONCORRUPTION"},
    {EventType::reservation_created, "RESERVATIONCREATED"},
    {EventType::reservation_destroyed, "RESERVATIONDESTROYED"},
    {EventType::rm_failure, "RMFAILURE"},
    {EventType::statistics_failure, "STATISTICSFAILURE"},
};

}  // namespace

std::span<const EnumName<EventType>> event_names() { return kNames; }

}  // namespace maui
