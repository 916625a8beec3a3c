// The text of a fairshare data file, FS.<EPOCHTIME> (guide 6.3.2).
//
// A line a credential, and one for the total; lines that begin with # say which
// window it is and until when it is complete.  Blanks and the like in names are
// written as %XX.  Files of release 3.3 are understood, too.
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
  Time complete_until{-1};            // negative: it does not say
  std::vector<std::string> problems;  // lines that were passed over
};
/// `length`: of the window, where the text does not say.  Names become known to `names`.
FairshareFile read_fairshare_text(std::string_view text, Time start, Seconds length,
                                  Cluster& names);

}  // namespace maui
