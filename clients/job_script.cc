#include "job_script.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "base/text.h"

namespace maui {

Result<std::string> script_head(const std::string& path) {
  constexpr std::size_t kMostLines = 2000, kMostBytes = 64 * 1024;
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file) return Error{fmt::format("cannot read '{}': {}", path, std::strerror(errno))};
  }
  std::istream& in = path == "-" ? std::cin : file;
  std::string head, line;
  std::size_t lines = 0;
  while (std::getline(in, line)) {
    const auto text = trimmed(line);
    if (!text.empty() && text.front() != '#') break;
    if (text.starts_with("#SBATCH") || text.starts_with("#PBS")) head += text;
    head += '\n';
    if (++lines > kMostLines || head.size() > kMostBytes || line.size() > kMostBytes)
      return Error{
          fmt::format("'{}' is not a job script: its head is longer than {} lines or {} bytes",
                      path, kMostLines, kMostBytes)};
  }
  if (in.bad()) return Error{fmt::format("cannot read '{}'", path)};
  if (head.find('#') == head.npos)
    return Error{
        fmt::format("'{}': no line begins with #SBATCH or #PBS before the first command", path)};
  return head;
}

}  // namespace maui
