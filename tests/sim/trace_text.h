// Traces for tests: lines with one field changed, and files that are removed after the test.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace maui::test {

inline std::string node_line(const std::string& name = "n1") {
  return "COMPUTENODE AVAILABLE 0 " + name +
         " PBS1 2048 1024 7140 2 -1 -1 1 linux x86 [fast][compute] [batch:2][long:1] "
         "[ethernet][atm] 1.67 [NONE] [NONE] [NONE]";
}

/// Returns a job submitted at 1000 with two tasks and limit 600 s, which ran 300 s.
inline std::string job_line(const std::string& name = "job.1") {
  return name +
         " 0 2 amy chem 600 Completed [batch:1] 1000 1100 1100 1400 [NONE] [NONE] [NONE] >= 0 >= 0 "
         "[NONE] 1000 2 -1 [NONE] [NONE] [NONE] a.out [NONE] 0 0 [DEFAULT] 1 0 0 0 0 0 [NONE] "
         "[NONE] [NONE] [NONE] [NONE] [NONE] [NONE]";
}

/// Returns `line` with field `field` (from 1) replaced.
inline std::string with(const std::string& line, int field, const std::string& value) {
  std::istringstream in(line);
  std::string out, word;
  for (int i = 1; in >> word; ++i) out += (i > 1 ? " " : "") + (i == field ? value : word);
  return out;
}

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "maui-sim-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::vector<std::string>& lines) const {
    const std::string file = path_ + "/" + name;
    std::ofstream out(file);
    for (const auto& line : lines) out << line << "\n";
    return file;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace maui::test
