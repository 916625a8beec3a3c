// Errors as JSON: the same for programs that use HTTP and for programs that read the output of a
// command.
#pragma once
#include <string>
#include <string_view>

namespace maui {

/// Returns {"error":{"status":404,"message":"..."}} and a line end.  `status`: the HTTP status, or
/// a command's exit status.
std::string error_as_json(int status, std::string_view message);

}  // namespace maui
