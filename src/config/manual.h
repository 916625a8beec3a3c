// The manual of parameters, generated from the parameter table.
#pragma once
#include <string>
#include <string_view>

namespace maui {

/// Returns docs/parameters.md, in Markdown.
std::string parameters_manual();

/// Returns the manual page maui.cfg(5).
std::string parameters_manual_page(std::string_view version);

}  // namespace maui
