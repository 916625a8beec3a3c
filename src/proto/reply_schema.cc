#include "proto/reply_schema.h"

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "proto/json_writer.h"
#include "proto/reply_codec.h"
#include "proto/reply_fields.h"

namespace maui {
namespace {

// One schema a type: each writes the members of an object that is open.
void describe(JsonWriter& json, const std::int64_t&);
void describe(JsonWriter& json, const double&);
void describe(JsonWriter& json, const bool&);
void describe(JsonWriter& json, const std::string&);
void describe(JsonWriter& json, const JobAction&);
template <class T>
void describe(JsonWriter& json, const std::vector<T>&);
template <class T>
void describe(JsonWriter& json, const std::optional<T>&);
template <class T>
requires std::is_aggregate_v<T>
void describe(JsonWriter& json, const T& value);

void type(JsonWriter& json, std::string_view name) { json.member("type", name); }

/// An object with such members, all of which are there; later releases may have more.
template <class Members>
void object(JsonWriter& json, Members members) {
  type(json, "object");
  std::vector<std::string> names;
  json.key("properties");
  json.begin_object();
  members([&](std::string_view name, auto schema) {
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

void describe(JsonWriter& json, const std::int64_t&) { type(json, "integer"); }
void describe(JsonWriter& json, const double&) { type(json, "number"); }
void describe(JsonWriter& json, const bool&) { type(json, "boolean"); }
void describe(JsonWriter& json, const std::string&) { type(json, "string"); }
void describe(JsonWriter& json, const JobAction&) {
  json.key("enum");
  json.begin_array();
  for (const auto name : job_action_names()) json.string(name);
  json.end_array();
}

template <class T>
void describe(JsonWriter& json, const std::vector<T>&) {
  type(json, "array");
  json.key("items");
  json.begin_object();
  describe(json, T{});
  json.end_object();
}

template <class T>
void describe(JsonWriter& json, const std::optional<T>&) {
  json.key("anyOf");
  json.begin_array();
  json.begin_object();
  describe(json, T{});
  json.end_object();
  json.begin_object();
  type(json, "null");
  json.end_object();
  json.end_array();
}

template <class T>
requires std::is_aggregate_v<T>
void describe(JsonWriter& json, const T& value) {
  object(json, [&](auto member) {
    visit_fields(value, [&](std::string_view name, const auto& inner) {
      member(name, [&] { describe(json, inner); });
    });
  });
}

template <class Body>
void define(JsonWriter& json, std::string_view kind, const Body& body) {
  json.key(kind);
  json.begin_object();
  object(json, [&](auto member) {
    member("reply", [&] { json.member("const", kind); });
    visit_fields(body, [&](std::string_view name, const auto& inner) {
      member(name, [&] { describe(json, inner); });
    });
  });
  json.end_object();
}

template <std::size_t I = 0>
void define_all(JsonWriter& json) {
  if constexpr (I < std::variant_size_v<AnyReply>) {
    define(json, reply_kinds()[I], std::variant_alternative_t<I, AnyReply>{});
    define_all<I + 1>(json);
  }
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
  define_all(json);
  define_error(json);
  json.end_object();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace maui
