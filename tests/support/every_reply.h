// Replies of every kind, with a value in every member.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "proto/reply_shape.h"

namespace maui::test {

/// Fills every member of a reply, at every depth, with values from `values`: integer(), number()
/// and text().  Lists get two elements.
template <class Values>
class ReplyFiller {
 public:
  explicit ReplyFiller(Values values = {}) : values_(std::move(values)) {}

  void fill(Reply& reply) { fill(shape_of(reply), body_of(reply)); }

 private:
  void fill(const ReplyShape& shape, void* value) {
    switch (shape.kind) {
      case ReplyShape::Kind::integer:
        value_as<std::int64_t>(value) = values_.integer();
        break;
      case ReplyShape::Kind::number:
        value_as<double>(value) = values_.number();
        break;
      case ReplyShape::Kind::boolean:
        value_as<bool>(value) = true;
        break;
      case ReplyShape::Kind::text:
        value_as<std::string>(value) = values_.text();
        break;
      case ReplyShape::Kind::action:
        value_as<JobAction>(value) = JobAction::holds_released;
        break;
      case ReplyShape::Kind::record:
        for (const ReplyMember& member : shape.members) fill(*member.shape, member.in(value));
        break;
      case ReplyShape::Kind::list:
        fill(*shape.element, shape.append(value));
        [[fallthrough]];
      case ReplyShape::Kind::optional:
        fill(*shape.element, shape.append(value));
    }
  }

  Values values_;
};

/// Calls `test` with an empty reply of each kind.
void for_each_reply(auto&& test) {
  for (std::size_t kind = 0; kind < std::variant_size_v<AnyReply>; ++kind) test(empty_reply(kind));
}

}  // namespace maui::test
