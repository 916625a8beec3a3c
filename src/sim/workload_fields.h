// The names of the fields of a workload record (guide 16.3.1), and definitions that files share.
#pragma once
#include <array>
#include <string_view>

namespace maui {

inline constexpr std::array<std::string_view, 44> kWorkloadFields{
    "JobID",
    "Nodes Requested",
    "Tasks Requested",
    "User Name",
    "Group Name",
    "Wallclock Limit",
    "Job Completion State",
    "Required Class",
    "Submission Time",
    "Dispatch Time",
    "Start Time",
    "Completion Time",
    "Required Network Adapter",
    "Required Node Architecture",
    "Required Node Operating System",
    "Required Node Memory Comparison",
    "Required Node Memory",
    "Required Node Disk Comparison",
    "Required Node Disk",
    "Required Node Attributes",
    "System Queue Time",
    "Tasks Allocated",
    "Required Tasks Per Node",
    "QOS",
    "JobFlags",
    "Account Name",
    "Executable",
    "Comment",
    "Bypass Count",
    "ProcSeconds Utilized",
    "Partition Name",
    "Dedicated Processors per Task",
    "Dedicated Memory per Task",
    "Dedicated Disk per Task",
    "Dedicated Swap per Task",
    "Start Date",
    "End Date",
    "Allocated Host List",
    "Resource Manager Name",
    "Required Host Mask",
    "Reservation",
    "Set Description",
    "Application Simulator Data",
    "RESERVED FIELD 1",
};

/// Marks a last field (unused by most traces) that holds the name that the user gave the job.
inline constexpr std::string_view kTitleMark = "NAME=";
/// In the last field, before a title: how long the run was suspended, "SUSPENDTIME=60;".
inline constexpr std::string_view kSuspendedMark = "SUSPENDTIME=";

/// In the last field, before that: when the job was submitted, as its resource manager reports it,
/// "SUBMITTED=1795905055;", if the record has another date since the clock was set back.
inline constexpr std::string_view kReportedMark = "SUBMITTED=";

/// In the last field, between these: when the run began, as its resource manager reports it,
/// "STARTED=1795905055;", if the record has another date.
inline constexpr std::string_view kReportedStartMark = "STARTED=";

/// In the last field, after that: when the run began by the steady clock (RunSpan),
/// "BEGAN=1795905055;", if it has another date or its resource manager reports another.
inline constexpr std::string_view kBeganMark = "BEGAN=";

/// In the last field, after that: by how much the clock was set forward during the run,
/// "CLOCKSET=3600;", which counts as suspended.
inline constexpr std::string_view kClockSetMark = "CLOCKSET=";

/// Returns the position of the named field in a record, counted from 0.
consteval std::size_t workload_field(std::string_view name) {
  std::size_t i = 0;
  while (kWorkloadFields.at(i) != name) ++i;
  return i;
}

}  // namespace maui
