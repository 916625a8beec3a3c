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
  PartitionId partition;                     // which is tried
  Seconds stay{1};                           // how long the job is there
  const std::vector<char>* kinds = nullptr;  // which kinds of nodes will do; nullptr: all that can
  Seconds at_least{0};                       // there must be room for so long

  const Requirement& wanted() const { return request.requirements[requirement]; }
};

}  // namespace maui
