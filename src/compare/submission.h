// A comparison that the site's own resource manager runs as a job array.  The parts of the array
// write their results to a directory that all hosts share.
//
// The directory holds `comparison`, which describes the comparison; `array.sh`, the script of the
// array; `log.N`, the output of part N; and `outcome.N`, the result of run N.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"

namespace maui::compare {

/// The comparison as given on the command line.  Its files must not change before the merge.
struct Submission {
  std::string place;                  // working directory, the base of relative names
  std::vector<std::string> words;     // command line
  std::vector<std::string> workload;  // the files, those in directories sorted by name
  std::vector<std::string> others;    // configurations and the machine
};

/// The most parts of an array; with more runs, each part does several.
inline constexpr int kMostParts = 1000;
int parts_of(int runs);

/// Creates the directory, which must be empty if it exists, with the files that the parts read.
/// `program` is maui's path on all hosts.
Status write_submission(const std::string& directory, const Submission& submission, int runs,
                        const std::string& program);
/// Fails if a file has changed since write_submission().
Result<Submission> read_submission(const std::string& directory);

/// Submits the array with `submitter`, "sbatch" or "qsub" with options of the site; if it is empty,
/// with the first of these that is installed.  Returns the submitter's output.
Result<std::string> submit_array(const std::string& directory, std::string_view submitter,
                                 int runs);

/// Returns the file that holds the outcome of a run.
std::string outcome_file(const std::string& directory, int run);
Status write_outcome(const std::string& directory, int run, std::string_view text);
/// Reads the outcome of a run.  An error names the part that should have written it.
Result<std::string> read_outcome(const std::string& directory, int run, int runs);

}  // namespace maui::compare
