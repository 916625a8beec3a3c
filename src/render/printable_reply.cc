#include "render/printable_reply.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "base/outside_text.h"
#include "base/percent.h"
#include "proto/reply_shape.h"

namespace maui {
namespace {

// The members of replies that are names, or lists of names, which their owners may choose.
constexpr std::string_view kNames[] = {
    "account",     "accounts",      "blocked_by",  "charge_account", "classes",
    "default_qos", "features",      "group",       "groups",         "job",
    "job_class",   "jobs",          "main_host",   "name",           "node",
    "nodes",       "owner",         "partition",   "partitions",     "qos",
    "qos_list",    "qos_requested", "reservation", "system_default", "system_list",
    "user",        "users"};

bool is_name(const ReplyMember& member) {
  return (member.shape->kind == ReplyShape::Kind::text ||
          member.shape->is_list_of(ReplyShape::Kind::text)) &&
         std::find(std::begin(kNames), std::end(kNames), member.name) != std::end(kNames);
}

class Cleaner {
 public:
  explicit Cleaner(bool one_word) : one_word_(one_word) {}

  void clean(const ReplyShape& shape, void* value, bool name = false) const {
    if (shape.kind == ReplyShape::Kind::text) {
      auto& text = value_as<std::string>(value);
      text = printable(text);
      if (name) text = percent_escaped(text);
    }
    for (const ReplyMember& member : shape.members)
      clean(*member.shape, member.in(value), one_word_ && is_name(member));
    if (shape.element == nullptr) return;
    for (std::size_t i = 0, count = shape.count(value); i < count; ++i)
      clean(*shape.element, shape.element_of(value, i), name);
  }

 private:
  bool one_word_;
};

Reply cleaned(const Reply& reply, bool one_word) {
  if (const auto* refusal = std::get_if<Refusal>(&reply))
    return Refusal{printable_lines(refusal->reason)};  // one line per refused item
  Reply copy = copy_of(reply);
  Cleaner(one_word).clean(shape_of(copy), body_of(copy));
  return copy;
}

}  // namespace

Reply printable(const Reply& reply) { return cleaned(reply, false); }

Reply printable_in_columns(const Reply& reply) {
  // The names of parameters are text of maui.cfg.
  return cleaned(reply, !std::holds_alternative<ConfigReply>(reply));
}

}  // namespace maui
