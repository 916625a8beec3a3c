// Parses the words of a client's command line, according to the command's row in the table.
//
// Flags may be combined (-vi), their values attached or separate (-L9, -L 9), long options written
// with = or a blank (--host=H, --host H).  A word that begins with '-' and a digit is a number, not
// flags; "--" ends the flags.
#pragma once
#include <span>
#include <string>

#include "maui/command.h"
#include "maui/result.h"
#include "proto/general_options.h"

namespace maui {

struct Invocation {
  GeneralOptions general;
  CommandRequest request;  // checked against the row, except for help and version
};

Result<Invocation> parse_arguments(const CommandSpec& spec, std::span<const std::string> words);

/// Returns "Usage: showres [FLAGS] [RES]", a description, and all flags with their help.
std::string usage(const CommandSpec& spec);

}  // namespace maui
