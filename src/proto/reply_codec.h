// Replies to JSON and back.
#pragma once
#include <string>
#include <string_view>

#include "maui/reply.h"
#include "maui/result.h"
#include "proto/json_writer.h"

namespace maui {

/// {"reply": "<kind>", ...members of the struct...}.  Member names are stable.
std::string encode_reply(const Reply& reply, JsonLayout layout = JsonLayout::compact);
Result<Reply> decode_reply(std::string_view json);

/// An encoded reply that says, too, that the change is not on the disk, and why.
std::string encode_as_not_kept(std::string encoded, std::string_view why);
/// Why not; empty: the reply does not say so.
std::string not_kept(std::string_view json);

}  // namespace maui
