// Limits on what credentials may use and have waiting at once (guide 6.2), on what a single job may
// ask for, and when queue time accrues (guide 5.1.2.4.1, appendix F).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/credential_kind.h"
#include "maui/units.h"

namespace maui {

/// The amount that is limited: the letters behind MAX.  Seconds for ps and wc, megabytes for mem.
enum class LimitKind : std::uint8_t { job, proc, ps, pe, wc, node, mem };
inline constexpr std::size_t kLimitKinds = 7;
constexpr std::size_t index_of(LimitKind kind) { return static_cast<std::size_t>(kind); }

/// [SOFT,]HARD.  0: none; a credential's own 0 lifts the limit that DEFAULT sets.
struct Limit {
  std::int64_t soft = 0, hard = 0;
  friend bool operator==(const Limit&, const Limit&) = default;
};
/// By LimitKind; nothing where nothing is said.
using LimitSet = std::array<std::optional<Limit>, kLimitKinds>;

/// MAXJOB[USER:amy]=3: of the credential's jobs, those of one further credential (guide 6.2.1.2).
struct CrossLimit {
  LimitKind kind = LimitKind::job;
  bool idle = false;
  CredentialKind of = CredentialKind::user;
  std::string name;  // empty: any, each for itself
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
  full_policy,   // while it may be considered and passes no limit of active jobs
  queue_policy,  // while it may be considered
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

  /// USESYSTEMQUEUETIME ON is the older way to ask for FULLPOLICY.
  QueueTimeAccrual accrual_policy() const {
    return use_system_queue_time && accrual == QueueTimeAccrual::queue_policy
               ? QueueTimeAccrual::full_policy
               : accrual;
  }
  friend bool operator==(const ThrottlingSettings&, const ThrottlingSettings&) = default;
};

}  // namespace maui
