// Any bytes as the data of a request; what is read must come back the same when written and read
// again, and be judged by its row without harm.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "proto/request_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto request =
      maui::decode_request(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!request) return 0;
  const auto again = maui::decode_request(maui::encode_request(*request, "nonce"));
  if (!again || again->command != request->command || again->flags != request->flags ||
      again->operands != request->operands)
    std::abort();
  if (const auto* spec = maui::find_command(request->command))
    static_cast<void>(static_cast<bool>(maui::check_request(*spec, *request)));
  return 0;
}
