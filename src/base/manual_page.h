// A page for man(1), in the macros of man(7).
//
// Pages are generated from the tables of commands and parameters.  They carry the release's number
// but no date, so that the same release generates the same pages.
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
  /// Adds a term and its meaning; call more() for further paragraphs of the item.
  ManualPage& item(std::string_view term, std::string_view meaning);
  ManualPage& more(std::string_view paragraph);
  /// Adds lines verbatim, without filling.
  ManualPage& example(std::string_view lines);

  const std::string& str() const { return page_; }

 private:
  ManualPage& line(std::string_view macro, std::string_view text);
  std::string page_;
};

}  // namespace maui
