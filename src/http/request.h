// HTTP requests, and the reader that parses them from bytes.
//
// Supports only what the server needs: GET and HEAD without a body, HTTP/1.0 and
// 1.1.  All sizes are limited.  A request that exceeds a limit or is not perfectly
// clear is a fault that ends the connection, so that server and proxy never disagree
// about where a request ends.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "http/limits.h"

namespace maui {

struct HttpRequest {
  std::vector<std::string> path;                           // "/a/b%20c": "a", "b c"; "/": empty
  std::vector<std::pair<std::string, std::string>> query;  // in order, decoded
  std::string host;                                        // of the Host field
  std::optional<std::string> user;                         // of the X-Remote-User field
  std::string fetch_site;                                  // of the Sec-Fetch-Site field
  bool head = false;                                       // HEAD: the answer has no body
  bool keep_alive = true;

  /// Returns the first value with that name.
  std::optional<std::string_view> value(std::string_view name) const;
};

/// The reason why the answer is an error.
struct HttpFault {
  int status = 400;
  std::string what;
  friend bool operator==(const HttpFault&, const HttpFault&) = default;
};

/// Parses bytes as they arrive, also several requests in a row.
class RequestReader {
 public:
  void feed(std::string_view bytes) { bytes_ += bytes; }
  /// Returns the next request, or monostate if it is incomplete.  After a fault, reads no more.
  std::variant<std::monostate, HttpRequest, HttpFault> next();
  /// Returns the number of bytes not yet parsed.
  std::size_t held() const { return bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t looked_ = 0;  // bytes known to hold no end of a head
};

}  // namespace maui
