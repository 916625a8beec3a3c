// Replies of showconfig, changeparam and schedctl -l.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace maui {

struct ParameterRow {
  std::string name, value;  // as they would stand in maui.cfg
  bool is_default = false;
  friend bool operator==(const ParameterRow&, const ParameterRow&) = default;
};

/// showconfig, schedctl -l
struct ConfigReply {
  std::string version;
  std::int64_t pid = 0;
  std::vector<ParameterRow> parameters;
  friend bool operator==(const ConfigReply&, const ConfigReply&) = default;
};

/// changeparam
struct ParameterReply {
  std::string parameter;
  std::vector<std::string> values;
  friend bool operator==(const ParameterReply&, const ParameterReply&) = default;
};

}  // namespace maui
