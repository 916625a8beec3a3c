#include "daemon/clients/connection_owners.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <cstring>

#include "daemon/clients/plain_address.h"

namespace maui {
namespace {

using boost::asio::ip::tcp;

struct Question {
  nlmsghdr header;
  inet_diag_req_v2 about;
};

void put(const boost::asio::ip::address& address, __be32 (&to)[4]) {
  const auto copy = [&to](const auto& bytes) { std::memcpy(to, bytes.data(), bytes.size()); };
  address.is_v4() ? copy(address.to_v4().to_bytes()) : copy(address.to_v6().to_bytes());
}

/// Asks about the socket with this local and remote end: the other one of the connection.
Question question(const tcp::endpoint& local, const tcp::endpoint& remote) {
  const auto local_address = plain_address(local.address());
  const auto remote_address = plain_address(remote.address());
  Question question{};
  question.header.nlmsg_len = sizeof question;
  question.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.header.nlmsg_flags = NLM_F_REQUEST;
  auto& about = question.about;
  about.sdiag_family = local_address.is_v4() ? AF_INET : AF_INET6;
  about.sdiag_protocol = IPPROTO_TCP;
  about.id.idiag_sport = htons(local.port());
  about.id.idiag_dport = htons(remote.port());
  put(local_address, about.id.idiag_src);
  put(remote_address, about.id.idiag_dst);
  about.id.idiag_cookie[0] = about.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return question;
}

/// Returns the answer to the question of that number; nullopt if there is no such socket, or no
/// answer.
std::optional<inet_diag_msg> answer_to(std::uint32_t number, int kernel) {
  alignas(nlmsghdr) std::array<char, 1024> answer;
  for (;;) {
    const auto length = ::recv(kernel, answer.data(), answer.size(), 0);
    nlmsghdr header;
    if (length < static_cast<ssize_t>(sizeof header)) return std::nullopt;
    std::memcpy(&header, answer.data(), sizeof header);
    if (header.nlmsg_seq != number) continue;  // to a question whose answer was not awaited
    constexpr std::size_t kLeast = NLMSG_LENGTH(sizeof(inet_diag_msg));
    if (length < static_cast<ssize_t>(kLeast) || header.nlmsg_type != SOCK_DIAG_BY_FAMILY)
      return std::nullopt;
    inet_diag_msg found;
    std::memcpy(&found, answer.data() + NLMSG_HDRLEN, sizeof found);
    return found;
  }
}

}  // namespace

ConnectionOwners::~ConnectionOwners() {
  if (kernel_ >= 0) ::close(kernel_);
}

std::optional<uid_t> ConnectionOwners::of(const tcp::endpoint& remote, const tcp::endpoint& local) {
  if (kernel_ < 0)
    kernel_ = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
  if (kernel_ < 0) return std::nullopt;
  auto asked = question(remote, local);
  asked.header.nlmsg_seq = ++number_;
  if (::send(kernel_, &asked, sizeof asked, 0) < 0) return std::nullopt;
  const auto found = answer_to(number_, kernel_);
  // A socket that nobody has any more seems to be root's.
  if (!found || found->idiag_inode == 0) return std::nullopt;
  return found->idiag_uid;
}

}  // namespace maui
