#include "compare/report_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "compare/charts.h"
#include "compare/pictures.h"
#include "compare/report_html.h"

namespace maui::compare {

Status write_file(const std::filesystem::path& path, std::string_view text) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out)
    return Error{fmt::format("'{}' cannot be written: {}", path.string(),
                             std::strerror(errno == 0 ? EIO : errno))};
  return Done{};
}

Status make_report_directory(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    return Error{fmt::format("the directory '{}' cannot be made: {}", directory, error.message())};
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    return Error{fmt::format("'{}' cannot be written: {}", directory, std::strerror(errno))};
  return Done{};
}

Status write_report(const std::string& directory, const Comparison& comparison,
                    const std::vector<Judgement>& judgements) {
  const std::filesystem::path in = directory;
  const std::pair<const char*, std::string> files[] = {
      {"index.html", comparison_html(comparison, judgements)},
      {"report.json", comparison_json(comparison, judgements)},
      {"measures.csv", measures_csv(comparison)},
      {"jobs.csv", jobs_csv(comparison)},
  };
  for (const auto& [name, text] : files)
    if (auto status = write_file(in / name, text); !status) return status;
  for (const Picture& picture : pictures_of(comparison))
    if (auto status = write_file(in / (picture.name + ".svg"), stand_alone(picture.drawing));
        !status)
      return status;
  return Done{};
}

}  // namespace maui::compare
