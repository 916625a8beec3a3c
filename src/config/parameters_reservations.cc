// Standing reservations: SRCFG, and the older parameters for single attributes (guide 7.1.5).
#include "config/parameters.h"
#include "config/standing_rows.h"

namespace maui::config {

std::vector<Parameter> reservation_parameters() {
  std::vector<Parameter> rows;
  for (const auto& row : standing_rows())
    if (!row.parameter.empty())
      rows.push_back({row.parameter, "", Index::either, row.type, row.fallback, Change::at_runtime,
                      Landed::yes, row.help, row.apply});
  rows.push_back({"SRCFG",
                  "",
                  Index::name,
                  {},
                  "[NONE]",
                  Change::at_runtime,
                  Landed::yes,
                  "Attributes of one standing reservation.",
                  [](Settings& settings, const std::string& index, const Words&) {
                    settings.standing_reservations[index];  // creates the entry
                  },
                  &standing_reservation_attributes()});
  return rows;
}

}  // namespace maui::config
