// slurm.conf as values: what one of Slurm's own files says, without what it means.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "maui/result.h"
#include "maui/units.h"

namespace maui::migrate {

struct SlurmValue {
  std::string text;
  int line = 0;
};

/// NAME=VALUE pairs of one line, by their names in lower case.
struct SlurmRecord {
  std::string name;  // of nodes, or of a partition; with ranges as it was written
  int line = 0;
  std::map<std::string, std::string, std::less<>> values;

  std::string value(std::string_view key, std::string_view otherwise = {}) const;
};

struct SlurmConf {
  std::map<std::string, SlurmValue, std::less<>> values;  // by their names in lower case
  std::vector<SlurmRecord> nodes, partitions;             // with what DEFAULT says of each
  std::vector<SlurmValue> backups;                        // SlurmctldHost after the first
  std::vector<SlurmValue> includes;
  std::vector<SlurmValue> unread;  // lines that are none of NAME=VALUE

  std::string value(std::string_view key, std::string_view otherwise = {}) const;
  int line_of(std::string_view key) const;
};

/// How many nodes a line NodeName= is about.
std::uint64_t count_nodes(const SlurmRecord& node);

SlurmConf read_slurm_conf(std::string_view text);

/// [DAYS-]HH[:MM[:SS]] or MINUTES[:SS], as Slurm writes times.
Result<Seconds> parse_slurm_time(std::string_view text);

}  // namespace maui::migrate
