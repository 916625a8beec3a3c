// The web page: HTML, CSS and JavaScript modules that show the API's data in a browser.
//
// The files are in this folder; the build embeds them in the program (cmake/embed_page.cmake).
// They load nothing from other hosts, so that the page works in a cluster without the internet.
#pragma once
#include <span>
#include <string_view>

namespace maui {

struct PageFile {
  std::string_view name;  // "queue.js"
  std::string_view type;  // "text/javascript; charset=utf-8"
  std::string_view text;
};

/// Returns all files, as embedded by the build.
std::span<const PageFile> page_files();

/// Returns the file of that name, or nullptr.
const PageFile* page_file(std::string_view name);

}  // namespace maui
