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
  std::string report;                       // directory; empty: none
  int resamples = 0;                        // workloads drawn from the one
  int processes = 0;                        // 0: as many as there are processors
  std::string submit, submitter;            // directory for a job array; what submits it
  std::string merge;                        // directory of one that was submitted
  int part = -1;                            // of it; -1: none
  std::vector<std::string> configurations;  // operands
};

Result<Options> parse_command_line(std::span<const std::string> words);
std::string usage();
Suggestions suggestions();  // its options, for a shell
/// maui-compare(8), for man.
std::string manual_page(std::string_view version);

}  // namespace maui::compare
