// The lease in a file of the home directory, on a disk that all hosts mount.
//
// Line N (512 bytes) belongs to generation N, and no other generation writes there: a late write by
// a holder that was held up does no harm.  The holder of a generation locks its line (with an open
// file description lock, which NFSv4 and cluster file systems pass on to other hosts).  To take the
// next generation, a scheduler locks the following line, then checks whether the newest record has
// changed; to renew, the holder first writes, then checks whether a line after its own is locked or
// written.  So at least one of the two notices the other.
//
// An administrator creates the file once.  A directory without the file is not the shared one:
// probably it is the mount point of a disk that is not mounted.
#pragma once
#include <string>

#include "daemon/lease/lease_store.h"

namespace maui {

class LeaseFile final : public LeaseStore {
 public:
  explicit LeaseFile(std::string path) : path_(std::move(path)) {}
  ~LeaseFile() override;
  LeaseFile(const LeaseFile&) = delete;
  LeaseFile& operator=(const LeaseFile&) = delete;

  Status prepared() const override;
  Result<std::optional<LeaseSeen>> look() override;
  Result<bool> take(const std::optional<LeaseSeen>& seen, const LeaseRecord& mine) override;
  Result<Renewal> renew(const LeaseRecord& mine) override;
  Status writable() const override;
  bool holder_is_gone(const LeaseRecord& record) override;

 private:
  Status write(const LeaseRecord& mine);
  void release();

  std::string path_;
  int file_ = -1;  // holds the lock on our line
};

/// Returns the path of the lease of a home directory.
std::string lease_path(const std::string& home);

/// Creates the file of a lease that nobody holds yet, with the owner of the home directory.
/// Returns false if the file exists.
Result<bool> create_lease(const std::string& home);

}  // namespace maui
