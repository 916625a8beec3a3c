// Converts a CommandRequest to JSON and back: the data (DT=) of a request.
//
// {"command": "showres", "flags": [["n", ""]], "operands": ["amy.0"], "group": "staff",
//  "nonce": "..."}; never contains user and host, which the server determines itself.
#pragma once
#include <string>
#include <string_view>

#include "maui/command.h"
#include "maui/result.h"

namespace maui {

/// Encodes a request; the nonce makes equal requests in the same second different messages.
std::string encode_request(const CommandRequest& request, std::string_view nonce);
/// Decodes a request; accepts any bytes.
Result<CommandRequest> decode_request(std::string_view json);

}  // namespace maui
