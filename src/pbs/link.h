// A way to a PBS server for a manager that speaks WIKI: requests of WIKI are answered out of what
// the server reports, and done as it understands them.
//
// Beside WIKI's own it knows CHECKPOINTJOB, and MODIFYNODE with STATE=Drained or Idle.
#pragma once
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "maui/clock.h"
#include "pbs/login.h"
#include "rm/wiki_link.h"
#include "rm/wiki_resource_manager.h"

namespace maui::pbs {

struct LinkOptions {
  ServerOptions server;
  std::function<Time()> now;
  /// Something has happened there.
  std::function<void()> ring = [] {};
  std::function<void(int level, std::string_view text)> log = [](int, std::string_view) {};
  Later later = {};  // long answers are read in slices
};

/// Says to a manager what a PBS server is like: its answers show all that it was asked for before.
void describe_pbs(WikiManagerOptions& options);

std::unique_ptr<WikiLink> make_link(boost::asio::io_context& io, LinkOptions options);

}  // namespace maui::pbs
