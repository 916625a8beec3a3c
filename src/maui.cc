// The scheduler's program; its main code begins in src/daemon/program.h.
#include <string>
#include <vector>

#include "daemon/process_limits.h"
#include "daemon/program.h"

namespace {

// Before all that needs memory, such as the constants of other files: without it, the program could
// not say why it ends.
[[gnu::constructor(101)]] void check_limits() { maui::end_if_limits_are_unusable(); }

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return maui::run_program(argc > 0 ? argv[0] : "maui", words, {MAUI_VERSION, MAUI_BUILT_WITH});
}
