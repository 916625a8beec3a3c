// maui-munge: opens and makes munge credentials for the scheduler, which must not wait for
// munged.
//
// Each input line is a credential, each output line munge's answer to it (proto/credential.h).
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

#include "base/manual_page.h"
#include "munge/credentials.h"

namespace {

constexpr std::string_view kUsage =
    "Usage: maui-munge [--socket FILE]\n"
    "       maui-munge [--socket FILE] --make TEXT\n"
    "Decode munge credentials, one per line, and print who made each; or make one.\n"
    "The scheduler starts this helper.\n"
    "\n"
    "  --make TEXT    write a credential that contains this text, and exit\n"
    "  --socket FILE  munged's socket, if it is not at its default path\n"
    "  --man          write the page 'maui-munge' for man(1), and exit\n"
    "  --version      show the release, and exit\n";

std::string manual() {
  maui::ManualPage page("maui-munge", 8, MAUI_VERSION, "the maui scheduler's helper for munge");
  page.section("SYNOPSIS")
      .text("maui-munge [--socket FILE]; maui-munge [--socket FILE] --make TEXT");
  page.section("DESCRIPTION")
      .text(
          "Decodes the credentials of clients that CLIENTCFG[HOST] AUTHTYPE=MUNGE admits. maui(8) "
          "starts it when the first credential arrives, writes one credential per line, and reads "
          "a line for each: who made it, when, and the key in it. munged may be slow or hang: the "
          "scheduler does not wait, and ends this helper after a timeout. With RMCFG[NAME] "
          "TYPE=PBS AUTHTYPE=MUNGE it makes the credentials that identify maui to the PBS server.");
  page.section("OPTIONS")
      .item("--socket FILE",
            "munged's socket, if it is not at its default path; MUNGESOCKET of "
            "CLIENTCFG[localhost] in maui.cfg.")
      .item("--make TEXT", "Write a credential that contains this text, and exit.")
      .item("--man", "Write this page, and exit.")
      .item("--version", "Show the release, and exit.");
  page.section("EXIT STATUS")
      .text(
          "0: end of input, or the credential is made; 1: it could not be made; 2: the command "
          "line is wrong.");
  page.section("EXAMPLES")
      .text("Check whether munged answers, with an invalid credential:")
      .example("echo MUNGE:nothing: | maui-munge");
  return page.section("SEE ALSO").text("maui(8), maui.cfg(5), munged(8), munge(1)").str();
}

}  // namespace

int main(int argc, char** argv) {
  std::string socket;
  if (argc == 2 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h")) {
    std::fputs(kUsage.data(), stdout);
    return 0;
  }
  if (argc == 2 && std::string_view(argv[1]) == "--man") {
    fmt::print("{}", manual());
    return 0;
  }
  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    fmt::print("maui-munge version {}\n", MAUI_VERSION);
    return 0;
  }
  int at = 1;
  if (argc > at + 1 && std::string_view(argv[at]) == "--socket") {
    socket = argv[at + 1];
    at += 2;
  }
  if (argc == at + 2 && std::string_view(argv[at]) == "--make") {
    const auto made = maui::munge::make_plain_credential(socket, argv[at + 1]);
    fmt::print(made ? stdout : stderr, "{}\n", made ? *made : made.error().what);
    return made ? 0 : 1;
  }
  if (argc != at) {
    fmt::print(stderr, "maui-munge: '{}' is not understood\n{}", argv[at], kUsage);
    return 2;
  }
  for (std::string line; std::getline(std::cin, line);) {
    const auto read = maui::may_be_credential(line)
                          ? maui::munge::read_credential(socket, line)
                          : maui::Result<maui::Voucher>(maui::Error{"not a munge credential"});
    fmt::print("{}\n", maui::voucher_line(read));
    std::fflush(stdout);
  }
  return 0;
}
