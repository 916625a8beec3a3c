// The table of options that all client commands have.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "maui/command.h"
#include "maui/result.h"
#include "proto/format.h"
#include "proto/table_choice.h"

namespace maui {

/// Options of all commands.  The table options and --watch are for commands that change nothing.
struct GeneralOptions {
  bool help = false, version = false, about = false;
  Format format = Format::text;
  std::string config_file;   // -C, --configfile
  std::string key_file;      // --keyfile
  std::string host;          // --host
  std::optional<int> port;   // --port
  int log_level = 0;         // -L, --loglevel: debugging on standard error
  TableChoice table;         // --columns, --sort, --limit
  std::optional<int> watch;  // --watch: seconds between answers
};

struct GeneralOption {
  std::string_view name;      // after --
  char letter;                // after -, or 0
  std::string_view argument;  // the name of its value; empty: it has none
  std::string_view help;
  Status (*apply)(GeneralOptions& options, std::string_view value);
  char former = 0;  // its letter in earlier releases, which help texts do not show
  bool is(char c) const { return c != 0 && (c == letter || c == former); }
};

std::span<const GeneralOption> general_options();

/// Return a flag as usage and manual show it: "-C, --configfile=FILE", "-p PARTITION"; without the
/// letter if the command has another flag with that letter.
std::string flag_form(const CommandSpec& spec, const GeneralOption& option);
std::string flag_form(const Flag& flag);

}  // namespace maui
