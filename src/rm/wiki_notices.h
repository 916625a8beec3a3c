// Notices to users about their waiting jobs, sent as a separate request to helpers
// that can show them: "CMD=NOTEJOBS ARG=ALL 17=1795165419 20_3="held for a reason" 21=".
#pragma once
#include <span>
#include <vector>

#include "maui/resource_manager.h"
#include "rm/wiki_message.h"

namespace maui {

/// `all`: these are all notices; else only changed ones.  One without start and hold ends a notice.
WikiRequest notice_request(std::span<const JobNotice> notices, bool all);

struct WikiNotices {
  std::vector<JobNotice> notices;
  bool all = false;
};
WikiNotices read_notices(const WikiRequest& request);

}  // namespace maui
