// The command line of the scheduler itself.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggestions.h"
#include "config/configuration.h"
#include "maui/result.h"

namespace maui {

struct ProgramOptions {
  bool help = false, version = false, about = false, foreground = false;
  bool generate_key = false, create_lease = false, check_config = false, print_schema = false;
  bool stand_by = false;              // --standby: wait for the lease
  bool shared_home = false;           // other users may be able to change its files
  std::string manual;                 // --man: the page to print
  std::string config_file;            // -C, or the file to check
  std::string home;                   // -H: the home directory, whatever MAUIHOMEDIR is
  std::string migrate, output;        // --migrate: the input file; -o: the output file
  std::vector<std::string> sacctmgr;  // --sacctmgr: its output, used by --migrate
  std::vector<std::string> relearn;   // --relearn: files of ended jobs
  std::optional<int> log_level;       // -L
  std::vector<Override> overrides;    // --host, --port, --logfile, --mode
};

/// An option of the scheduler of release 3.3 whose name or meaning differs here.
struct OldOption {
  char letter;
  std::string_view argument;  // as in the usage of release 3.3; empty: none
  std::string_view here;      // the option that it is short for, or what replaces it
  bool taken = false;         // the letter stands for an option here
};
std::span<const OldOption> options_of_3_3();

Result<ProgramOptions> parse_program_options(std::span<const std::string> words);
/// Returns the words with which the same process goes on after a fault (CRASHMODE RESTART): with
/// --foreground once, and without --relearn, since files are learned from once.
std::vector<std::string> words_to_start_again(std::span<const std::string> words);
std::string program_usage();
/// Returns the program's options, for shell completion.
Suggestions program_suggestions();
/// Returns the manual page maui(8), for man.
std::string program_manual(std::string_view version);

}  // namespace maui
