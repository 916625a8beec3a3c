#include "http/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>

#include "http/target.h"

namespace maui {
namespace {

namespace http = boost::beast::http;
using Fields = http::fields;

/// Gets the value of a field that may occur once; returns false if it occurs more often.
bool only(const Fields& fields, std::string_view name, std::optional<std::string>& value) {
  const auto [first, last] = fields.equal_range({name.data(), name.size()});
  if (first == last) return true;
  value = std::string(first->value());
  return std::next(first) == last;
}

std::variant<std::monostate, HttpRequest, HttpFault> understood(
    const http::request_parser<http::empty_body>& parser) {
  const auto& message = parser.get();
  // A body, whatever its coding, would be taken for the next request.
  if (message.count(http::field::transfer_encoding) > 0 || parser.content_length().value_or(0) > 0)
    return HttpFault{413, "requests with a body are not accepted"};
  if (message.method() != http::verb::get && message.method() != http::verb::head)
    return HttpFault{405, "only GET and HEAD are supported: this interface is read-only"};
  if (std::distance(message.begin(), message.end()) > static_cast<std::ptrdiff_t>(kMostFields))
    return HttpFault{431, fmt::format("a request header has at most {} fields", kMostFields)};
  const std::string_view target(message.target().data(), message.target().size());
  if (target.size() > kLongestTarget)
    return HttpFault{414, fmt::format("a request target has at most {} bytes", kLongestTarget)};
  HttpRequest request;
  std::optional<std::string> host, site;
  if (!only(message, "Host", host) || !only(message, "X-Remote-User", request.user) ||
      !only(message, "Sec-Fetch-Site", site))
    return HttpFault{400, "Host, X-Remote-User or Sec-Fetch-Site occurs twice"};
  if (!host && message.version() >= 11) return HttpFault{400, "missing Host field"};
  auto read = read_target(target);
  if (!read) return HttpFault{400, read.error().what};
  request.path = std::move(read->path);
  request.query = std::move(read->query);
  request.host = host.value_or("");
  request.fetch_site = site.value_or("");
  request.head = message.method() == http::verb::head;
  request.keep_alive = message.keep_alive();
  return request;
}

}  // namespace

std::optional<std::string_view> HttpRequest::value(std::string_view name) const {
  for (const auto& [key, given] : query)
    if (key == name) return given;
  return std::nullopt;
}

std::variant<std::monostate, HttpRequest, HttpFault> RequestReader::next() {
  constexpr std::string_view kEnd = "\r\n\r\n";
  const auto end = bytes_.find(kEnd, looked_ < kEnd.size() ? 0 : looked_ - kEnd.size());
  const std::size_t length = end == bytes_.npos ? bytes_.size() : end + kEnd.size();
  if (length > kLongestHead)
    return HttpFault{431, fmt::format("a request header has at most {} bytes", kLongestHead)};
  looked_ = bytes_.size();
  if (end == bytes_.npos) return std::monostate();
  http::request_parser<http::empty_body> parser;
  parser.eager(false);
  parser.header_limit(static_cast<std::uint32_t>(kLongestHead));
  parser.body_limit(0);
  boost::system::error_code error;
  parser.put(boost::asio::const_buffer(bytes_.data(), length), error);
  if (error == http::error::body_limit)
    return HttpFault{413, "requests with a body are not accepted"};
  if (error || !parser.is_header_done()) return HttpFault{400, "not an HTTP request"};
  auto found = understood(parser);
  bytes_.erase(0, length);
  looked_ = 0;
  return found;
}

}  // namespace maui
