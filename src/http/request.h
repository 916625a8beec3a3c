// A request as it comes over HTTP, and the reader that takes it from bytes.
//
// Only what is served here is understood: GET and HEAD without a body, HTTP/1.0
// and 1.1.  Everything is bounded; whatever goes beyond a bound, or cannot be
// read without doubt, is a fault that ends the connection, so that nobody
// disagrees with a proxy about where a request ends.
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
  std::vector<std::string> path;                           // "/a/b%20c": "a", "b c"; of "/" nothing
  std::vector<std::pair<std::string, std::string>> query;  // as given, decoded
  std::string host;                                        // of the Host field
  std::optional<std::string> user;                         // of the X-Remote-User field
  std::string fetch_site;                                  // of the Sec-Fetch-Site field
  bool head = false;                                       // only the head of the answer is wanted
  bool keep_alive = true;

  /// The value of the first pair of that name.
  std::optional<std::string_view> value(std::string_view name) const;
};

/// Why there is no answer but an error.
struct HttpFault {
  int status = 400;
  std::string what;
  friend bool operator==(const HttpFault&, const HttpFault&) = default;
};

/// Takes bytes as they come, several requests on end if need be.
class RequestReader {
 public:
  void feed(std::string_view bytes) { bytes_ += bytes; }
  /// The next request; nothing until all of it has come.  After a fault nothing more is read.
  std::variant<std::monostate, HttpRequest, HttpFault> next();
  /// Bytes that have come and belong to no request yet.
  std::size_t held() const { return bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t looked_ = 0;  // so many of them hold no end of a head
};

}  // namespace maui
