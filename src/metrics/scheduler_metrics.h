// The values of the metrics, in the text format of Prometheus.
//
// They come from sums that engine and server maintain: a request costs time in proportion to the
// number of classes, QOS and credentials, not of jobs and nodes.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "metrics/health.h"
#include "metrics/iteration_times.h"

namespace maui {

/// The server's counts for one protocol.
struct ClientCounts {
  std::int64_t connections = 0, requests = 0, refused = 0;
};

/// Numbers of log lines about problems.
struct LineCounts {
  std::int64_t alerts = 0, errors = 0, warnings = 0;
  /// Counts a line by its first word.
  void count(std::string_view line);
};

struct ServerCounts {
  ClientCounts commands, http;
  std::int64_t event_streams = 0;  // open over HTTP
  LineCounts lines;
  double started = 0;       // epoch seconds
  std::int64_t memory = 0;  // bytes
};

std::string metrics_text(const Engine& engine, const IterationTimes& times,
                         const ServerState& state, const ServerCounts& counts);

}  // namespace maui
