// The output of showconfig of release 3.3, as lines of a maui.cfg.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace maui::migrate {

struct NumberedLine {
  int number = 0;  // of the line that was printed
  std::string text;
  std::string lost = {};  // why it cannot be taken over; empty: it can
};

/// The parameters that showconfig never printed, so that they are not in the lines.
inline constexpr std::string_view kNeverShown =
    "USERCFG, GROUPCFG, ACCOUNTCFG, CLASSCFG, QOSCFG, and PERIOD of SRCFG";

/// Returns the lines in their order.  The N-th RESDEPTH[0] is RESERVATIONDEPTH[N], from 0 on, and
/// the SR* lines of a standing reservation are attributes of its SRCFG.  Paths below SERVERHOMEDIR
/// are relative.  Lines that no maui.cfg has, or that say what another line says, become comments
/// after
/// #--.
std::vector<NumberedLine> lines_of_showconfig(std::string_view text);

}  // namespace maui::migrate
