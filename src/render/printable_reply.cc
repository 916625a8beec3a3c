#include "render/printable_reply.h"

#include <cstddef>
#include <string>
#include <variant>

#include "base/outside_text.h"
#include "base/percent.h"
#include "proto/reply_shape.h"

namespace maui {
namespace {

/// `one_word`: the text, or each text of the list, becomes one word.  `names`: so do the names in a
/// record.
void clean(const ReplyShape& shape, void* value, bool names, bool one_word = false) {
  if (shape.kind == ReplyShape::Kind::text) {
    auto& text = value_as<std::string>(value);
    text = printable(text);
    if (one_word) text = percent_escaped(text);
  }
  for (const ReplyMember& member : shape.members)
    clean(*member.shape, member.in(value), names, names && !member.prose);
  if (shape.element == nullptr) return;
  for (std::size_t i = 0, count = shape.count(value); i < count; ++i)
    clean(*shape.element, shape.element_of(value, i), names, one_word);
}

Reply cleaned(const Reply& reply, bool names) {
  if (const auto* refusal = std::get_if<Refusal>(&reply))
    return Refusal{printable_lines(refusal->reason)};  // one line per refused item
  Reply copy = copy_of(reply);
  clean(shape_of(copy), body_of(copy), names);
  return copy;
}

}  // namespace

Reply printable(const Reply& reply) { return cleaned(reply, false); }

Reply printable_in_columns(const Reply& reply) { return cleaned(reply, true); }

}  // namespace maui
