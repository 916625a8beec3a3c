// Any bytes as the data of a reply: they are refused, or are a reply that comes back the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "proto/reply_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto reply =
      maui::decode_reply(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!reply) return 0;
  const auto written = maui::encode_reply(*reply);
  const auto again = maui::decode_reply(written);
  if (!again || maui::encode_reply(*again) != written) std::abort();
  return 0;
}
