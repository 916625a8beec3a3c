#include "daemon/start_warnings.h"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <string_view>

#include "base/outside_text.h"
#include "base/text.h"
#include "daemon/programs/munge_reader.h"
#include "programs/inquiry.h"

namespace maui {
namespace {

/// Returns the reason in an answer of the helper.
std::string_view why_not(std::string_view answer) {
  constexpr std::string_view kRefusal = "NO ";
  answer = trimmed(answer);
  return answer.starts_with(kRefusal) ? answer.substr(kRefusal.size()) : answer;
}

class Warnings {
 public:
  Warnings(const Home& home, const Configuration& configuration)
      : home_(home), configuration_(configuration), server_(configuration.settings().server) {}

  std::vector<Diagnostic> find() {
    look_at_home();
    if (configuration_.client_authentication().uses_munge()) ask_munged();
    return std::move(found_);
  }

 private:
  /// A value from the command line has no line.
  void warn(std::string_view parameter, std::string text) {
    const int line = configuration_.line_of(parameter);
    found_.push_back({line > 0 ? home_.config_file : std::string(), line,
                      fmt::format("{}: {}", parameter, text), true});
  }

  void look_at_home() {
    if (!server_.home.empty() && server_.home != home_.directory)
      warn("MAUIHOMEDIR", fmt::format("'{}' is ignored: the home directory is '{}'", server_.home,
                                      home_.directory));
  }

  /// munged calls this credential invalid; any other answer means that it was not reached.
  void ask_munged() {
    const auto helper = munge_helper();
    if (!helper) return;  // an error, which is reported elsewhere
    ProgramCall call{*helper, {}, Whose::ours};
    const auto socket = configuration_.client_authentication().munge_socket_of(
        [](std::string_view known) { return same_word(known, "localhost"); });
    if (!socket.empty()) call.arguments = {"--socket", socket};
    const auto answer = inquire_and_wait(call, "MUNGE:nothing:\n", {std::chrono::seconds(2)});
    if (answer && answer->find("Invalid credential") != std::string::npos) return;
    warn("CLIENTCFG",
         fmt::format(
             "AUTHTYPE=MUNGE: commands that munge vouches for are refused until munged answers: "
             "{}",
             answer ? printable(why_not(*answer)) : answer.error().what));
  }

  const Home& home_;
  const Configuration& configuration_;
  const ServerSettings& server_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> start_warnings(const Home& home, const Configuration& configuration) {
  return Warnings(home, configuration).find();
}

}  // namespace maui
