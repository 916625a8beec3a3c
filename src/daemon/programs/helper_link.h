// A way to a resource manager through a helper process, which speaks WIKI on a socket that is its
// standard input.
//
// The helper is started when it is asked for the first time.  If it ends, hangs or talks rubbish it
// is killed, and started anew by a later question: after a pause, which doubles with each failure
// in a row.  What it writes to its standard error goes to the log.
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
  Seconds timeout{15};  // of a question
  std::chrono::milliseconds pause{1000}, longest_pause{60000};
  /// It has failed, be it between two questions, and the pause is over.
  std::function<void()> ready_again = [] {};
  std::function<void(int level, std::string_view text)> log = [](int, std::string_view) {};
};

std::unique_ptr<WikiLink> make_helper_link(boost::asio::io_context& io, HelperOptions options);

/// The path of a program that is installed beside this one; fails if it is not there.
Result<std::string> program_beside_this(const std::string& name);

}  // namespace maui
