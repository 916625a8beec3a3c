#pragma once
#include <sys/resource.h>

#include <csignal>
#include <cstdint>

namespace maui {

/// During its life, files do not grow beyond `size`, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(std::uintmax_t size) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit full{size, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

}  // namespace maui
