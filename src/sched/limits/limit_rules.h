// The throttling limits that apply to the jobs of one set of credentials (guide 6.2).
//
// For each kind of limit, the first of these entries counts: the credential's own, that of
// DEFAULT, MAX*PER<CREDENTIAL>.  An OMAX* of the job's QOS replaces the limits of other
// credentials, single or in a pair; it adds no limit where they have none and leaves the limits
// of the QOS itself and of the system alone.  IGN* flags of any of the job's credentials lift
// limits (guide 7.3.2.3).
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "maui/credential_kind.h"
#include "maui/settings.h"

namespace maui {

/// The subject of a limit: jobs that are counted together, which are the jobs of a credential, of
/// two credentials (MAXJOB[USER] of a class), of a partition, or all jobs.
struct LimitSubject {
  std::optional<CredentialKind> of;  // none: the system
  std::uint32_t number = kNoCredential;
  std::optional<CredentialKind> within;  // "of user amy within class batch"
  std::uint32_t within_number = kNoCredential;
  PartitionId partition = {};  // "of user amy in partition math"; invalid: any partition
  friend auto operator<=>(const LimitSubject&, const LimitSubject&) = default;
};

struct LimitRule {
  std::size_t subject = 0;  // index into LimitRules::subjects()
  LimitKind kind = LimitKind::job;
  Limit limit;  // soft and hard; 0: none
};

/// The limits that flags lift.
struct Exemptions {
  using Kinds = std::uint8_t;  // one bit for each LimitKind
  ByKind<Kinds> active, idle;
  bool system = false;                                       // SYSCFG
  bool job_procs = false, job_time = false, job_ps = false;  // SYSTEMMAX*

  Exemptions& operator|=(const Exemptions& other);
};

class LimitRules {
 public:
  /// Both must outlive the rules.  Requires that the limits and flags in the settings stay as they
  /// are, and that no name is given up.
  LimitRules(const Cluster& cluster, const Settings& settings);

  /// True if some limit that counts the use of several jobs is configured.
  static bool any(const Cluster& cluster, const Settings& settings);
  bool any() const { return any_; }
  /// The facts on which the configured limits depend; all false or empty where there are none.
  struct Matter {
    bool soft = false;         // some soft limit of active jobs is stricter than the hard one
    bool equivalents = false;  // some limit counts processor equivalents
    bool nodes = false;        // some limit counts nodes
    bool time = false;         // some limit counts seconds or processor-seconds
    std::vector<LimitKind> idle_kinds;  // the kinds of limits of idle jobs

    bool idle() const { return !idle_kinds.empty(); }  // some limit is of idle jobs
  };
  const Matter& matter() const { return matter_; }

  struct Scope {
    std::vector<std::size_t> subjects;    // the subjects that count these jobs
    std::vector<LimitRule> active, idle;  // in the order of evaluation
    Exemptions exempt;
  };
  /// Returns the number of the job's scope; jobs with equal credentials in the same partition share
  /// a scope.  The partition is that of `placement` or of an active job's nodes, else the only one
  /// that the job may use.  Jobs that span partitions belong to none.
  std::size_t number_of(const Job& job, const Placement* placement = nullptr);
  /// Returns the scope of jobs with these credentials that may only use this partition.
  std::size_t number_in(const Credentials& who, PartitionId partition);
  /// Returns the scope of a waiting job with these credentials; requires !partitions_matter().
  std::size_t number_of(CredentialsId who) {
    const bool known = who.index() < scope_of_credentials_.size() &&
                       scope_of_credentials_[who.index()] != kNoScope;
    return known ? scope_of_credentials_[who.index()] : find_number(who);
  }
  /// True if some partition has limits of its own.
  bool partitions_matter() const { return !of_partitions_.empty(); }
  /// True if the partition has limits of its own.
  bool limits(PartitionId partition) const {
    return partition.index() < of_partitions_.size() && of_partitions_[partition.index()];
  }
  const Scope& scope(std::size_t number) const { return *scopes_[number]; }
  std::size_t scopes() const { return scopes_.size(); }
  const std::vector<LimitSubject>& subjects() const { return subjects_; }
  /// Returns, by subject and kind, the lowest limits of active jobs in any scope; 0: none.
  using SubjectLimits = std::array<Limit, kLimitKinds>;
  const std::vector<SubjectLimits>& lowest_limits() const { return lowest_limits_; }

 private:
  using PartitionLimits = std::map<std::string, CredentialLimits, std::less<>>;
  /// The entries for one credential, most specific first: its own, then that of DEFAULT.
  using Entries = std::array<const CredentialSettings*, 2>;

  /// The share of a credential in the scopes of its jobs, whatever their other credentials are.
  struct Share {
    Entries entries{};
    Exemptions exempt;                                      // by the flags of the first entry
    std::vector<std::pair<LimitKind, Limit>> active, idle;  // before exemptions and OMAX*
  };

  Entries entries(CredentialKind kind, std::uint32_t number) const;
  /// Requires that there is such a credential; valid until the next call.
  const Share& share_of(CredentialKind kind, std::uint32_t number);
  Share make_share(CredentialKind kind, std::uint32_t number) const;
  std::size_t find_number(CredentialsId who);
  Scope make(const Credentials& who, PartitionId partition);
  void note_lowest(const Scope& scope);
  PartitionId partition_of(const Job& job, const Placement* placement) const;
  void add_own(Scope& scope, CredentialKind kind, std::uint32_t number, const Entries& qos);
  void add_own_pairs(Scope& scope, const Credentials& who, CredentialKind kind,
                     std::uint32_t number, const Entries& qos);
  void add_pair(Scope& scope, const LimitSubject& pair, const CrossLimit& cross,
                const Entries& qos);
  void add_pairs(Scope& scope, const Credentials& who, const LimitSubject& within,
                 const std::vector<const CredentialLimits*>& from, const Entries& qos);
  void add_partition(Scope& scope, const Credentials& who, PartitionId partition,
                     const Entries& qos);
  void add_system(Scope& scope, const Credentials& who, const Entries& qos);
  std::size_t subject_number(const LimitSubject& subject);
  std::size_t subject_number(CredentialKind kind, std::uint32_t number);

  static std::vector<const CredentialLimits*> by_number(const Cluster& cluster,
                                                        const PartitionLimits& partitions);

  const Cluster& cluster_;
  const Settings& settings_;
  const bool any_;
  Matter matter_;
  Exemptions of_system_;                                // by the flags of SYSCFG
  ByKind<const CredentialSettings*> fallback_;          // the entries of DEFAULT
  ByKind<std::vector<std::optional<Share>>> shares_;    // by number of the credential
  std::vector<const CredentialLimits*> of_partitions_;  // by number; empty: no partition has limits
  std::vector<LimitSubject> subjects_;
  std::vector<SubjectLimits> lowest_limits_;
  ByKind<std::vector<std::size_t>> credential_subjects_;  // by number of the credential
  std::map<LimitSubject, std::size_t> subject_numbers_;
  std::vector<std::unique_ptr<const Scope>> scopes_;
  struct Hash {
    std::size_t operator()(const std::pair<Credentials, PartitionId>& key) const noexcept;
  };
  static constexpr std::size_t kNoScope = ~std::size_t{0};
  std::vector<std::size_t> scope_of_credentials_;  // by CredentialsId
  std::unordered_map<std::pair<Credentials, PartitionId>, std::size_t, Hash> scope_numbers_;
};

/// Returns the limits that these FLAGS lift.
Exemptions exemptions_of(const std::vector<std::string>& flags);

}  // namespace maui
