// The commands that only look, as resources: /api/v1/COMMAND/OPERAND...?FLAG=VALUE&...
//
// Flags, operands and rights are those of the table of commands
// (include/maui/command.h); here is only how a request names them.  Six words of the query are
// about the rows of the reply.
#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "http/request.h"
#include "maui/command.h"
#include "proto/reply_rows.h"

namespace maui {

/// Rows of each list that are given where no limit is, and at most.
inline constexpr std::size_t kUsualRows = 1000, kMostRows = 10000;

struct ApiRequest {
  CommandRequest command;  // without user and host
  RowChoice rows;
};

/// True if the path begins with /api/v1.
bool is_api(const HttpRequest& request);

/// True if it asks for the stream of events.
bool is_event_stream(const HttpRequest& request);

/// Requires is_api() and a command in the path.  limit, offset, sort (-MEMBER: descending), list,
/// search and where=MEMBER:VALUE choose rows; anything else is a flag of the command.
std::variant<ApiRequest, HttpFault> read_api_request(const HttpRequest& request);

/// {"commands": [...]}: what there is, for /api/v1 itself.
std::string api_index();

}  // namespace maui
