// The words of a client's command line, following the command's row.
//
// Flags may be clustered (-vi), their values attached or apart (-L9, -L 9), long options written
// with = or apart (--host=H, --host H).  A word that begins with '-' and a digit is a number, not
// flags; "--" ends the flags.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "maui/command.h"
#include "maui/result.h"
#include "proto/format.h"

namespace maui {

/// Options that every command has.
struct GeneralOptions {
  bool help = false, version = false, about = false;
  Format format = Format::text;
  std::string config_file;  // -C, --configfile
  std::string key_file;     // --keyfile
  std::string host;         // --host
  std::optional<int> port;  // --port
  int log_level = 0;        // -L, --loglevel: debugging on standard error
};

struct Invocation {
  GeneralOptions general;
  CommandRequest request;  // checked against the row, unless help or the version is asked for
};

Result<Invocation> parse_arguments(const CommandSpec& spec, std::span<const std::string> words);

/// "Usage: showres [FLAGS] [RES]", what it is for, and every flag with its help.
std::string usage(const CommandSpec& spec);

}  // namespace maui
