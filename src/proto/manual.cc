#include "proto/manual.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/manual_page.h"
#include "proto/arguments.h"
#include "proto/general_options.h"

namespace maui {
namespace {

std::string_view who_may(Access access) {
  switch (access) {
    case Access::admin1:
      return "Administrators of level 1 may use it.";
    case Access::admin2:
      return "Administrators of levels 1 and 2 may use it.";
    case Access::admin3:
      return "Administrators of all levels may use it.";
    case Access::owner:
      return "Everybody may use it on what is his own, administrators on all.";
    case Access::anyone:
      return "Everybody may use it.";
  }
  return {};
}

// "showq - Show the jobs." reads better as "showq - show the jobs".
std::string phrase(std::string_view sentence) {
  std::string text(sentence.substr(0, sentence.find('.')));
  const bool word = text.size() > 1 && text[1] >= 'a' && text[1] <= 'z';
  if (word && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

struct ExitMeaning {
  std::string_view status, meaning;
};

constexpr ExitMeaning kExit[] = {
    {"0", "The command was carried out."},
    {"1", "The server refused it."},
    {"2", "The command line is wrong."},
    {"3", "The server cannot be reached."},
};

}  // namespace

std::string command_manual(const CommandSpec& spec, std::string_view version) {
  ManualPage page(spec.name, 1, version, phrase(spec.help));
  page.section("SYNOPSIS")
      .text(
          fmt::format("{} [FLAGS]{}{}", spec.name, spec.operands.empty() ? "" : " ", spec.operands))
      .section("DESCRIPTION")
      .text(spec.help)
      .text(who_may(spec.access));
  page.section("OPTIONS");
  for (const Flag& flag : spec.flags) page.item(flag_form(flag), flag.help);
  page.subsection("Of every command");
  for (const auto& option : general_options()) page.item(flag_form(option), option.help);
  page.section("EXIT STATUS");
  for (const auto& exit : kExit) page.item(exit.status, exit.meaning);
  page.section("ENVIRONMENT")
      .item("MAUIHOMEDIR", "The directory that has maui.cfg.")
      .item("SERVERHOST, SERVERPORT, CLIENTTIMEOUT",
            "They come before the parameters of the same "
            "name in maui.cfg.")
      .item("MAUIPARTITION", "The partition that commands show if none is named.");
  return page.section("SEE ALSO").text("maui(8), maui.cfg(5)").str();
}

}  // namespace maui
