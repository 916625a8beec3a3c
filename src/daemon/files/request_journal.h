// The starts and requeues that were requested since the last checkpoint (CHECKPOINTFILE.starts):
// each is on the disk before a resource manager is asked for it, so that the next scheduler does
// not start the job a second time, and accounts the run that a requeue ended.  A whole checkpoint
// for each request would take too long.
//
// The first line names the checkpoint that the requests follow, by its checksum: beside any other
// checkpoint they are void.  Each further line is a job as the checkpoint would have it, after its
// checksum.  The file is begun anew with the first request after a checkpoint.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_file.h"
#include "daemon/files/checkpoint_file.h"
#include "maui/result.h"

namespace maui {

class RequestJournal {
 public:
  using Log = std::function<void(const std::string&)>;

  /// Returns the jobs of the requests since the checkpoint that was read, oldest first; they stay
  /// in the file until the next checkpoint.  `log` receives each file or line that cannot be used.
  std::vector<std::string> read(const CheckpointFile& checkpoint, const Log& log);
  /// Puts the jobs on the disk.  Those that could not be written are written with the next.
  Status add(const CheckpointFile& checkpoint, const std::vector<std::string>& jobs);

 private:
  Status write(const std::string& path, std::string_view added);
  bool read_file(const std::string& path, const Log& log, std::vector<std::string>& jobs);

  CheckpointFile::Identity since_;
  std::string lines_;  // since then
  LineFile file_;      // open: it has all of them
};

}  // namespace maui
