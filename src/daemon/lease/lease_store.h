// The lease decides which of several schedulers for one home directory schedules.
//
// Each scheduler that takes the lease gets a generation, one above the previous.  The holder keeps
// renewing its record, and a standby watches that record.  No clocks are compared: the standby
// measures with its own clock how long the record has not changed, the holder with its own how long
// ago its last renewal began.
//
// A LeaseStore decides where the records are, for example in a file on a shared disk.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "maui/result.h"

namespace maui {

struct LeaseRecord {
  std::int64_t generation = 0;
  std::string host;          // of the holder
  std::int64_t process = 0;  // the holder's process ID on its host
  std::string boot;          // boot_id() of the holder's machine
  std::int64_t renewals = 0;
  std::chrono::milliseconds time{0};  // LEASETIME of its holder
  bool released = false;              // the holder ended in good order
  std::string renewed_at;             // by the holder's clock, for people only
  friend bool operator==(const LeaseRecord&, const LeaseRecord&) = default;
};

/// The newest record as it was read.
struct LeaseSeen {
  std::int64_t generation = 0;
  std::string text;                   // any change is a sign of life
  std::optional<LeaseRecord> record;  // none: the text is damaged or not written yet
  friend bool operator==(const LeaseSeen&, const LeaseSeen&) = default;
};

/// The result of a renewal.
enum class Renewal {
  done,       // the lease is held from the time before the renewal on
  contested,  // another may be taking the lease, perhaps in vain: not renewed
  lost        // another holds the lease
};

class LeaseStore {
 public:
  virtual ~LeaseStore() = default;
  /// Returns an error if nobody has prepared this place for a lease: it may be the wrong place.
  virtual Status prepared() const = 0;
  /// Returns the newest record; none: there has never been a record.
  virtual Result<std::optional<LeaseSeen>> look() = 0;
  /// Takes the lease with `mine`, whose generation is above that of `seen`.  Returns false if
  /// another scheduler is taking the lease, or the record has changed since `seen`.
  virtual Result<bool> take(const std::optional<LeaseSeen>& seen, const LeaseRecord& mine) = 0;
  /// Writes the record of the lease that was taken, and checks whether it is still the newest.
  virtual Result<Renewal> renew(const LeaseRecord& mine) = 0;
  /// Returns an error if the lease cannot be taken here because its place is not writable.
  virtual Status writable() const = 0;
  /// True if it is certain that the holder's process has ended.
  virtual bool holder_is_gone(const LeaseRecord& record) = 0;
};

/// Converts a record to its line, which is different for different records, and back.
std::string lease_text(const LeaseRecord& record);
Result<LeaseRecord> parse_lease(const std::string& text);

}  // namespace maui
