// Reply of diagnose -f.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace maui {

/// The use of one credential.
struct FairshareRow {
  std::string name;
  double target = -1;           // per cent; -1: none
  std::string target_type;      // + for a floor, - for a ceiling, ^ for a cap
  bool off_target = false;      // misses it by over 5 per cent, on the side that counts
  double percent = 0;           // over all windows
  std::vector<double> windows;  // per cent per window; -1: none
  friend bool operator==(const FairshareRow&, const FairshareRow&) = default;
};

struct FairshareTable {
  std::string kind;  // USER, GROUP, ACCT, QOS, CLASS
  std::vector<FairshareRow> rows;
  friend bool operator==(const FairshareTable&, const FairshareTable&) = default;
};

/// diagnose -f: windows newest first.
struct FairshareReply {
  std::string policy;
  std::int64_t depth = 0, interval = 0;
  double decay = 1;
  std::vector<double> weights;  // by window
  std::vector<double> totals;   // use by window, processor hours
  std::vector<FairshareTable> tables;
  friend bool operator==(const FairshareReply&, const FairshareReply&) = default;
};

}  // namespace maui
