// Replies to JSON and back.
#pragma once
#include <string>
#include <string_view>

#include "maui/reply.h"
#include "maui/result.h"

namespace maui {

/// {"reply": "<kind>", ...members of the struct...}.  Member names are stable.
std::string encode_reply(const Reply& reply);
Result<Reply> decode_reply(std::string_view json);

}  // namespace maui
