// BANKTYPE FILE: writes all requests to an allocation manager to a file, for later accounting
// (guide 6.4).  Every request is granted.
//
// The file contains each debit and each release once: if a scheduler was killed, the next scheduler
// cannot know whether one was written, so it searches the end of the file first.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/line_file.h"
#include "maui/allocation_manager.h"

namespace maui {

struct AllocatedRun;

class AllocationFile final : public AllocationManager {
 public:
  /// Appends to the file at `path`; creates its directory if necessary.
  explicit AllocationFile(std::string path);

  /// Fails if the line cannot be written.
  void ask(const AllocationRequest& request, Answer done) override;
  bool busy() const override { return false; }
  Status save() override { return file_.sync(); }

 private:
  Status write(const std::string& line);
  void read_tail();
  /// Returns true if the debit or release was in the file when it was opened; true only once for
  /// each line.  A release of a lien that was placed anew is another one.
  bool known(std::string_view line);
  bool take(const AllocatedRun& run);
  void forget_releases(const AllocatedRun& lien);

  std::string path_;
  LineFile file_;
  bool read_ = false;
  // Lines of debits and releases, by job, from the file's end.
  std::unordered_multimap<std::string, std::string> settled_;
};

}  // namespace maui
