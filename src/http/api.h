// Commands that change nothing, as resources: /api/v1/COMMAND/OPERAND...?FLAG=VALUE&...
//
// The table of commands (include/maui/command.h) defines flags, operands and rights; this file
// only defines how a request names them.  Six more words of the query select rows of the
// reply.
#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "http/request.h"
#include "maui/command.h"
#include "proto/reply_rows.h"

namespace maui {

/// The number of rows per list by default, and the maximum.
inline constexpr std::size_t kUsualRows = 1000, kMostRows = 10000;

struct ApiRequest {
  CommandRequest command;  // without user and host
  RowChoice rows;
};

/// True if the path begins with /api/v1.
bool is_api(const HttpRequest& request);

/// True if the request is for the stream of events.
bool is_event_stream(const HttpRequest& request);

/// Parses a request.  Requires is_api() and a command in the path.  limit, offset, sort (-MEMBER:
/// descending), list, search and where=MEMBER:VALUE choose rows; the rest are flags of the command.
std::variant<ApiRequest, HttpFault> read_api_request(const HttpRequest& request);

/// Returns {"commands": [...]}, the list of commands, for /api/v1 itself.
std::string api_index();

}  // namespace maui
