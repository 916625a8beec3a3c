// Text within HTML, XML and SVG.
#pragma once
#include <string>
#include <string_view>

namespace maui {

/// Returns the text with the special characters of markup replaced by entities, for content and for
/// attribute values in quotes of either kind.
std::string markup_escaped(std::string_view text);

}  // namespace maui
