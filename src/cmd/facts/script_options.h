// The options of job scripts: those of Slurm, and those of PBS and TORQUE.
#pragma once
#include <span>
#include <string_view>

#include "cmd/facts/script_reading.h"
#include "maui/result.h"

namespace maui {

struct ScriptOption {
  char letter;  // or 0
  std::string_view name;
  bool has_value;
  Status (*read)(ScriptReading& reading, std::string_view value);  // nullptr: ignored
};

std::span<const ScriptOption> slurm_script_options();
std::span<const ScriptOption> pbs_script_options();

}  // namespace maui
