// The job attributes to request; all others, mainly the environment, would make the reports ten
// times as long.
#pragma once
#include <array>
#include <string_view>

namespace maui::pbs {

/// Only TORQUE 6 and later versions know the last one; others may refuse a request that names it.
inline constexpr std::array<std::string_view, 30> kWantedOfTorque{"Job_Name",
                                                                  "Job_Owner",
                                                                  "resources_used",
                                                                  "job_state",
                                                                  "queue",
                                                                  "Account_Name",
                                                                  "ctime",
                                                                  "depend",
                                                                  "exec_host",
                                                                  "Hold_Types",
                                                                  "mtime",
                                                                  "qtime",
                                                                  "Rerunable",
                                                                  "Resource_List",
                                                                  "substate",
                                                                  "euser",
                                                                  "egroup",
                                                                  "group_list",
                                                                  "queue_type",
                                                                  "etime",
                                                                  "exit_status",
                                                                  "Execution_Time",
                                                                  "x",
                                                                  "start_time",
                                                                  "comp_time",
                                                                  "node_exclusive",
                                                                  "interactive",
                                                                  "job_array_id",
                                                                  "start_count",
                                                                  "req_information"};
inline constexpr std::array<std::string_view, 29> kWantedOfOpenPbs{
    "Job_Name",   "Job_Owner",    "resources_used",  "job_state",
    "queue",      "Account_Name", "ctime",           "depend",
    "exec_host",  "exec_vnode",   "Hold_Types",      "mtime",
    "qtime",      "Rerunable",    "Resource_List",   "schedselect",
    "stime",      "substate",     "euser",           "egroup",
    "group_list", "queue_type",   "etime",           "Execution_Time",
    "array",      "array_id",     "max_run_subjobs", "array_indices_remaining",
    "Exit_status"};

}  // namespace maui::pbs
