// The manual pages of the commands, made of their rows.
#pragma once
#include <string>
#include <string_view>

#include "maui/command.h"

namespace maui {

/// The page of a command for section 1 of the manual.
std::string command_manual(const CommandSpec& spec, std::string_view version);
/// maui_client(1), the program that all commands are.
std::string client_manual(std::string_view version);

}  // namespace maui
