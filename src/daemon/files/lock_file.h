// One scheduler per home directory, and per checkpoint: the directory itself is locked, and a file
// in it holds the process ID, so that deleting files cannot let a second scheduler start.  Where a
// lease decides who schedules (daemon/lease), this excludes only schedulers that use no lease.
#pragma once
#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

#include "maui/result.h"

namespace maui {

/// Holds the lock during its lifetime, and removes the file at the end.  The kernel releases the
/// lock however the process ends.
class LockFile {
 public:
  /// Fails, and names the process, if another scheduler holds the lock.  A lock by a user who may
  /// only read the directory does not count (see lock_holders.h); who cannot be determined counts.
  enum class With { nobody, holders_of_leases };
  static Result<LockFile> take(const std::string& path, With with = With::nobody);

  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&&) = delete;
  ~LockFile();

  /// Also keeps schedulers of other home directories from this checkpoint, whose directory must
  /// exist, instead of the one before.  Fails, changes nothing, and names the process if one of
  /// them on this host uses it.
  Status cover_checkpoint(const std::string& path);
  /// True if the path leads to another directory than the one that is locked.
  bool home_replaced() const;
  /// Names the stranger who has the directory's lock; empty: nobody has.
  const std::string& stranger() const { return stranger_; }
  /// Locks the directory once the stranger has left it, and makes the file again if it is missing.
  /// Returns lines for the log.
  std::vector<std::string> look_after();
  /// Returns the descriptors that a process keeps when it begins anew: take() finds them again, so
  /// that no other scheduler can come between.
  std::vector<int> descriptors() const { return {directory_, descriptor_, mark_}; }

 private:
  LockFile(std::string path, int kind) : kind_(kind), path_(std::move(path)) {}
  Status open_directory();
  void adopt(const struct stat& home);
  Status lock_directory();
  Status check_holders();
  std::string mark_name() const;
  std::vector<std::string> other_marks() const;
  enum class Taken { yes, held, not_opened, replaced };
  Taken try_file();
  Status take_file();
  Status make_mark();
  Status write_process_id() const;
  bool in_place() const;
  Error already_running() const;

  int kind_;  // of the locks: LOCK_EX or LOCK_SH
  int directory_ = -1, descriptor_ = -1, mark_ = -1, checkpoint_mark_ = -1;
  struct stat home_ {};
  std::string path_, stranger_;
};

}  // namespace maui
