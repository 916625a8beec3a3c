// Makes settings from lines of maui.cfg.
#pragma once
#include <string_view>

#include "config/configs.h"
#include "maui/settings.h"

namespace maui {

/// Jobs share nodes regardless of the lines.
inline Settings configured(std::string_view text) {
  Settings settings = parsed(text).settings();
  settings.node_access = NodeAccess::shared;
  return settings;
}

}  // namespace maui
