#include "render/printable_reply.h"

#include <cstddef>
#include <string>
#include <variant>

#include "base/outside_text.h"
#include "proto/reply_shape.h"

namespace maui {
namespace {

void clean(const ReplyShape& shape, void* value) {
  if (shape.kind == ReplyShape::Kind::text) {
    auto& text = value_as<std::string>(value);
    text = printable(text);
  }
  for (const ReplyMember& member : shape.members) clean(*member.shape, member.in(value));
  if (shape.element == nullptr) return;
  for (std::size_t i = 0, count = shape.count(value); i < count; ++i)
    clean(*shape.element, shape.element_of(value, i));
}

}  // namespace

Reply printable(const Reply& reply) {
  if (const auto* refusal = std::get_if<Refusal>(&reply))
    return Refusal{printable_lines(refusal->reason)};  // one line per refused item
  Reply cleaned = copy_of(reply);
  clean(shape_of(cleaned), body_of(cleaned));
  return cleaned;
}

}  // namespace maui
