// Which throttling limits bear on the jobs of one set of credentials (guide 6.2).
//
// A limit is looked for in this order, each kind of limit for itself: the credential's own entry,
// that of DEFAULT, MAX*PER<CREDENTIAL>.  An OMAX* of the job's QOS takes the place of the limits
// that other credentials have, alone or of a pair; it adds none where they have none, and does not
// touch those of the QOS itself and of the system.  IGN* flags of the QOS lift limits (guide
// 7.3.2.3).
//
// Rules are worth keeping from cycle to cycle: they have their own copy of what the settings say of
// limits, and know whether they hold for others.
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

/// A group of jobs that are counted together: those of a credential, of two (MAXJOB[USER] of a
/// class), those in a partition, or all.
struct LimitOwner {
  std::optional<CredentialKind> of;  // none: the system
  std::uint32_t number = kNoCredential;
  std::optional<CredentialKind> within;  // "of user amy within class batch"
  std::uint32_t within_number = kNoCredential;
  PartitionId partition = {};  // "of user amy in partition math"; invalid: wherever they are
  friend auto operator<=>(const LimitOwner&, const LimitOwner&) = default;
};

struct LimitRule {
  std::size_t owner = 0;  // index into LimitRules::owners()
  LimitKind kind = LimitKind::job;
  Limit limit;  // soft and hard; 0: none
};

/// The limits that a QOS lifts.
struct Exemptions {
  using Kinds = std::uint8_t;  // a bit a LimitKind
  ByKind<Kinds> active, idle;
  bool system = false;                                       // SYSCFG
  bool job_procs = false, job_time = false, job_ps = false;  // SYSTEMMAX*
};

class LimitRules {
 public:
  LimitRules(const Cluster& cluster, const Settings& settings);
  LimitRules(const LimitRules&) = delete;  // its parts refer to each other
  LimitRules& operator=(const LimitRules&) = delete;

  /// True if new ones would say the same of that cluster under those settings.
  bool hold_for(const Cluster& cluster, const Settings& settings) const;

  /// Some limit is configured that counts the use of several jobs.
  static bool any(const Cluster& cluster, const Settings& settings);
  bool any() const { return any_; }
  /// The effect of some limit; nothing where there are none.
  struct Matter {
    bool idle = false;         // it is one of idle jobs
    bool soft = false;         // of active jobs, stricter when soft
    bool equivalents = false;  // it counts processor equivalents
    bool nodes = false;        // it counts nodes
  };
  const Matter& matter() const { return matter_; }

  struct Scope {
    std::vector<std::size_t> owners;      // who counts these jobs
    std::vector<LimitRule> active, idle;  // in the order in which they are looked at
    Exemptions exempt;
  };
  /// The scope's number: equal credentials, in the same partition, have equal ones.  That of an
  /// active job is where it is, of another one the only one that it may use; with a placement, that
  /// of its nodes.  Jobs that span partitions are in none.
  std::size_t number_of(const Job& job, const Placement* placement = nullptr);
  /// The same of jobs with these credentials that may only be in this partition.
  std::size_t number_in(const Credentials& who, PartitionId partition);
  /// The same of a waiting job with these credentials, where no partition has limits of its own.
  std::size_t number_of(CredentialsId who) {
    const bool known = who.index() < scope_of_credentials_.size() &&
                       scope_of_credentials_[who.index()] != kNoScope;
    return known ? scope_of_credentials_[who.index()] : find_number(who);
  }
  /// Some partition has.
  bool partitions_matter() const { return !of_partitions_.empty(); }
  /// The partition has limits of its own.
  bool limits(PartitionId partition) const {
    return partition.index() < of_partitions_.size() && of_partitions_[partition.index()];
  }
  const Scope& scope(std::size_t number) const { return *scopes_[number]; }
  std::size_t scopes() const { return scopes_.size(); }
  const std::vector<LimitOwner>& owners() const { return owners_; }

 private:
  /// The limits that the settings of a credential set.
  struct Said {
    CredentialLimits limits;
    std::vector<std::string> flags;
  };
  using SaidTable = std::map<std::string, Said, std::less<>>;
  using PartitionLimits = std::map<std::string, CredentialLimits, std::less<>>;
  /// That of one credential, most specific first: its own entry, then that of DEFAULT.
  using Entries = std::array<const Said*, 2>;

  Entries entries(CredentialKind kind, std::uint32_t number) const;
  std::size_t find_number(CredentialsId who);
  Scope make(const Credentials& who, PartitionId partition);
  PartitionId partition_of(const Job& job, const Placement* placement) const;
  void add_own(Scope& scope, CredentialKind kind, std::uint32_t number, const Entries& qos);
  void add_pair(Scope& scope, const LimitOwner& pair, const CrossLimit& cross, const Entries& qos);
  void add_pairs(Scope& scope, const Credentials& who, const LimitOwner& within,
                 const std::vector<const CredentialLimits*>& from, const Entries& qos);
  void add_partition(Scope& scope, const Credentials& who, PartitionId partition,
                     const Entries& qos);
  void add_system(Scope& scope, const Credentials& who, const Entries& qos);
  std::size_t owner(const LimitOwner& owner);
  std::size_t owner(CredentialKind kind, std::uint32_t number);

  static std::vector<const CredentialLimits*> by_number(const Cluster& cluster,
                                                        const PartitionLimits& partitions);

  const Cluster& cluster_;
  const std::uint64_t names_;  // Cluster::names_given_up()
  ByKind<SaidTable> said_;
  const CredentialLimits system_;
  const PartitionLimits partitions_;
  const ThrottlingSettings::Each each_active_, each_idle_;
  bool any_ = false;
  Matter matter_;
  Exemptions::Kinds active_kinds_ = 0, idle_kinds_ = 0;  // of limits of single credentials
  ByKind<const Said*> fallback_;
  std::vector<const CredentialLimits*> of_partitions_;  // by number; empty: none has any
  std::vector<LimitOwner> owners_;
  ByKind<std::vector<std::size_t>> credential_owners_;  // by number of the credential
  std::map<LimitOwner, std::size_t> owner_numbers_;
  std::vector<std::unique_ptr<const Scope>> scopes_;
  struct Hash {
    std::size_t operator()(const std::pair<Credentials, PartitionId>& key) const noexcept;
  };
  static constexpr std::size_t kNoScope = ~std::size_t{0};
  std::vector<std::size_t> scope_of_credentials_;  // by CredentialsId
  std::unordered_map<std::pair<Credentials, PartitionId>, std::size_t, Hash> scope_numbers_;
};

/// The words of QOS FLAGS that lift limits.
Exemptions exemptions_of(const std::vector<std::string>& flags);

}  // namespace maui
