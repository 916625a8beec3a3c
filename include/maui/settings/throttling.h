// Limits on the active and the waiting jobs of credentials (guide 6.2), limits on a single job's
// request, and the accrual of queue time (guide 5.1.2.4.1, appendix F).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/credential_kind.h"
#include "maui/units.h"

namespace maui {

/// The limited amount: the letters after MAX.  Seconds for ps and wc, megabytes for mem.
enum class LimitKind : std::uint8_t { job, proc, ps, pe, wc, node, mem };
inline constexpr std::size_t kLimitKinds = 7;
constexpr std::size_t index_of(LimitKind kind) { return static_cast<std::size_t>(kind); }

/// [SOFT,]HARD.  0: no limit; a credential's own 0 overrides the limit of DEFAULT.
struct Limit {
  std::int64_t soft = 0, hard = 0;
  friend bool operator==(const Limit&, const Limit&) = default;
};
/// By LimitKind; nullopt: not set.
using LimitSet = std::array<std::optional<Limit>, kLimitKinds>;

/// MAXJOB[USER:amy]=3: limits those of a credential's jobs that user amy owns (guide 6.2.1.2).
struct CrossLimit {
  LimitKind kind = LimitKind::job;
  bool idle = false;
  CredentialKind of = CredentialKind::user;
  std::string name;  // empty: each credential of that kind separately
  Limit limit;
  friend bool operator==(const CrossLimit&, const CrossLimit&) = default;
};

struct CredentialLimits {
  LimitSet active, idle;                    // MAX*, MAXI*
  LimitSet override_active, override_idle;  // OMAX*, OMAXI* (QOS; guide 6.2.2)
  std::vector<CrossLimit> cross;
  friend bool operator==(const CredentialLimits&, const CredentialLimits&) = default;
};

/// When a waiting job's effective queue time grows (JOBPRIOACCRUALPOLICY).
enum class QueueTimeAccrual : std::uint8_t {
  always,
  full_policy,   // while the job is eligible and within all limits of active jobs
  queue_policy,  // while the job is eligible
};

struct ThrottlingSettings {
  using Each = ByKind<std::array<Limit, kLimitKinds>>;
  Each each_active;                        // MAX*PERUSER, MAX*PERGROUP, ...
  Each each_idle;                          // MAX*QUEUEDPERUSER, ...
  std::int64_t max_job_procs = -1;         // SYSTEMMAXPROCJOB; negative: none
  std::int64_t max_job_proc_seconds = -1;  // SYSTEMMAXPROCSECONDPERJOB; negative: none
  Seconds max_job_wall_time{-1};           // SYSTEMMAXJOBWALLTIME; negative: none
  QueueTimeAccrual accrual = QueueTimeAccrual::queue_policy;  // JOBPRIOACCRUALPOLICY
  bool use_system_queue_time = false;                         // USESYSTEMQUEUETIME
  int chunk_size = 0;                                         // BFCHUNKSIZE, processors; 0: none
  Seconds chunk_duration{0};                                  // BFCHUNKDURATION

  /// The policy in effect; USESYSTEMQUEUETIME ON is the older way to request FULLPOLICY.
  QueueTimeAccrual accrual_policy() const {
    return use_system_queue_time && accrual == QueueTimeAccrual::queue_policy
               ? QueueTimeAccrual::full_policy
               : accrual;
  }
  friend bool operator==(const ThrottlingSettings&, const ThrottlingSettings&) = default;
};

}  // namespace maui
