#include "daemon/lease/other_scheduler.h"

#include <fmt/format.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <list>

#include "base/server_places.h"

namespace maui {

std::string place_that_answers(const std::string& text, int port) {
  using boost::asio::ip::tcp;
  constexpr std::chrono::seconds kLongest{2};
  const auto places = parse_server_places(text, port);
  if (!places) return {};
  boost::asio::io_context io{1};
  std::list<tcp::socket> sockets;
  std::string found;
  for (const auto& place : *places) {
    boost::system::error_code unknown;
    const auto addresses =
        tcp::resolver(io).resolve(place.host, std::to_string(place.port), unknown);
    if (unknown) continue;
    auto& socket = sockets.emplace_back(io);
    boost::asio::async_connect(socket, addresses,
                               [&io, &found, name = fmt::format("{}:{}", place.host, place.port)](
                                   boost::system::error_code error, const tcp::endpoint&) {
                                 if (error) return;
                                 found = name;
                                 io.stop();
                               });
  }
  io.run_for(kLongest);
  return found;
}

}  // namespace maui
