// Sends one signed message to the scheduler's port, as old and as often as asked for, and says of
// each time whether it was answered, a challenge was sent or the connection was closed.
//
// Usage: send_message PORT KEYFILE SECONDS_AGO TIMES DATA [USER [CREDENTIALFILE]]
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

#include "proto/frame.h"
#include "proto/message.h"

namespace {

std::string secret_in(const char* path) {
  std::ifstream file(path);
  std::string word, secret;
  while (file >> word)
    if (word == "SECRET") file >> secret;
  return secret;
}

std::string first_word_in(const char* path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

const char* outcome(unsigned short port, const std::string& frame) {
  const int peer = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(peer, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) return "closed";
  std::array<char, 256> reply{};
  const bool sent =
      ::send(peer, frame.data(), frame.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(frame.size());
  const auto came = sent ? ::recv(peer, reply.data(), reply.size(), 0) : 0;
  ::close(peer);
  if (came <= 0) return "closed";
  const std::string_view fields(reply.data(), static_cast<std::size_t>(came));
  return fields.substr(0, fields.find(" DT=")).find(" CH=") != std::string_view::npos ? "challenged"
                                                                                      : "answered";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6 || argc > 8) return 2;
  const auto port = static_cast<unsigned short>(std::atoi(argv[1]));
  const auto made = maui::sign(secret_in(argv[2]),
                               {.timestamp = std::time(nullptr) - std::atoi(argv[3]),
                                .user = argc > 6 ? argv[6] : "somebody",
                                .credential = argc > 7 ? first_word_in(argv[7]) : std::string()},
                               argv[5]);
  const auto frame = maui::encode_frame(made.text);
  for (int i = 0; frame && i < std::atoi(argv[4]); ++i) std::puts(outcome(port, *frame));
  return 0;
}
