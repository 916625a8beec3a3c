// Usage: ask_helper PROGRAM [ARGUMENT...]: starts the helper on a socket, sends it each line of
// standard input as a request, and prints the replies, a line each.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <iostream>
#include <string>
#include <string_view>

#include "proto/frame.h"

namespace {

std::string receive(int stream, maui::FrameDecoder& decoder) {
  for (;;) {
    const auto message = decoder.next();
    if (!message) return message.error().what;
    if (*message) return **message;
    std::array<char, 4096> buffer{};
    const auto count = ::read(stream, buffer.data(), buffer.size());
    if (count <= 0) return "the helper has ended";
    decoder.feed(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::array<int, 2> ends{};
  if (argc < 2 || ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return 2;
  const auto helper = ::fork();
  if (helper == 0) {
    ::dup2(ends[1], STDIN_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execv(argv[1], argv + 1);
    ::_exit(127);
  }
  ::close(ends[1]);
  maui::FrameDecoder decoder(maui::kMaxMessage);
  for (std::string line; std::getline(std::cin, line);) {
    const auto frame = maui::encode_frame(line);
    if (!frame || ::write(ends[0], frame->data(), frame->size()) < 0) return 1;
    std::cout << receive(ends[0], decoder) << std::endl;
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(helper, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
