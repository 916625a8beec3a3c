// The page: HTML, CSS and JavaScript modules that show in a browser what the API returns.
//
// The files stand beside this one; the build puts them into the program (cmake/embed_page.cmake).
// They load nothing from elsewhere, so that a cluster without the internet has all of it.
#pragma once
#include <span>
#include <string_view>

namespace maui {

struct PageFile {
  std::string_view name;  // "queue.js"
  std::string_view type;  // "text/javascript; charset=utf-8"
  std::string_view text;
};

/// All of them, as the build has put them in.
std::span<const PageFile> page_files();

/// The file of that name, or nullptr.
const PageFile* page_file(std::string_view name);

}  // namespace maui
