// A way to a resource manager that the site's own programs are, for a manager that speaks WIKI:
// each request is one run of a program (docs/resource-managers.md).
//
// Reports of a program come as lines (native/lines.h); a command is answered by its exit status,
// and a line of text.  Programs run beside each other: one that hangs holds up those of its own
// kind alone, and no longer than the deadline.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rm/in_slices.h"
#include "rm/wiki_link.h"

namespace maui::native {

/// A program and the arguments that come first, or a file that is read.
struct Source {
  std::string path;  // absolute; empty: there is none
  std::vector<std::string> arguments = {};
  bool is_file = false;
};

struct LinkOptions {
  std::map<std::string, Source> sources = {};  // by the request of WIKI that they serve
  std::chrono::milliseconds timeout{15000};    // of each run
  Later later = {};                            // long reports are read in slices
};

std::unique_ptr<WikiLink> make_link(boost::asio::io_context& io, LinkOptions options);

}  // namespace maui::native
