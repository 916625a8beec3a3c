// The flags in force for a job: its own, and those that its QOS, class, account, group, user and
// the system give it (guide 7.3.2.2).  Only credentials and the system can give NOBF,
// NORESERVATION, RESERVEALWAYS, RESTARTPREEMPT, USERESERVED, SPAN and IGNSRMAXTIME; a job itself
// can have the flags that guide 13.3, 16.3 (field 25) and appendix F list.
//
// All code that acts on a flag uses this class.  It is made once a cycle; a query costs five table
// look-ups by id, and nothing where no credential gives any flag.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

class JobFlags {
 public:
  JobFlags(const Cluster& cluster, const Settings& settings);
  JobFlags() = default;  // no credential gives any flag
  friend bool operator==(const JobFlags&, const JobFlags&) = default;

  /// Returns bits of JobFlag.
  std::uint16_t of(const Job& job) const { return of(job.flags, job.credentials); }
  std::uint16_t of(std::uint16_t own, const Credentials& who) const;
  /// Returns the flags of an active job.
  std::uint16_t of(const Cluster& cluster, const Active& row) const;
  bool has(const Job& job, JobFlag flag) const { return maui::has(of(job), flag); }
  /// True if some credential gives this flag.
  bool given(JobFlag flag) const { return maui::has(given_, flag); }
  /// True if some job may have this flag: a credential gives it, or jobs themselves have it.
  bool possible(JobFlag flag) const;

  /// True if the job may use only reservations that admit it (USERESERVED, ADVRES).
  bool confined(const Job& job) const;
  /// Returns the only reservation that a confined job may use; empty: any that admits it.  The
  /// job's own request takes precedence over its QOS, then its class, account, group and user.
  std::string_view required_reservation(const Job& job) const;

 private:
  /// The flags that the credentials of one kind give their jobs, by id; empty: none.
  struct Given {
    std::vector<std::uint16_t> bits;
    std::vector<std::string> reserved;  // the names given with USERESERVED
    friend bool operator==(const Given&, const Given&) = default;
  };
  template <class IdType>
  void read(const CredentialTable& table, const Names<IdType>& names, Given& given);

  std::uint16_t system_ = 0, given_ = 0;
  Given users_, groups_, accounts_, classes_, qos_;
  std::string system_reserved_;
};

/// True if some waiting job may preempt others by its flags or by BACKFILLPOLICY PREEMPT.
bool some_may_preempt(const Cluster& cluster, const Settings& settings, const JobFlags& flags);

/// Returns those of these JobFlag bits that a job itself can have.
std::uint16_t own_flags(std::uint16_t flags);

/// Returns the bits of FLAGS words; words that lift limits (IGNUSER, ...) have none.
std::uint16_t job_flag_bits(const std::vector<std::string>& words);

}  // namespace maui
