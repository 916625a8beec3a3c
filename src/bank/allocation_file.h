// BANKTYPE FILE: everything that an allocation manager would be sent goes to a file, for whoever
// adds it up later (guide 6.4).  Every request is granted.
//
// A debit is in it once, though a scheduler that was killed may have written it and the next one
// does not know: that looks at the end of the file first.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/line_file.h"
#include "maui/allocation_manager.h"

namespace maui {

class AllocationFile final : public AllocationManager {
 public:
  /// Appends to the file at `path`; its folder is made if it is not there.
  explicit AllocationFile(std::string path);

  /// A line that cannot be written is a failure.
  void ask(const AllocationRequest& request, Answer done) override;
  bool busy() const override { return false; }
  Status save() override { return file_.sync(); }

 private:
  Status write(const std::string& line);
  void read_debits();
  /// True if it stood in the file when that was opened first; true once for each.
  bool known(std::string_view line);

  std::string path_;
  LineFile file_;
  bool read_ = false;
  std::unordered_multimap<std::string, std::string> debits_;  // of the file's end: lines, by job
};

}  // namespace maui
