// The flags that are in force for a job: its own, and those that its QOS, class, account, group,
// user and the system give it (guide 7.3.2.2).  Some only these can give: NOBF, NORESERVATION,
// RESERVEALWAYS, RESTARTPREEMPT, USERESERVED, SPAN and IGNSRMAXTIME; a job itself has those that
// guide 13.3, 16.3 (field 25) and appendix F list.
//
// Everybody who acts on a flag asks here.  Made once a cycle; asking costs a look into five tables
// by id, and nothing where no credential gives any flag.
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
  JobFlags() = default;  // no credential gives any
  friend bool operator==(const JobFlags&, const JobFlags&) = default;

  /// Bits of JobFlag.
  std::uint16_t of(const Job& job) const { return of(job.flags, job.credentials); }
  std::uint16_t of(std::uint16_t own, const Credentials& who) const;
  /// The same of an active job.
  std::uint16_t of(const Cluster& cluster, const Active& row) const;
  bool has(const Job& job, JobFlag flag) const { return maui::has(of(job), flag); }
  /// A credential gives this flag.
  bool given(JobFlag flag) const { return maui::has(given_, flag); }
  /// Some job may have this flag: a credential gives it, or jobs themselves have it.
  bool possible(JobFlag flag) const;

  /// USERESERVED, ADVRES: the job may use nothing but reservations that admit it.
  bool confined(const Job& job) const;
  /// The only reservation that a confined job may use; empty: any that admits it.  What the job
  /// asks for goes before what its QOS says.
  std::string_view required_reservation(const Job& job) const;

 private:
  template <class IdType>
  void read(const CredentialTable& table, const Names<IdType>& names,
            std::vector<std::uint16_t>& bits);

  std::uint16_t system_ = 0, given_ = 0;
  std::vector<std::uint16_t> users_, groups_, accounts_, classes_, qos_;  // by id; empty: none
  std::vector<std::string> reserved_;  // by QOS: the name behind USERESERVED
};

/// Those that a job itself can have, of these bits of JobFlag.
std::uint16_t own_flags(std::uint16_t flags);

/// The bits of FLAGS words; those that lift limits (IGNUSER, ...) have none.
std::uint16_t job_flag_bits(const std::vector<std::string>& words);

}  // namespace maui
