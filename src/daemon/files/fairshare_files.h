// Files of fairshare windows, one per window: FS.<EPOCHTIME> in STATDIR (guide 6.3.2).
//
// A file is replaced as a whole, so after a crash it is as it was after the last
// iteration or the one before.
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

  /// Returns the windows that count at `now`, and at most twice FSDEPTH of the future, which count
  /// after the clock was set.  Of windows too old to count, it returns as many as are missing from
  /// FSDEPTH: they count again if it is the clock that is wrong.  If no file says until when use is
  /// complete, `now` is assumed.  `only_past`, for a simulation, leaves out the current window: the
  /// simulation itself accounts that window, so that it can be repeated.
  FairshareHistory read(const FairshareSettings& settings, Time now, bool only_past,
                        ClusterNames& names, std::vector<std::string>& problems) const;
  Status write(const Cluster& names, const FairshareWindow& window, Time complete_until,
               Durability durability) const;
  std::string path(Time start) const;

 private:
  std::string directory_;
};

}  // namespace maui
