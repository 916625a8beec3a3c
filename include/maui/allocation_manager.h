// The engine's view of an allocation manager (guide 6.4): an account is asked before a job
// starts, and debited when it has ended.
//
// Calls are asynchronous: each returns at once and reports through its
// callback, exactly once, from the same thread, perhaps before it returns.
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
  reserve,  // a lien on the account: the most that the job may come to cost
  debit,    // what it did cost is taken, and its lien is lifted
  release,  // its lien is lifted, and nothing is taken
};

/// One run of a job, or what a reservation left idle.  Sent again after a failure, a request is the
/// same in every member: `job` and `start` tell one run from another.  After the scheduler was
/// killed one may be sent again: times that overlap are then of one run.
struct AllocationRequest {
  AllocationDeed deed = AllocationDeed::reserve;
  Time when{0};
  std::string job;                                   // or the name of a reservation
  std::string user, group, account, job_class, qos;  // empty: none
  Time start{0};
  int procs = 0;
  Seconds duration{0};  // of wallclock time: the limit, or the time that it ran
  double amount = 0;    // seconds of processors, of CPU or of processor equivalents
  std::vector<std::pair<std::string, int>> node_types;  // NODETYPE and number of nodes
  friend bool operator==(const AllocationRequest&, const AllocationRequest&) = default;
};

enum class AllocationVerdict : std::uint8_t {
  granted,
  refused,  // the account has not got so much, or is not known
  failed,   // no answer, or none that makes sense
};
struct AllocationAnswer {
  AllocationVerdict verdict = AllocationVerdict::granted;
  std::string why;  // where it is not granted
};

class AllocationManager {
 public:
  using Answer = std::function<void(const AllocationAnswer&)>;

  virtual ~AllocationManager() = default;
  virtual void ask(const AllocationRequest& request, Answer done) = 0;
  /// Answers are still to come.
  virtual bool busy() const = 0;
  /// Makes what was granted survive a loss of power: a checkpoint written after this does not
  /// repeat it.
  virtual Status save() { return Done{}; }
};

}  // namespace maui
