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
  bool off_target = false;      // by more than five per cent, to the side that matters
  double percent = 0;           // of all windows together
  std::vector<double> windows;  // per cent of each; -1: nothing
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
  std::vector<double> weights;  // of the windows
  std::vector<double> totals;   // delivered in the windows, processor hours
  std::vector<FairshareTable> tables;
  friend bool operator==(const FairshareReply&, const FairshareReply&) = default;
};

}  // namespace maui
