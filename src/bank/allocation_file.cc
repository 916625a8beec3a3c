#include "bank/allocation_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "bank/allocation_lines.h"

namespace maui {

AllocationFile::AllocationFile(std::string path) : path_(std::move(path)) {}

void AllocationFile::ask(const AllocationRequest& request, Answer done) {
  if (write(allocation_line(request) + '\n')) return done({});
  const int error = errno;
  file_.reset();  // the next line opens it anew
  done({AllocationVerdict::failed,
        fmt::format("cannot write to '{}': {}", path_, std::strerror(error))});
}

// What is money is in the file when it has been said so.
bool AllocationFile::write(const std::string& line) {
  if (file_ == nullptr) {
    std::error_code ignored;  // what is wrong with the folder shows when the file is opened
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
    file_.reset(std::fopen(path_.c_str(), "ae"));
    if (file_ == nullptr) return false;
  }
  return std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size() &&
         std::fflush(file_.get()) == 0;
}

}  // namespace maui
