#include "page/page.h"

#include <algorithm>

namespace maui {

const PageFile* page_file(std::string_view name) {
  const auto files = page_files();
  const auto at = std::find_if(files.begin(), files.end(),
                               [&](const PageFile& file) { return file.name == name; });
  return at == files.end() ? nullptr : &*at;
}

}  // namespace maui
