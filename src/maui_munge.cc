// maui-munge: opens munge's credentials for the scheduler, which must not wait for munged.
//
// A line in is a credential, a line out what munge says of it (proto/credential.h).
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

#include "munge/credentials.h"

namespace {

constexpr std::string_view kUsage =
    "Usage: maui-munge [--socket FILE]\n"
    "Open munge's credentials, one a line, and say who made each.  The scheduler starts it.\n"
    "\n"
    "  --socket FILE  munged's socket, if it is not at its usual place\n";

}  // namespace

int main(int argc, char** argv) {
  std::string socket;
  if (argc == 2 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h")) {
    std::fputs(kUsage.data(), stdout);
    return 0;
  }
  if (argc == 3 && std::string_view(argv[1]) == "--socket") {
    socket = argv[2];
  } else if (argc != 1) {
    fmt::print(stderr, "maui-munge: '{}' is not understood\n{}", argv[1], kUsage);
    return 2;
  }
  for (std::string line; std::getline(std::cin, line);) {
    const auto read =
        maui::may_be_credential(line)
            ? maui::munge::read_credential(socket, line)
            : maui::Result<maui::Voucher>(maui::Error{"what it sent is no credential of munge"});
    fmt::print("{}\n", maui::voucher_line(read));
    std::fflush(stdout);
  }
  return 0;
}
