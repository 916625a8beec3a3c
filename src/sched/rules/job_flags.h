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
  /// job's own request takes precedence over its QOS.
  std::string_view required_reservation(const Job& job) const;

 private:
  template <class IdType>
  void read(const CredentialTable& table, const Names<IdType>& names,
            std::vector<std::uint16_t>& bits);

  std::uint16_t system_ = 0, given_ = 0;
  std::vector<std::uint16_t> users_, groups_, accounts_, classes_, qos_;  // by id; empty: none
  std::vector<std::string> reserved_;  // by QOS: the name given with USERESERVED
};

/// Returns those of these JobFlag bits that a job itself can have.
std::uint16_t own_flags(std::uint16_t flags);

/// Returns the bits of FLAGS words; words that lift limits (IGNUSER, ...) have none.
std::uint16_t job_flag_bits(const std::vector<std::string>& words);

}  // namespace maui
