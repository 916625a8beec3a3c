// HTTP responses, and their encoding.
//
// All have the same security headers: a response must not be framed, interpreted as another
// type, cached, or read by a page of another site, and no page loads anything from
// elsewhere.
#pragma once
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

namespace maui {

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  /// If set, data follows the body until either side closes the connection, and the stream counts
  /// as this user's.
  std::optional<std::string> stream_of = {};
};

/// Returns a response with error_as_json() as its body.
HttpResponse error_response(int status, std::string_view message);

/// Returns the bytes to send; `head`: without the body.  The connection is closed afterwards unless
/// `keep_alive`.
std::string response_text(const HttpResponse& response, bool head, bool keep_alive,
                          std::time_t now);

}  // namespace maui
