#include "migrate/writer.h"

#include "base/text.h"

namespace maui::migrate {

void Writer::comment(std::string_view text) {
  constexpr std::size_t kWidth = 100;
  std::string at = "#";
  for (const auto word : words(text)) {
    if (at.size() > 1 && at.size() + 1 + word.size() > kWidth) {
      line(at);
      at = "#";
    }
    at += ' ';
    at += word;
  }
  line(at);
}

}  // namespace maui::migrate
