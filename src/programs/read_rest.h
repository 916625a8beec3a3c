// The last output of a program that has ended.
#pragma once
#include <boost/asio/buffer.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>

namespace maui {

/// Reads what has been written so far, without waiting for processes that keep the other end open.
/// `take(count)` is called when there are that many bytes in `buffer`; it returns false to stop.
template <class Stream, class Buffer, class Take>
void read_rest(Stream& stream, Buffer& buffer, Take take) {
  boost::system::error_code error;
  stream.non_blocking(true, error);
  while (!error) {
    const std::size_t count = stream.read_some(boost::asio::buffer(buffer), error);
    if (!take(count)) return;
  }
}

}  // namespace maui
