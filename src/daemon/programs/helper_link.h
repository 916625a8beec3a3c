// A link to a resource manager through a helper process, which speaks WIKI on a socket that is its
// standard input.
//
// The first request starts the helper.  A helper that ends, hangs or sends invalid data is killed,
// and a later request starts it again: after a pause, which doubles with each failure in a row.
// Its standard error goes to the log.
#pragma once
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rm/wiki_link.h"

namespace maui {

struct HelperOptions {
  std::string program;  // its path
  std::vector<std::string> arguments;
  Seconds timeout{15};  // of a request
  std::chrono::milliseconds pause{1000}, longest_pause{60000};
  /// Called when the pause after a failure has ended, also for a failure between two requests.
  std::function<void()> ready_again = [] {};
  std::function<void(int level, std::string_view text)> log = [](int, std::string_view) {};
};

std::unique_ptr<WikiLink> make_helper_link(boost::asio::io_context& io, HelperOptions options);

/// Returns the path of a program installed beside this one, or an error if there is none.
Result<std::string> program_beside_this(const std::string& name);

}  // namespace maui
