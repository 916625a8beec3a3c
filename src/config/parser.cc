#include "config/parser.h"

#include "base/byte_order_mark.h"
#include "base/text.h"

namespace maui::config {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

bool blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

// Reads words from one line.  Blanks within the brackets of a name belong to the index, which may
// be quoted: GROUPCFG["domain users"].
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  // Reads the next word into `word`; false if there is none.
  bool next(std::string& word, bool is_name) {
    while (!rest_.empty() && blank(rest_.front())) rest_.remove_prefix(1);
    if (rest_.empty() || rest_.front() == '#') return false;
    word.clear();
    int brackets = 0;
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (blank(c) && !(is_name && brackets > 0)) break;
      const bool quotes = c == '\'' || c == '"';
      if (quotes && (!is_name || word.ends_with('['))) {
        if (!quotation(word, is_name)) return false;
        continue;
      }
      if (c == '[') ++brackets;
      if (c == ']') --brackets;
      word += c;
      rest_.remove_prefix(1);
    }
    if (is_name && brackets > 0) error_ = word + ": expected a ']'";
    return error_.empty();
  }

  Words words() {
    Words read;
    for (std::string word; next(word, false);) read.push_back(word);
    return read;
  }

  const std::string& error() const { return error_; }

 private:
  // `verbatim`: keep the quotes in the word.
  bool quotation(std::string& word, bool verbatim) {
    const char quote = rest_.front();
    const auto end = rest_.find(quote, 1);
    if (end == std::string_view::npos) {
      error_ = std::string("a quotation begins with ") + quote + " and does not end";
      return false;
    }
    word += verbatim ? rest_.substr(0, end + 1) : rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return true;
  }

  std::string_view rest_;
  std::string error_;
};

}  // namespace

std::vector<Line> parse_lines(std::string_view text) {
  std::vector<Line> lines;
  int number = 0;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  for (const auto raw : split(text, '\n')) {
    ++number;
    Reader reader(raw);
    Line line{number, {}, {}, {}};
    const bool found = reader.next(line.name, true);
    if (found) line.words = reader.words();
    line.error = reader.error();
    if (found || !line.error.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

Result<Words> parse_value(const std::vector<std::string>& parts) {
  std::string value;
  for (const auto& part : parts) {
    if (!value.empty()) value += ' ';
    value += part.empty() ? "\"\"" : part;
  }
  Reader reader(value);
  auto read = reader.words();
  if (!reader.error().empty()) return Error{reader.error()};
  return read;
}

}  // namespace maui::config
