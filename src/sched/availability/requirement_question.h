// The question that one requirement of a job puts to the nodes.
#pragma once
#include <vector>

#include "maui/job.h"
#include "maui/request.h"

namespace maui {

struct RequirementQuestion {
  const Job& job;
  const Request& request;
  std::uint32_t requirement = 0;
  PartitionId partition;                     // the partition that is tried
  Seconds stay{1};                           // how long the job runs
  const std::vector<char>* kinds = nullptr;  // usable kinds of nodes; nullptr: all that can serve
  Seconds at_least{0};                       // the least time for which there must be room

  const Requirement& wanted() const { return request.requirements[requirement]; }
};

}  // namespace maui
