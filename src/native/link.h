// A link to a resource manager that consists of the site's own programs, for a manager that speaks
// WIKI: each request runs a program once (docs/resource-managers.md).
//
// A program prints its report as lines (native/lines.h); it answers a command with its exit status
// and a line of text.  Programs run in parallel: a program that hangs delays only runs of its own
// kind, and no longer than the timeout.
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

/// A program with its first arguments, or a file to read.
struct Source {
  std::string path;  // absolute; empty: no source
  std::vector<std::string> arguments = {};
  bool is_file = false;
};

struct LinkOptions {
  std::map<std::string, Source> sources = {};  // by WIKI command
  std::chrono::milliseconds timeout{15000};    // of each run
  Later later = {};                            // splits the reading of long reports into slices
};

std::unique_ptr<WikiLink> make_link(boost::asio::io_context& io, LinkOptions options);

}  // namespace maui::native
