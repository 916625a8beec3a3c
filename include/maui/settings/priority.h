// Weights and caps of job priority (guide 5.1.2, 5.1.3).
#pragma once
#include "maui/units.h"

namespace maui {

/// A weight and a cap on the value that it multiplies (guide 5.1.3); cap 0: none.
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
  Seconds xfactor_min_limit{-1};  // XFMINWCLIMIT; negative: none
  bool allow_negative = false;    // ENABLENEGJOBPRIORITY
  friend bool operator==(const PrioritySettings&, const PrioritySettings&) = default;
};

}  // namespace maui
