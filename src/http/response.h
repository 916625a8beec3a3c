// An answer over HTTP, and its bytes.
//
// Each has the same fields of security: nothing that is served here may be
// framed, guessed to be of another type, kept by a cache, or read by a page of
// another site, and no page loads anything from elsewhere.
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
  /// Given: more follows the body, until one of both closes the connection, and the stream counts
  /// as this one's.
  std::optional<std::string> stream_of = {};
};

/// Its body is error_as_json().
HttpResponse error_response(int status, std::string_view message);

/// Returns what is sent; `head`: without the body.  The connection is closed afterwards unless it
/// is kept.
std::string response_text(const HttpResponse& response, bool head, bool keep_alive,
                          std::time_t now);

}  // namespace maui
