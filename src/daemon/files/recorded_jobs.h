// Which jobs the statistics files name already: one that ended before a scheduler was killed may
// have been recorded by it though its checkpoint does not say so, and is not recorded again.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "maui/units.h"

namespace maui {

class RecordedJobs {
 public:
  /// Takes note of the records of jobs that ended at `since` or in the day before: an end may be
  /// reported late.  `file_of` names the file for jobs that end at a time.
  void read(const std::function<std::string(Time)>& file_of, Time since, Time now);
  /// True if the record names a job of that file; asked once for each job.
  bool take(std::string_view record);

 private:
  void read_file(const std::string& path, Time since);
  std::unordered_multimap<std::string, Time> jobs_;  // name and submission
};

}  // namespace maui
