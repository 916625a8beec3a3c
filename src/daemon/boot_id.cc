#include "daemon/boot_id.h"

#include <fstream>

namespace maui {

std::string boot_id() {
  static const std::string id = [] {
    std::string line;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), line);
    return line;
  }();
  return id;
}

}  // namespace maui
