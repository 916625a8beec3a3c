// Weights and caps of job priority (guide 5.1.2, 5.1.3).
#pragma once
#include <map>
#include <string>
#include <vector>

#include "maui/units.h"

namespace maui {

/// A weight, and a cap on the value that it multiplies (guide 5.1.3); cap 0: none.
struct Weighting {
  double weight = 0;
  double cap = 0;
  friend bool operator==(const Weighting&, const Weighting&) = default;
};

/// Components and subcomponents of priority (guide 5.1.2).
struct PrioritySettings {
  Weighting cred{1}, fairshare{1}, resource{1}, service{1}, target{1}, usage{1};  // *WEIGHT, *CAP
  Weighting user, group, account, qos, job_class;                                 // CRED
  Weighting node, proc, memory, swap, disk, ps, pe, wall_time;                    // RES
  Weighting queue_time{1}, xfactor, bypass;                                       // SERV
  Weighting fs_user, fs_group, fs_account, fs_qos, fs_class;                      // FS
  Weighting target_queue_time, target_xfactor;                                    // TARGET
  Weighting usage_consumed, usage_remaining, usage_percent;                       // USAGE
  Weighting local{1}, local_priority{1};                                          // LOCAL
  Seconds xfactor_min_limit{-1};  // XFMINWCLIMIT; negative: none
  bool allow_negative = false;    // ENABLENEGJOBPRIORITY
  bool reject_negative = false;   // REJECTNEGPRIOJOBS
  friend bool operator==(const PrioritySettings&, const PrioritySettings&) = default;
};

/// A partition's own weight or cap, such as RESWEIGHT[batch] (appendix F).
struct PartitionWeight {
  Weighting PrioritySettings::*of = nullptr;
  double Weighting::*part = nullptr;
  double value = 0;
  friend bool operator==(const PartitionWeight&, const PartitionWeight&) = default;
};
/// By partition name.
using PartitionWeights = std::map<std::string, std::vector<PartitionWeight>, std::less<>>;

}  // namespace maui
