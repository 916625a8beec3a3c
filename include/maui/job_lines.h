// The lines of the lists of waiting and of active jobs; they are kept small, since each cycle
// traverses all of them.
#pragma once
#include <cstdint>

#include "maui/placement.h"
#include "maui/request.h"
#include "maui/units.h"

namespace maui {

/// An entry of the queue.
struct Waiting {
  Time queued{0};
  std::uint64_t arrival = 0;
  JobId job;
  RequestId request;
  CredentialsId credentials;
  bool held = false;
  bool special = false;    // has a system priority, dates, alternatives or a dependency
  bool reserved = false;   // has a priority reservation
  bool preemptor = false;  // has the job's own preemptor flag
};

struct Active {
  Time ends{0};
  std::uint64_t arrival = 0;
  JobId job;
  RequestId request;
  CredentialsId credentials;
  std::uint16_t flags = 0;  // the job's own
};

}  // namespace maui
