// An answer over HTTP, and its bytes.
//
// Each has the same fields of security: nothing that is served here may be
// framed, guessed to be of another type, kept by a cache, or read by a page of
// another site, and no page loads anything from elsewhere.
#pragma once
#include <ctime>
#include <string>
#include <string_view>

namespace maui {

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
};

/// Its body is error_as_json().
HttpResponse error_response(int status, std::string_view message);

/// What is sent; `head`: without the body.  The connection is closed afterwards unless it is kept.
std::string response_text(const HttpResponse& response, bool head, bool keep_alive,
                          std::time_t now);

}  // namespace maui
