// compare_transcript EXPECTED PRINTED: are the answers in PRINTED, each after a line "$ COMMAND",
// of the shapes that EXPECTED gives?
#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "transcript.h"

namespace {

std::string contents(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Printed {
  std::string command;
  std::vector<std::string> lines;
};

std::vector<Printed> parse_printed(const char* path) {
  std::ifstream file(path);
  std::vector<Printed> answers;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("$ "))
      answers.push_back({line.substr(2), {}});
    else if (!answers.empty())
      answers.back().lines.push_back(line);
  }
  return answers;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const auto expected = maui::shapes::parse_transcript(contents(arguments[1]), arguments[1]);
  if (!expected) {
    fmt::print("{}\n", expected.error().what);
    return 2;
  }
  const auto printed = parse_printed(arguments[2]);
  int wrong = expected->size() == printed.size() ? 0 : 1;
  if (wrong != 0) fmt::print("{} answers, not {}\n", printed.size(), expected->size());
  for (std::size_t i = 0; i < std::min(expected->size(), printed.size()); ++i) {
    const auto difference = compare((*expected)[i], printed[i].lines);
    if (difference.empty()) continue;
    ++wrong;
    fmt::print("{}: {}: {}\n", arguments[1], printed[i].command, difference);
  }
  return wrong == 0 ? 0 : 1;
}
