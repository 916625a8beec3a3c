// How a client writes the answer (--format).
#pragma once
#include <cstdint>

namespace maui {

enum class Format : std::uint8_t {
  text,  // as release 3.3 wrote it
  json,
  svg,  // a picture for a page: of charts only
};

}  // namespace maui
