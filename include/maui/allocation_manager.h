// The engine's view of an allocation manager (guide 6.4): the engine asks for the account's
// consent before a job starts, and debits the account after the job has ended.
//
// Calls are asynchronous: each returns at once and reports through its
// callback, exactly once, from the same thread, possibly before it returns.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "maui/result.h"
#include "maui/units.h"

namespace maui {

enum class AllocationDeed : std::uint8_t {
  reserve,  // places a lien on the account for the most that the job can cost
  debit,    // charges the actual cost and lifts the job's lien
  release,  // lifts the job's lien without a charge
};

/// A request about one run of a job, or about the idle time of a reservation.  `manager`, `job` and
/// `began` identify the run (RunIdentity).  A request that is resent after a failure is unchanged.
/// After a crash the scheduler may resend a request: requests whose times overlap then belong to
/// the same run.
struct AllocationRequest {
  AllocationDeed deed = AllocationDeed::reserve;
  Time when{0};
  std::string job;                                   // name of the job or reservation
  std::string manager;                               // the job's resource manager; empty: unknown
  std::string user, group, account, job_class, qos;  // empty: none
  Time start{0};                                     // as its resource manager dates it
  Time began{0};                                     // by the steady clock
  int procs = 0;
  Seconds duration{0};  // wallclock: the limit, or the actual run time
  double amount = 0;    // processor, CPU or processor-equivalent seconds
  std::vector<std::pair<std::string, int>> node_types;  // NODETYPE and number of nodes
  friend bool operator==(const AllocationRequest&, const AllocationRequest&) = default;
};

enum class AllocationVerdict : std::uint8_t {
  granted,
  refused,  // unknown account, or insufficient balance
  failed,   // no answer, or an invalid one
};
struct AllocationAnswer {
  AllocationVerdict verdict = AllocationVerdict::granted;
  std::string why;  // reason, unless granted
};

class AllocationManager {
 public:
  using Answer = std::function<void(const AllocationAnswer&)>;

  virtual ~AllocationManager() = default;
  virtual void ask(const AllocationRequest& request, Answer done) = 0;
  /// True while answers are pending.
  virtual bool busy() const = 0;
  /// Makes all granted requests survive a power failure, so that a checkpoint written afterwards
  /// need not repeat them.
  virtual Status save() { return Done{}; }
};

}  // namespace maui
