// Generates the manual pages of the commands from their rows in the table.
#pragma once
#include <string>
#include <string_view>

#include "maui/command.h"

namespace maui {

/// Returns a command's page for section 1 of the manual.
std::string command_manual(const CommandSpec& spec, std::string_view version);
/// Returns maui_client(1), the page of the program that implements all commands.
std::string client_manual(std::string_view version);

}  // namespace maui
