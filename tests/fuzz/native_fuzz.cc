// Any bytes as what a program of the site tells of nodes or jobs: what is read has a name, means
// the same when WIKI's own writer has written it, and stays what it is while another line is
// appended.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "native/lines.h"
#include "rm/wiki_attributes.h"

namespace {

void check(bool right) {
  if (!right) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto told = maui::native::read_lines(text);
  maui::WikiNotes notes;
  for (const auto& record : told.records) {
    check(!record->id.empty());
    static_cast<void>(maui::read_wiki_job(*record, notes));
    static_cast<void>(static_cast<bool>(maui::read_wiki_node(*record, notes)));
  }
  check(maui::native::read_lines(text, true).records.size() <= told.records.size());
  const auto more = maui::native::read_lines(std::string(text) + "\nno.such.name STATE=Idle\n");
  check(more.records.size() >= told.records.size());
  return 0;
}
