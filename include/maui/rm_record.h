// How a resource manager has answered (diagnose -R).
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "maui/units.h"

namespace maui {

struct RmRecord {
  std::string name = {}, type = {};          // type: "WIKI"; empty where there is only one kind
  std::int64_t polls = 0, failed_polls = 0;  // answered
  std::int64_t starts = 0, failed_starts = 0;
  Time asked{-1}, answered{-1};         // the last poll, and the last that did not fail
  double latency = 0, max_latency = 0;  // seconds from question to answer; of all polls together
  bool up = false;                      // as the last poll found
  std::string failure = {};             // the last one, of whatever kind
  Time failed{-1};
  Time retry{-1};      // it is left alone until then; -1: it is not
  int event_port = 0;  // where it rings when something has happened; 0: it does not
  /// Its nodes are called idle or running without regard to their jobs: both say that they are up.
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
