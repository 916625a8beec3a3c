// Notices to users about their waiting jobs, as a request of its own to helpers
// that can show it: "CMD=NOTEJOBS ARG=ALL 17=1795165419 20_3="held for a reason" 21=".
#pragma once
#include <span>
#include <vector>

#include "maui/resource_manager.h"
#include "rm/wiki_message.h"

namespace maui {

/// `all`: there are no others; else these have changed.  One without a start or a hold is over.
WikiRequest notice_request(std::span<const JobNotice> notices, bool all);

struct WikiNotices {
  std::vector<JobNotice> notices;
  bool all = false;
};
WikiNotices read_notices(const WikiRequest& request);

}  // namespace maui
