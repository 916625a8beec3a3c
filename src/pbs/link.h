// A link to a PBS server for a manager that speaks WIKI: it answers WIKI requests from the server's
// reports and translates commands to PBS requests.
//
// Beyond standard WIKI it supports CHECKPOINTJOB, and MODIFYNODE with STATE=Drained or Idle.
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
  /// Called when the server reports an event.
  std::function<void()> ring = [] {};
  std::function<void(int level, std::string_view text)> log = [](int, std::string_view) {};
  Later later = {};  // splits the reading of long answers into slices
};

/// Sets the options of a manager for PBS: its answers reflect all earlier requests.
void describe_pbs(WikiManagerOptions& options);

std::unique_ptr<WikiLink> make_link(boost::asio::io_context& io, LinkOptions options);

}  // namespace maui::pbs
