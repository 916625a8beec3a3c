// The lease: which scheduler, of all that could be for one home directory, is the one.
//
// Each that takes it has a generation, one more than the one before.  It renews its record of it
// all the time; who stands by watches that record.  No two clocks are compared: the standby counts
// by its own how long the record has not changed, the holder by its own how long ago it began to
// renew it.
//
// Where the records are is the business of a LeaseStore: a file on a disk that all mount is one.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "maui/result.h"

namespace maui {

struct LeaseRecord {
  std::int64_t generation = 0;
  std::string host;          // of its holder
  std::int64_t process = 0;  // its number there
  std::string boot;          // the run of that machine
  std::int64_t renewals = 0;
  std::chrono::milliseconds time{0};  // LEASETIME of its holder
  bool released = false;              // it was ended in good order
  std::string renewed_at;             // by the holder's clock, for people alone
  friend bool operator==(const LeaseRecord&, const LeaseRecord&) = default;
};

/// The newest record, as it was found.
struct LeaseSeen {
  std::int64_t generation = 0;
  std::string text;                   // any change of it is a sign of life
  std::optional<LeaseRecord> record;  // none: the text is damaged, or not written yet
  friend bool operator==(const LeaseSeen&, const LeaseSeen&) = default;
};

/// How a renewal has come out.
enum class Renewal {
  done,       // the lease is held from the moment before it on
  contested,  // somebody is about to take it, which may come to nothing: it counts for nothing
  lost        // somebody else has it
};

class LeaseStore {
 public:
  virtual ~LeaseStore() = default;
  /// An error if nobody has made this a place of leases: it may be another one than it should.
  virtual Status prepared() const = 0;
  /// The newest record; none: there has never been one.
  virtual Result<std::optional<LeaseSeen>> look() = 0;
  /// Takes the lease with `mine`, whose generation is above that of `seen`.  False: somebody else
  /// is there, or the record has changed since.
  virtual Result<bool> take(const std::optional<LeaseSeen>& seen, const LeaseRecord& mine) = 0;
  /// Writes the record of the lease that was taken, and looks whether it is the newest still.
  virtual Result<Renewal> renew(const LeaseRecord& mine) = 0;
  /// An error if it could not be taken here: its place cannot be written to.
  virtual Status writable() const = 0;
  /// The process that holds it has ended for certain.
  virtual bool holder_is_gone(const LeaseRecord& record) = 0;
};

/// The line of a record, which no two differing records share, and the record of a line.
std::string lease_text(const LeaseRecord& record);
Result<LeaseRecord> parse_lease(const std::string& text);

/// The run of this machine.
std::string boot_id();

}  // namespace maui
