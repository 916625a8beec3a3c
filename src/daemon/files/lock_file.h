// One scheduler per home directory: the directory itself is locked, and a file in it holds the
// process ID, so that deleting files cannot let a second scheduler start.  Where a lease decides
// who schedules (daemon/lease), this excludes only schedulers that use no lease.
#pragma once
#include <string>
#include <utility>

#include "maui/result.h"

namespace maui {

/// Holds the lock during its lifetime, and removes the file at the end.  The kernel releases the
/// lock however the process ends.
class LockFile {
 public:
  /// Fails, and names the process, if another holds the lock.  A lock by a user who may only read
  /// the directory does not count if the kernel names the holder, unless that is root or the user
  /// who runs this process.
  enum class With { nobody, holders_of_leases };
  static Result<LockFile> take(const std::string& path, With with = With::nobody);

  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&&) = delete;
  ~LockFile();

 private:
  LockFile(int directory, int descriptor, std::string path)
      : directory_(directory), descriptor_(descriptor), path_(std::move(path)) {}
  bool in_place() const;
  int directory_, descriptor_;
  std::string path_;
};

}  // namespace maui
