// The lease in a file of the home directory, on a disk that all hosts mount.
//
// Generation N has the Nth line of 512 bytes, and nobody else ever writes there: what a holder that
// was held up writes late harms nobody.  Who has a generation holds a lock on its line (an open
// file description's, which NFSv4 and cluster file systems carry to the other hosts).  Who wants
// the next one locks the line behind it and then looks whether the newest record has changed; who
// renews his writes first and then looks whether a line behind his is locked or written.  So of the
// two at least one sees the other.
//
// The file itself is made once, by an administrator.  A directory without it is not the one that
// the hosts share, but what is there while that is not mounted.
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
  int file_ = -1;  // with the lock on our line
};

/// Returns the path of the lease of a home directory.
std::string lease_path(const std::string& home);

/// Makes the file of a lease that nobody has, which belongs to whom the home directory belongs.
/// False: it is there already.
Result<bool> create_lease(const std::string& home);

}  // namespace maui
