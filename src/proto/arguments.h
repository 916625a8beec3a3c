// The words of a client's command line, following the command's row.
//
// Flags may be clustered (-vi), their values attached or apart (-L9, -L 9), long options written
// with = or apart (--host=H, --host H).  A word that begins with '-' and a digit is a number, not
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
  CommandRequest request;  // checked against the row, unless help or the version is asked for
};

Result<Invocation> parse_arguments(const CommandSpec& spec, std::span<const std::string> words);

/// "Usage: showres [FLAGS] [RES]", what it is for, and every flag with its help.
std::string usage(const CommandSpec& spec);

}  // namespace maui
