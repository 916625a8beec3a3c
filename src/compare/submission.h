// A comparison that the site's own resource manager runs: its parts are the tasks of a job array,
// and each leaves what it makes as files in a directory that all hosts see.
//
// The directory has `comparison`, which says what is compared; `array.sh`, the script of the array;
// `log.N`, what a part said; and `outcome.N`, one for each run.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"

namespace maui::compare {

/// The comparison as it was given on the command line.  Its files must stay as they are.
struct Submission {
  std::string place;                  // the working directory, where relative names begin
  std::vector<std::string> words;     // the command line
  std::vector<std::string> workload;  // the files that there were, those of directories by name
  std::vector<std::string> others;    // configurations, the machine
};

/// An array has so many parts at most; each does several runs if there are more.
inline constexpr int kMostParts = 1000;
int parts_of(int runs);

/// Makes the directory, which must not hold anything, and what the parts read.  `program` is
/// maui's path on all hosts.
Status write_submission(const std::string& directory, const Submission& submission, int runs,
                        const std::string& program);
/// Fails if a file is another now.
Result<Submission> read_submission(const std::string& directory);

/// Hands the array over by `submitter`, "sbatch" or "qsub" with options of the site; empty: the
/// first of these that is installed.  Returns what it says of the job.
Result<std::string> submit_array(const std::string& directory, std::string_view submitter,
                                 int runs);

/// The file in which a run leaves what came of it.
std::string outcome_file(const std::string& directory, int run);
Status write_outcome(const std::string& directory, int run, std::string_view text);
/// An error names the log of the part that should have made it.
Result<std::string> read_outcome(const std::string& directory, int run, int runs);

}  // namespace maui::compare
