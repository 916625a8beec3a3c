// A CommandRequest to JSON and back: what stands behind DT= in a request.
//
// {"command": "showres", "flags": [["n", ""]], "operands": ["amy.0"], "group": "staff",
//  "nonce": "..."}; the user and the host are never part of it: the server knows them itself.
#pragma once
#include <string>
#include <string_view>

#include "maui/command.h"
#include "maui/result.h"

namespace maui {

/// The nonce makes two equal requests of one second different messages.
std::string encode_request(const CommandRequest& request, std::string_view nonce);
/// Any bytes may be given.
Result<CommandRequest> decode_request(std::string_view json);

}  // namespace maui
