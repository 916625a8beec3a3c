#include "http/response.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <boost/beast/http/status.hpp>

#include "proto/error_json.h"

namespace maui {

HttpResponse error_response(int status, std::string_view message) {
  return {status, "application/json", error_as_json(status, message)};
}

std::string response_text(const HttpResponse& response, bool head, bool keep_alive,
                          std::time_t now) {
  const auto reason = boost::beast::http::obsolete_reason(
      boost::beast::http::int_to_status(static_cast<unsigned>(response.status)));
  auto text = fmt::format(
      "HTTP/1.1 {} {}\r\n"
      "Date: {:%a, %d %b %Y %H:%M:%S} GMT\r\n"
      "Content-Type: {}\r\n"
      "{}"
      "Connection: {}\r\n"
      "Cache-Control: no-store\r\n"
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'; "
      "form-action 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
      "connect-src 'self'\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "{}"
      "\r\n",
      response.status, std::string_view(reason.data(), reason.size()), fmt::gmtime(now),
      response.type,
      response.stream_of ? "X-Accel-Buffering: no\r\n"  // a proxy must not buffer a stream
                         : fmt::format("Content-Length: {}\r\n", response.body.size()),
      keep_alive && !response.stream_of ? "keep-alive" : "close",
      response.status == 405 ? "Allow: GET, HEAD\r\n" : "");
  if (!head) text += response.body;
  return text;
}

}  // namespace maui
