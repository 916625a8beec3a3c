#include "render/printable_reply.h"

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/told_text.h"
#include "proto/reply_fields.h"

namespace maui {
namespace {

void clean(std::int64_t&) {}
void clean(double&) {}
void clean(bool&) {}
void clean(JobAction&) {}
void clean(std::string& text) { text = printable(text); }
template <class T>
requires std::is_aggregate_v<T>
void clean(T& value);
template <class T>
void clean(std::vector<T>& values) {
  for (auto& value : values) clean(value);
}
template <class T>
void clean(std::optional<T>& value) {
  if (value) clean(*value);
}
template <class T>
requires std::is_aggregate_v<T>
void clean(T& value) {
  visit_fields(value, [](std::string_view, auto& member) { clean(member); });
}

}  // namespace

Reply printable(const Reply& reply) {
  if (const auto* refusal = std::get_if<Refusal>(&reply))
    return Refusal{printable_lines(refusal->reason)};  // a line for each thing refused
  return std::visit(
      [](auto body) {
        clean(body);
        return Reply(std::move(body));
      },
      static_cast<const AnyReply&>(reply));
}

}  // namespace maui
