// A limit that a job would exceed, and the words for it (guide 6.2).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "maui/cluster.h"
#include "sched/limits/limit_rules.h"

namespace maui {

enum class Strictness : std::uint8_t { off, soft, hard };

/// The tolerance when amounts are compared: sums of processor equivalents are not whole numbers.
inline constexpr double kLimitRounding = 1e-6;

/// A limit that a job would exceed.
struct Violation {
  LimitSubject subject;
  LimitKind kind = LimitKind::job;
  bool idle = false;
  bool single_job = false;  // SYSTEMMAX*
  Strictness level = Strictness::hard;
  double limit = 0, asked = 0, used = 0;
  double unconfirmed = 0;  // the part of `used` that is of Cluster::unconfirmed_runs()
};
/// Returns "violates active HARD MAXPROC limit of 24 for group phys  (R: 16, U: 20)", and how much
/// of that is of unconfirmed runs.
std::string describe(const Cluster& names, const Violation& violation);
std::string_view limit_name(LimitKind kind);  // "JOB", "PROC"

}  // namespace maui
