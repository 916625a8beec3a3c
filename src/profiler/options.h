// The command line of profiler, also called mprof (guide 9.2.2).
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggestions.h"
#include "history/selection.h"
#include "maui/result.h"
#include "proto/format.h"

namespace maui::profiler {

struct Options {
  bool help = false, manual = false, version = false;
  bool list = false;  // list the individual jobs
  JobSelection selection;
  std::vector<CredentialKind> by;       // kinds with a table; empty: all that jobs have
  std::vector<std::string> statistics;  // one grid each
  std::int64_t procs = 0;               // of the machine; 0: as given by the files
  std::string config_file;              // for PLOT* and targets; empty: defaults
  Format format = Format::text;
  std::vector<std::string> files;  // operands
};

Result<Options> parse_command_line(std::span<const std::string> words);
std::string usage();
Suggestions suggestions();  // the options, for a shell
/// Returns the manual page profiler(1).
std::string manual_page(std::string_view version);

}  // namespace maui::profiler
