#include "proto/reply_schema.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "proto/json_writer.h"
#include "proto/reply_codec.h"
#include "proto/reply_rows.h"
#include "proto/reply_shape.h"

namespace maui {
namespace {

// The functions below write members of an object that is open.
void type(JsonWriter& json, std::string_view name) { json.member("type", name); }

/// Writes an object with these members, all required except those in `optional`; later releases may
/// add members.
template <class Members>
void object(JsonWriter& json, Members members,
            std::initializer_list<std::string_view> optional = {}) {
  type(json, "object");
  std::vector<std::string> names;
  json.key("properties");
  json.begin_object();
  members([&](std::string_view name, auto schema) {
    if (std::find(optional.begin(), optional.end(), name) == optional.end())
      names.emplace_back(name);
    json.key(name);
    json.begin_object();
    schema();
    json.end_object();
  });
  json.end_object();
  json.key("required");
  json.begin_array();
  for (const auto& name : names) json.string(name);
  json.end_array();
}

void describe(JsonWriter& json, const ReplyShape& shape) {
  switch (shape.kind) {
    case ReplyShape::Kind::integer:
      return type(json, "integer");
    case ReplyShape::Kind::number:
      return type(json, "number");
    case ReplyShape::Kind::boolean:
      return type(json, "boolean");
    case ReplyShape::Kind::text:
      return type(json, "string");
    case ReplyShape::Kind::action:
      json.key("enum");
      json.begin_array();
      for (const auto name : job_action_names()) json.string(name);
      return json.end_array();
    case ReplyShape::Kind::record:
      return object(json, [&](const auto& add) {
        for (const ReplyMember& member : shape.members)
          add(member.name, [&] { describe(json, *member.shape); });
      });
    case ReplyShape::Kind::list:
      type(json, "array");
      json.key("items");
      json.begin_object();
      describe(json, *shape.element);
      return json.end_object();
    case ReplyShape::Kind::optional:
      json.key("anyOf");
      json.begin_array();
      json.begin_object();
      describe(json, *shape.element);
      json.end_object();
      json.begin_object();
      type(json, "null");
      json.end_object();
      return json.end_array();
  }
}

/// Returns the lists of a record whose rows can be selected, including those of a dry run.
std::vector<std::string_view> row_lists(const ReplyShape& body) {
  std::vector<std::string_view> lists;
  for (const ReplyMember& member : body.members)
    if (member.shape->is_list_of(ReplyShape::Kind::record)) {
      lists.push_back(member.name);
    } else if (member.name == kDryRunMember) {
      const auto more = row_lists(*member.shape->element);
      lists.insert(lists.end(), more.begin(), more.end());
    }
  return lists;
}

void define(JsonWriter& json, std::string_view kind, const ReplyShape& body) {
  const auto lists = row_lists(body);
  json.key(kind);
  json.begin_object();
  const auto members = [&](const auto& add) {
    add("reply", [&] { json.member("const", kind); });
    for (const ReplyMember& member : body.members)
      add(member.name, [&] { describe(json, *member.shape); });
    if (lists.empty()) return;
    add(kRowTotalsMember, [&] {
      type(json, "object");
      json.key("properties");
      json.begin_object();
      for (const auto list : lists) {
        json.key(list);
        json.begin_object();
        type(json, "integer");
        json.end_object();
      }
      json.end_object();
    });
    add(kRowLimitMember, [&] { type(json, "integer"); });
  };
  object(json, members, {kRowTotalsMember, kRowLimitMember});  // only over HTTP
  json.end_object();
}

void define_error(JsonWriter& json) {
  json.key("error");
  json.begin_object();
  object(json, [&](auto member) {
    member("error", [&] {
      object(json, [&](auto inner) {
        inner("status", [&] { type(json, "integer"); });
        inner("message", [&] { type(json, "string"); });
      });
    });
  });
  json.end_object();
}

}  // namespace

std::string reply_schema() {
  JsonWriter json(JsonLayout::lines);
  json.begin_object();
  json.member("$schema", "https://json-schema.org/draft/2020-12/schema");
  json.member("title", "Replies of the maui scheduler");
  json.key("oneOf");
  json.begin_array();
  const auto refer = [&](std::string_view kind) {
    json.begin_object();
    json.member("$ref", "#/$defs/" + std::string(kind));
    json.end_object();
  };
  for (const auto kind : reply_kinds()) refer(kind);
  refer("error");
  json.end_array();
  json.key("$defs");
  json.begin_object();
  for (std::size_t kind = 0; kind < reply_kinds().size(); ++kind)
    define(json, reply_kinds()[kind], shape_of(empty_reply(kind)));
  define_error(json);
  json.end_object();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace maui
