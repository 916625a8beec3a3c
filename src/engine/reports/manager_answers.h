// Handles which resource managers answer and which do not.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "maui/resource_manager.h"
#include "maui/units.h"

namespace maui {

class JobEnds;
class ManagerContact;
class UnansweredRequests;
struct EngineTools;
struct RunKey;

class ManagerAnswers {
 public:
  ManagerAnswers(const EngineTools& tools, JobEnds& job_ends);

  /// Keeps the state of nodes whose resource manager does not answer, and closes them to new jobs.
  void note_unreachable(const std::vector<UnreachableManager>& silent);
  /// Notes that everything in a poll's answers has been applied.
  void note_heard();

 private:
  void note_late(const std::string& manager);
  bool is_reported_since(const RunKey& run, Time asked) const;

  const EngineTools& tools_;
  JobEnds& job_ends_;
  ManagerContact& managers_;
  UnansweredRequests& requests_;
  std::set<std::string> late_;             // at the last poll
  std::map<std::string, Time> told_late_;  // when the log said so
};

}  // namespace maui
