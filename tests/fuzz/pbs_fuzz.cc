// Any bytes as what a PBS server says, in each dialect: however they are cut, the replies are the
// same.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "pbs/packet.h"
#include "pbs/reply.h"

namespace {

using namespace maui::pbs;

std::vector<Reply> replies_of(std::string_view bytes, std::size_t at_once, Dialect dialect) {
  ReplyReader reader(dialect);
  std::vector<Reply> all;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(at_once, bytes.size()))) {
    reader.feed(bytes.substr(0, at_once));
    while (true) {
      const auto next = reader.next();
      if (!next) return all;
      if (!*next) break;
      all.push_back(**next);
    }
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const auto dialect : {Dialect::bare, Dialect::packets, Dialect::parts})
    if (replies_of(bytes, size + 1, dialect) != replies_of(bytes, 7, dialect)) std::abort();
  static_cast<void>(static_cast<bool>(dialect_of(bytes)));
  return 0;
}
