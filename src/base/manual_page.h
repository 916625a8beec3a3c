// A page for man(1), in the macros of man(7).
//
// Pages are made from the tables of commands and parameters, so they carry the
// release's number and no date: the same release makes the same pages.
#pragma once
#include <string>
#include <string_view>

namespace maui {

class ManualPage {
 public:
  /// `what` completes "NAME - ".
  ManualPage(std::string_view name, int section, std::string_view version, std::string_view what);

  ManualPage& section(std::string_view title);
  ManualPage& subsection(std::string_view title);
  ManualPage& text(std::string_view paragraph);
  /// A term and what it means; further paragraphs of an item follow with more().
  ManualPage& item(std::string_view term, std::string_view meaning);
  ManualPage& more(std::string_view paragraph);
  /// Lines as they are, without filling.
  ManualPage& example(std::string_view lines);

  const std::string& str() const { return page_; }

 private:
  ManualPage& line(std::string_view macro, std::string_view text);
  std::string page_;
};

}  // namespace maui
