// Parses slurm.conf into values, without interpreting them.
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

/// The NAME=VALUE pairs of one line, with names in lower case.
struct SlurmRecord {
  std::string name;  // of nodes or a partition; ranges are not expanded
  int line = 0;
  std::map<std::string, std::string, std::less<>> values;

  std::string value(std::string_view key, std::string_view otherwise = {}) const;
};

struct SlurmConf {
  std::map<std::string, SlurmValue, std::less<>> values;  // names in lower case
  std::vector<SlurmRecord> nodes, partitions;             // including values from DEFAULT
  std::vector<SlurmValue> backups;                        // SlurmctldHost after the first
  std::vector<SlurmValue> includes;
  std::vector<SlurmValue> unread;  // lines that are not NAME=VALUE

  std::string value(std::string_view key, std::string_view otherwise = {}) const;
  int line_of(std::string_view key) const;
};

/// Returns the number of nodes that a NodeName= line describes.
std::uint64_t count_nodes(const SlurmRecord& node);

SlurmConf read_slurm_conf(std::string_view text);

/// Parses [DAYS-]HH[:MM[:SS]] or MINUTES[:SS], the format of times in Slurm.
Result<Seconds> parse_slurm_time(std::string_view text);

}  // namespace maui::migrate
