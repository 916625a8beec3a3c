// A record of a resource manager's answers (diagnose -R).
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "maui/units.h"

namespace maui {

struct RmRecord {
  std::string name = {}, type = {};          // type: "WIKI"; empty if there is only one kind
  std::int64_t polls = 0, failed_polls = 0;  // answered polls
  std::int64_t starts = 0, failed_starts = 0;
  Time asked{-1}, answered{-1};         // last poll, and last successful poll
  double latency = 0, max_latency = 0;  // seconds from poll to answer: total, maximum
  bool up = false;                      // result of the last poll
  std::string failure = {};             // the last failure, of any kind
  Time failed{-1};
  Time retry{-1};              // no poll until then; -1: no pause
  int event_port = 0;          // port for its events; 0: it sends none
  std::string no_events = {};  // why the scheduler does not listen there; empty: it does
  std::vector<std::string> warnings = {};  // its own, about its configuration
  std::string no_node_states = {};         // why mnodectl cannot change its nodes; empty: it can
  std::string no_checkpoints = {};         // why it cannot checkpoint jobs; empty: it can
  /// Its node states idle and running do not reflect jobs: both mean only that the node is up.
  bool nodes_up_only = false;

  void poll_answered(Time now) { poll_answered(now, static_cast<double>((now - asked).raw())); }
  void poll_answered(Time now, double seconds) {
    ++polls;
    latency += seconds;
    max_latency = std::max(max_latency, seconds);
    up = true;
    retry = Time(-1);
    answered = now;
  }
  void poll_failed(Time now, std::string why) {
    ++polls;
    ++failed_polls;
    up = false;
    fail(now, std::move(why));
  }
  void start_failed(Time now, std::string why) {
    ++failed_starts;
    fail(now, std::move(why));
  }

 private:
  void fail(Time now, std::string why) {
    failure = std::move(why);
    failed = now;
  }
};

}  // namespace maui
