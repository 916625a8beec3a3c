// One scheduler a home directory: a locked file that holds the process's number.
#pragma once
#include <string>
#include <utility>

#include "maui/result.h"

namespace maui {

/// Holds the lock as long as it lives, and removes the file in the end.  The kernel lets go of the
/// lock however the process ends.
class LockFile {
 public:
  /// Fails if another process holds it, and says which.
  static Result<LockFile> take(const std::string& path);

  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&&) = delete;
  ~LockFile();

 private:
  LockFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  bool in_place() const;
  int descriptor_;
  std::string path_;
};

}  // namespace maui
