// One scheduler a home directory: a locked file that holds the process's number.
#pragma once
#include <string>

#include "maui/result.h"

namespace maui {

/// Holds the lock as long as it lives; the kernel lets go of it however the process ends.
class LockFile {
 public:
  /// Fails if another process holds it, and says which.
  static Result<LockFile> take(const std::string& path);

  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&&) = delete;
  ~LockFile();

 private:
  explicit LockFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace maui
