// The command line of `maui compare`.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggestions.h"
#include "compare/expectation.h"
#include "compare/variants.h"
#include "maui/result.h"

namespace maui::compare {

struct Options {
  bool help = false, manual = false, sacct_command = false;
  std::vector<std::string> workload;  // files and directories
  std::string machine;
  std::vector<Choice> choices;              // --set
  std::vector<Expectation> expectations;    // --expect
  std::string report;                       // directory; empty: no report
  int resamples = 0;                        // number of workloads to draw from this workload
  int processes = 0;                        // 0: one per processor
  std::string submit, submitter;            // directory for a job array; the command for it
  std::string merge;                        // directory of a submitted comparison
  int part = -1;                            // the part of the array to run; -1: none
  std::vector<std::string> configurations;  // operands
};

Result<Options> parse_command_line(std::span<const std::string> words);
std::string usage();
Suggestions suggestions();  // the options, for a shell
/// Returns the manual page maui-compare(8).
std::string manual_page(std::string_view version);

}  // namespace maui::compare
