// One scheduler a home directory: the directory itself is locked, and a file in it that holds the
// process's number.  So no second one comes up whatever files were deleted.  Where a lease says who
// schedules (daemon/lease), this keeps out only those who know of none.
#pragma once
#include <string>
#include <utility>

#include "maui/result.h"

namespace maui {

/// Holds the lock as long as it lives, and removes the file in the end.  The kernel lets go of the
/// lock however the process ends.
class LockFile {
 public:
  /// Fails if another process holds it, and says which.  Who may only read the directory can lock
  /// it, too: that of a user who is neither root nor the one who runs this does not count.
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
