#include "base/size.h"

#include <cctype>
#include <limits>

#include "base/text.h"

namespace maui {

std::optional<std::int32_t> parse_size(std::string_view text, bool round_up) {
  if (text.empty()) return std::nullopt;
  double unit = 1;  // megabytes
  const auto digits = text.substr(0, text.size() - 1);
  switch (std::toupper(static_cast<unsigned char>(text.back()))) {
    case 'K':
      unit = 1.0 / 1024;
      text = digits;
      break;
    case 'M':
      text = digits;
      break;
    case 'G':
      unit = 1024;
      text = digits;
      break;
    case 'T':
      unit = 1024.0 * 1024;
      text = digits;
      break;
    default:
      break;
  }
  const auto amount = parse_integer<std::int64_t>(text);
  if (!amount || *amount < 0) return std::nullopt;
  const double size = static_cast<double>(*amount) * unit + (round_up ? 1023.0 / 1024 : 0.0);
  if (size > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  return static_cast<std::int32_t>(size);
}

}  // namespace maui
