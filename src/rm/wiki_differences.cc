#include "rm/wiki_differences.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace maui {
namespace {

// Attributes that report the state of a job, not its request.
constexpr std::array<std::string_view, 20> kStanding{
    "UPDATETIME", "STATE",   "STARTTIME", "COMPLETETIME", "TASKLIST", "PRIORITY",  "EXITCODE",
    "REJMESSAGE", "REJCODE", "REJCOUNT",  "SUSPENDTIME",  "EVENT",    "QUEUETIME", "WAITREASON",
    "UCPUTIME",   "UPROCS",  "UMEM",      "USWAP",        "UDISK",    "UTIME"};

bool belongs_to(Aspect aspect, std::string_view name) {
  switch (aspect) {
    case Aspect::all:
      return name != "UPDATETIME";
    case Aspect::request:
      return std::find(kStanding.begin(), kStanding.end(), name) == kStanding.end();
    case Aspect::limit:
      return name == "WCLIMIT";
  }
  return false;
}

using Attributes = std::vector<std::pair<std::string_view, std::string_view>>;

Attributes compared(const WikiRecord& record, Aspect aspect) {
  Attributes attributes;
  attributes.reserve(record.attributes.size());
  for (const auto& [name, value] : record.attributes)
    if (belongs_to(aspect, name)) attributes.emplace_back(name, value);
  return attributes;
}

}  // namespace

bool same(const WikiRecord& a, const WikiRecord& b, Aspect aspect) {
  auto of_a = compared(a, aspect), of_b = compared(b, aspect);
  if (of_a == of_b) return true;
  if (of_a.size() != of_b.size()) return false;
  std::sort(of_a.begin(), of_a.end());
  std::sort(of_b.begin(), of_b.end());
  return of_a == of_b;
}

bool repeats(const SharedWikiRecord& answer, const SharedWikiRecord& known) {
  return known && (answer == known || answer->attributes == known->attributes);
}

SharedWikiRecord next_record(const SharedWikiRecord& known, const SharedWikiRecord& answer,
                             bool all) {
  if (all || !known) return answer;
  WikiRecord next = *known;
  next.merge(*answer);
  return shared(std::move(next));
}

bool has_cpu_time_as_of_now(const WikiRecord& record) {
  return record.find("UCPUTIME") != nullptr && record.find("UTIME") == nullptr;
}

}  // namespace maui
