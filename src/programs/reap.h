// Reaps killed processes without waiting for them: the kernel may keep one for as long as a file
// server hangs.
#pragma once
#include <sys/types.h>

#include <boost/asio/io_context.hpp>

namespace maui {

/// Reaps the child when it has ended.
void reap_later(boost::asio::io_context& io, pid_t child);

}  // namespace maui
