// A slot: where and when something fits.
#pragma once
#include "maui/job.h"

namespace maui {

struct Slot {
  Time start{0};
  PartitionId partition;
  Placement placement;
};

}  // namespace maui
