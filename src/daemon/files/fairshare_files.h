// One file a fairshare window, FS.<EPOCHTIME> in STATDIR (guide 6.3.2).
//
// A file is replaced whole, so that whatever happens it is as it was after the
// last iteration or the one before.
#pragma once
#include <string>
#include <vector>

#include "daemon/files/safe_file.h"
#include "maui/cluster.h"
#include "maui/fairshare.h"
#include "maui/result.h"
#include "maui/settings.h"

namespace maui {

class FairshareFiles {
 public:
  explicit FairshareFiles(std::string directory) : directory_(std::move(directory)) {}

  /// The windows that count at `now`.  Where none says until when it is complete, they are until
  /// `now`.  With `only_past`, as for a simulation, only windows that are over: the one that it
  /// begins in is its own, so that it can be run again.
  FairshareHistory read(const FairshareSettings& settings, Time now, bool only_past, Cluster& names,
                        std::vector<std::string>& problems) const;
  Status write(const Cluster& names, const FairshareWindow& window, Time complete_until,
               Durability durability) const;
  std::string path(Time start) const;

 private:
  std::string directory_;
};

}  // namespace maui
