// Any bytes, in any pieces, into the reader of requests over HTTP: in pieces and whole they are the
// same requests, within their bounds.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "http/admission.h"
#include "http/request.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t piece = size == 0 ? 1 : 1 + data[0] % 16u;
  maui::RequestReader whole, pieces;
  whole.feed(bytes);
  for (std::size_t at = 0;;) {
    auto slow = pieces.next();
    while (slow.index() == 0 && at < size) {
      pieces.feed(bytes.substr(at, piece));
      at += piece;
      slow = pieces.next();
    }
    const auto fast = whole.next();
    if (fast.index() != slow.index()) std::abort();
    const auto* request = std::get_if<maui::HttpRequest>(&fast);
    if (request == nullptr) return 0;
    if (request->path.size() > maui::kMostWords || request->query.size() > maui::kMostWords)
      std::abort();
    const auto user = maui::admit(*request, {false, "", "10.0.0.7"}, {{"head"}, {"10.0.0.2"}});
    if (user.index() == 0 && (request->user || !std::get<0>(user).empty())) std::abort();
  }
}
