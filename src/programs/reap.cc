#include "programs/reap.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <memory>

#include "programs/adopt.h"

namespace maui {

namespace asio = boost::asio;

void reap_later(asio::io_context& io, pid_t child) {
  if (::waitpid(child, nullptr, WNOHANG) == child) return;
  const auto handle = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  auto end = std::make_shared<asio::posix::stream_descriptor>(io);
  if (handle < 0 || !adopt(*end, handle)) {
    ::waitpid(child, nullptr, 0);
    return;
  }
  end->async_wait(asio::posix::descriptor_base::wait_read,
                  [end, child](boost::system::error_code) { ::waitpid(child, nullptr, WNOHANG); });
}

}  // namespace maui
