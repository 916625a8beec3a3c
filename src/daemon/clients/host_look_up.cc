#include "daemon/clients/host_look_up.h"

#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/post.hpp>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/sorted.h"

namespace maui {

std::vector<std::string> addresses_of(const std::string& name) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(name.c_str(), nullptr, &hints, &found) != 0) return {};
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, ::freeaddrinfo);
  std::vector<std::string> addresses;
  for (const auto* at = all.get(); at != nullptr; at = at->ai_next) {
    std::array<char, NI_MAXHOST> text{};
    if (::getnameinfo(at->ai_addr, at->ai_addrlen, text.data(), text.size(), nullptr, 0,
                      NI_NUMERICHOST) == 0)
      addresses.emplace_back(text.data());
  }
  return addresses;
}

/// The thread's way to the loop, which may end before the thread.
struct HostLookUp::Shared : std::enable_shared_from_this<Shared> {
  std::mutex mutex;
  boost::asio::io_context* io;  // nullptr: the loop is gone
  HostLookUp* of;               // read in the loop only

  void post(std::function<void(HostLookUp&)> what) {
    const std::scoped_lock lock(mutex);
    if (io == nullptr) return;
    boost::asio::post(*io, [self = shared_from_this(), what = std::move(what)] {
      if (self->of != nullptr) what(*self->of);
    });
  }
};

HostLookUp::HostLookUp(boost::asio::io_context& io, Found found, Addresses look_up)
    : shared_(std::make_shared<Shared>()), found_(std::move(found)), look_up_(std::move(look_up)) {
  shared_->io = &io;
  shared_->of = this;
}

HostLookUp::~HostLookUp() {
  const std::scoped_lock lock(shared_->mutex);
  shared_->io = nullptr;
  shared_->of = nullptr;
}

void HostLookUp::begin(std::vector<std::string> names) {
  next_.insert(next_.end(), names.begin(), names.end());
  if (under_way_ || next_.empty()) return;
  sort_unique(next_);
  const auto look_up_all = [shared = shared_, look_up = look_up_, all = std::exchange(next_, {})] {
    for (const auto& name : all)
      shared->post(
          [name, addresses = look_up(name)](HostLookUp& of) { of.found_(name, addresses); });
    shared->post([](HostLookUp& of) { of.has_ended(); });
  };
  under_way_ = true;
  // Signals are for the loop's thread.
  sigset_t every, before;
  ::sigfillset(&every);
  ::pthread_sigmask(SIG_SETMASK, &every, &before);
  try {
    std::thread(look_up_all).detach();
  } catch (const std::system_error&) {
    under_way_ = false;  // there are too many threads: names without addresses come again
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void HostLookUp::has_ended() {
  under_way_ = false;
  begin({});
}

}  // namespace maui
