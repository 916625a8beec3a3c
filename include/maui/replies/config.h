// Replies of showconfig, changeparam and schedctl -l.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maui/replies/dry_run.h"

namespace maui {

struct ParameterRow {
  std::string name, value;  // as written in maui.cfg
  bool is_default = false;
  friend bool operator==(const ParameterRow&, const ParameterRow&) = default;
};

/// A heading that text output shows before the parameter with index `before`; empty: a blank line.
struct ConfigHeading {
  std::int64_t before = 0;
  std::string text;
  friend bool operator==(const ConfigHeading&, const ConfigHeading&) = default;
};

/// showconfig, schedctl -l
struct ConfigReply {
  std::string version;
  std::int64_t pid = 0;
  std::vector<ParameterRow> parameters;
  std::vector<ConfigHeading> headings;
  friend bool operator==(const ConfigReply&, const ConfigReply&) = default;
};

/// changeparam, schedctl -m
struct ParameterReply {
  std::string parameter;
  std::vector<std::string> values;
  std::string command = "changeparam";
  std::vector<std::string> warnings = {};  // about the new value, a sentence each
  std::optional<DryRun> dry_run = {};      // with --dry-run: nothing was changed
  friend bool operator==(const ParameterReply&, const ParameterReply&) = default;
};

}  // namespace maui
