// The manual of parameters, made from the table.
#pragma once
#include <string>

namespace maui {

/// docs/parameters.md, in Markdown.
std::string parameters_manual();

}  // namespace maui
