// Tells whether two files are the same, whatever their names.
#pragma once
#include <sys/stat.h>

#include <string>

namespace maui {

inline bool same_file(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/// True if the open file is the one at `path`: it has been neither moved away nor deleted.
inline bool is_at(int file, const std::string& path) {
  struct stat here {};
  struct stat there {};
  return ::fstat(file, &here) == 0 && ::lstat(path.c_str(), &there) == 0 && same_file(here, there);
}

}  // namespace maui
