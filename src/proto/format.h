// How a client writes the answer (--format).
#pragma once
#include <cstdint>

namespace maui {

enum class Format : std::uint8_t {
  text,  // as release 3.3 wrote it
  json,
  xml,  // as tools written for the successors of release 3.3 read it: of some answers
  svg,  // a picture for a page: of charts only
};

}  // namespace maui
