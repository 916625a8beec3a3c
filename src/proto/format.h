// The output format of a client (--format).
#pragma once
#include <cstdint>

namespace maui {

enum class Format : std::uint8_t {
  text,  // like release 3.3
  json,
  xml,  // for tools of release 3.3's successors; some answers only
  svg,  // a picture for web pages; charts only
};

}  // namespace maui
