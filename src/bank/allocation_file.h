// BANKTYPE FILE: everything that an allocation manager would be told goes to a file, for whoever
// adds it up later (guide 6.4).  Every request is granted.
#pragma once
#include <cstdio>
#include <memory>
#include <string>

#include "maui/allocation_manager.h"

namespace maui {

class AllocationFile final : public AllocationManager {
 public:
  /// Appends to the file at `path`; its folder is made if it is not there.
  explicit AllocationFile(std::string path);

  /// A line that cannot be written is a failure.
  void ask(const AllocationRequest& request, Answer done) override;
  bool busy() const override { return false; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  bool write(const std::string& line);

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace maui
