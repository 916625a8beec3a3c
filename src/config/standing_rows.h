// The attributes of a standing reservation: each row is an attribute of SRCFG, an older parameter
// SR*, or both (seed 7.1.5.2, appendix F).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "config/value_type.h"
#include "maui/settings.h"

namespace maui::config {

struct StandingRow {
  std::string attribute;  // of SRCFG; empty: none
  std::string aliases;
  std::string parameter;  // the older form; empty: none
  ValueType type;
  std::string fallback;  // of the older form
  std::string help;
  std::function<void(Settings&, const std::string& index, const Words& value)> apply = {};
};

const std::vector<StandingRow>& standing_rows();

}  // namespace maui::config
