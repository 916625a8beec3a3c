// The text of a fairshare data file, FS.<EPOCHTIME> (guide 6.3.2).
//
// One line per credential, and one for the total; lines that begin with # give the window and the
// time until which it is complete.  Blanks and similar characters in names are written as %XX.
// Files of release 3.3 can be read, too.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/fairshare.h"

namespace maui {

std::string fairshare_text(const Cluster& names, const FairshareWindow& window,
                           Time complete_until);

struct FairshareFile {
  FairshareWindow window;
  Time complete_until{-1};            // negative: not given
  std::vector<std::string> problems;  // lines that were skipped
};
/// `length`: the window's, if not in the text.  Interns the credentials in `names`.
FairshareFile read_fairshare_text(std::string_view text, Time start, Seconds length,
                                  ClusterNames& names);

}  // namespace maui
