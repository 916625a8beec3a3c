// Makes a simulated resource manager from recorded nodes and jobs.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "maui/result.h"
#include "maui/settings.h"
#include "sim/simulator.h"
#include "sim/trace_summary.h"

namespace maui {

/// The files that a simulation replays, in any format that sim/input_format.h knows.
struct ReplayFiles {
  std::vector<std::string> workload;  // files of one format that form one workload
  std::string machine;                // empty: the machine is derived from the workload
  std::uint64_t resample = 0;         // the seed for resampling the workload; 0: it is used as is
  bool keep_classes = false;          // collect the classes that no node offers (TraceSummary)
  bool as_they_ran = false;           // jobs of a trace run as long as recorded, and ignore a
                                      // class or partition that none of the nodes has
};

/// Reads the files.  Fails if no usable job or node remains.
Result<std::unique_ptr<Simulator>> open_simulator(const Settings& settings,
                                                  const ReplayFiles& files, TraceSummary& summary);

/// Reads the traces named by `settings`, relative to `home`.  Fails if no job or node remains.
Result<std::unique_ptr<Simulator>> open_simulator(const Settings& settings, const std::string& home,
                                                  TraceSummary& summary);

}  // namespace maui
