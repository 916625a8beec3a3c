// Text within HTML, XML and SVG.
#pragma once
#include <string>
#include <string_view>

namespace maui {

/// The text with the characters that markup is made of written as entities, for content and for
/// attributes in quotes of either kind.
std::string markup_escaped(std::string_view text);

}  // namespace maui
