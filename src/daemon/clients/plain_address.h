// A socket of IPv6 shows addresses of IPv4 as mapped ones.
#pragma once
#include <boost/asio/ip/address.hpp>

namespace maui {

/// Returns the address of IPv4 that `address` stands for, or else `address` itself.
inline boost::asio::ip::address plain_address(const boost::asio::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address.to_v6());
  return address;
}

}  // namespace maui
