// Any bytes, in any pieces, into the frame decoder and from there into the reading of messages.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "proto/frame.h"
#include "proto/message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t piece = size == 0 ? 1 : 1 + data[0] % 16u;
  maui::FrameDecoder decoder(4096);
  std::size_t given = 0;
  for (std::size_t at = 0; at < size; at += piece) {
    decoder.feed(bytes.substr(at, piece));
    for (auto next = decoder.next(); next && *next; next = decoder.next()) {
      given += (*next)->size() + 9;
      if (const auto message = maui::parse_message(**next);
          message && maui::authentic(*message, "secret") && message->checksum.size() != 64)
        std::abort();
    }
  }
  if (given > size) std::abort();
  return 0;
}
