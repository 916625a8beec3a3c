// Extensions in comments as servers of WIKI pass them on.
#pragma once
#include <string>
#include <string_view>

namespace maui {

/// The comment in the form of guide 13.3, NAME:VALUE;NAME:VALUE: servers put '?' or ',' between
/// extensions and call some of them otherwise.
std::string extensions_in(std::string_view comment);

}  // namespace maui
