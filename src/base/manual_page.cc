#include "base/manual_page.h"

#include <fmt/format.h>

#include "base/text.h"

namespace maui {
namespace {

// Escapes what roff would read as a request, an escape or a typographic hyphen.
std::string escaped(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out = "\\&";
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '"')
      out += "\\(dq";
    else
      out += c;
  }
  return out;
}

}  // namespace

ManualPage::ManualPage(std::string_view name, int section, std::string_view version,
                       std::string_view what) {
  page_ = fmt::format(".TH {} {} \"\" \"maui {}\"\n", escaped(upper(name)), section, version);
  this->section("NAME");
  page_ += fmt::format("{} \\- {}\n", escaped(name), escaped(what));
}

ManualPage& ManualPage::line(std::string_view macro, std::string_view text) {
  page_ += fmt::format("{} \"{}\"\n", macro, escaped(text));
  return *this;
}

ManualPage& ManualPage::section(std::string_view title) { return line(".SH", title); }

ManualPage& ManualPage::subsection(std::string_view title) { return line(".SS", title); }

ManualPage& ManualPage::text(std::string_view paragraph) {
  page_ += fmt::format(".PP\n{}\n", escaped(paragraph));
  return *this;
}

ManualPage& ManualPage::item(std::string_view term, std::string_view meaning) {
  page_ += fmt::format(".TP\n.B \"{}\"\n{}\n", escaped(term), escaped(meaning));
  return *this;
}

ManualPage& ManualPage::more(std::string_view paragraph) {
  page_ += fmt::format(".br\n{}\n", escaped(paragraph));
  return *this;
}

ManualPage& ManualPage::example(std::string_view lines) {
  page_ += ".PP\n.nf\n";
  for (const auto part : split(lines, '\n')) page_ += escaped(part) + "\n";
  page_ += ".fi\n";
  return *this;
}

}  // namespace maui
