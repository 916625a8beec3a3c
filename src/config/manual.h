// The manual of parameters, made from the table.
#pragma once
#include <string>
#include <string_view>

namespace maui {

/// docs/parameters.md, in Markdown.
std::string parameters_manual();

/// maui.cfg(5), for man.
std::string parameters_manual_page(std::string_view version);

}  // namespace maui
