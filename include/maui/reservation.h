// An advance reservation: resources, a time frame and an access list (guide 7.1.1).
//
// Every active job has one; the highest-priority waiting jobs may; the others
// are administrative or standing.  A reservation keeps the resources that it
// lists from every job that its access list does not admit.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/job.h"
#include "maui/resources.h"
#include "maui/units.h"

namespace maui {

/// Who may use the resources.  A job is admitted if any list names one of its credentials.
struct AccessList {
  std::vector<UserId> users;
  std::vector<GroupId> groups;
  std::vector<AccountId> accounts;
  std::vector<ClassId> classes;
  std::vector<QosId> qos;
  bool admits(const Credentials& who) const;
  bool empty() const {
    return users.empty() && groups.empty() && accounts.empty() && classes.empty() && qos.empty();
  }
  friend bool operator==(const AccessList&, const AccessList&) = default;
};

enum class ReservationKind : std::uint8_t { job, administrative, standing };

struct Reservation {
  ReservationId id;
  std::uint64_t serial = 0;  // order of creation
  std::string name;
  ReservationKind kind = ReservationKind::administrative;
  JobId job;  // kind job: whose
  AccessList access;
  Time start{0};
  Time end = kForever;
  /// What one task takes; processors -1: every resource of the node (PROCS=-1).
  Resources per_task{-1};
  Placement nodes;  // for a job with several requirements, per_task is the request's
  std::string owner, charge_account, flags, host_expression;

  bool active_at(Time now) const { return start <= now && now < end; }
};

}  // namespace maui
