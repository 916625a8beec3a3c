// The scheduler's program; its main code begins in src/daemon/program.h.
#include <string>
#include <vector>

#include "daemon/program.h"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return maui::run_program(argc > 0 ? argv[0] : "maui", words, {MAUI_VERSION, MAUI_BUILT_WITH});
}
