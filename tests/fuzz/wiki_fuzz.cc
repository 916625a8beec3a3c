// Any bytes as the content of a WIKI frame, read as a request, as a reply, and as lists of nodes
// and jobs; what is read must come back the same when written and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "rm/wiki_attributes.h"
#include "rm/wiki_message.h"

namespace {

void check(bool right) {
  if (!right) std::abort();
}

void read_records(std::string_view data) {
  const auto found = maui::read_wiki_records(data);
  if (!found) return;
  maui::WikiNotes notes;
  for (const auto& record : found->records) {
    const auto again = maui::write_wiki_job(maui::read_wiki_job(*record, notes));
    const auto jobs = maui::read_wiki_records("1#" + maui::write_wiki(again));
    check(jobs && jobs->records.size() == 1 && jobs->records[0]->id == record->id);
    static_cast<void>(maui::read_wiki_job(*jobs->records[0], notes));
    if (const auto node = maui::read_wiki_node(*record, notes)) {
      const auto list =
          maui::read_wiki_records("1#" + maui::write_wiki(maui::write_wiki_node(*node)));
      check(list && list->records.size() == 1 && list->records[0]->id == record->id);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const maui::WikiSeal seal{1234, "root"};
  if (const auto sealed = maui::open_wiki(bytes, seal)) check(sealed->body.size() <= size);
  const auto open = maui::open_wiki(bytes, std::nullopt);
  if (!open) return 0;
  static_cast<void>(static_cast<bool>(maui::read_wiki_request(open->body)));
  if (const auto reply = maui::read_wiki_reply(open->body)) {
    const auto again = maui::read_wiki_reply(maui::write_wiki(*reply));
    check(again && again->code == reply->code);
    read_records(reply->text);
  }
  read_records(open->body);
  return 0;
}
