#include "proto/reply_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/enum_names.h"
#include "proto/json_reader.h"
#include "proto/reply_fields.h"

namespace maui {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<AnyReply>> kKinds{
    "refusal",
    "queue",
    "active_queue",
    "idle_queue",
    "blocked_queue",
    "job",
    "start",
    "jobs",
    "node",
    "state",
    "windows",
    "reservations",
    "reserved_nodes",
    "reservation_chart",
    "reservation_created",
    "reservations_released",
    "statistics",
    "credential_statistics",
    "node_statistics",
    "learning",
    "grid",
    "statistics_reset",
    "config",
    "parameter",
    "shutdown",
    "reload",
    "stop",
    "resume",
    "node_trace",
    "nodes_modified",
    "jobs_diagnosis",
    "nodes_diagnosis",
    "priority",
    "blocked_jobs",
    "reservations_diagnosis",
    "partitions",
    "frames_diagnosis",
    "resource_manager",
    "fairshare",
    "credentials",
    "service",
    "holds",
    "completed_queue",
    "ended_job",
    "profile",
    "history",
    "reservation_history",
    "utilisation_history",
};

constexpr EnumName<JobAction> kActions[] = {
    {JobAction::cancelled, "cancelled"},
    {JobAction::started, "started"},
    {JobAction::suspended, "suspended"},
    {JobAction::requeued, "requeued"},
    {JobAction::checkpointed, "checkpointed"},
    {JobAction::resumed, "resumed"},
    {JobAction::modified, "modified"},
    {JobAction::preempted, "preempted"},
    {JobAction::cleared, "cleared"},
    {JobAction::holds_set, "holds_set"},
    {JobAction::holds_released, "holds_released"},
    {JobAction::priority_set, "priority_set"},
    {JobAction::qos_set, "qos_set"},
};

void write(JsonWriter& json, std::int64_t value) { json.integer(value); }
void write(JsonWriter& json, double value) { json.number(value); }
void write(JsonWriter& json, bool value) { json.boolean(value); }
void write(JsonWriter& json, const std::string& value) { json.string(value); }
void write(JsonWriter& json, JobAction value) {
  json.string(name_of(std::span<const EnumName<JobAction>>(kActions), value));
}
template <class T>
requires std::is_aggregate_v<T>
void write(JsonWriter& json, const T& value);
template <class T>
void write(JsonWriter& json, const std::vector<T>& values);
template <class T>
void write(JsonWriter& json, const std::optional<T>& value);

template <class T>
void write_fields(JsonWriter& json, const T& value) {
  visit_fields(value, [&](std::string_view name, const auto& member) {
    json.key(name);
    write(json, member);
  });
}

template <class T>
requires std::is_aggregate_v<T>
void write(JsonWriter& json, const T& value) {
  json.begin_object();
  write_fields(json, value);
  json.end_object();
}

template <class T>
void write(JsonWriter& json, const std::vector<T>& values) {
  json.begin_array();
  for (const auto& value : values) write(json, value);
  json.end_array();
}

template <class T>
void write(JsonWriter& json, const std::optional<T>& value) {
  if (value)
    write(json, *value);
  else
    json.null();
}

void read(JsonReader& json, std::int64_t& value) { value = json.integer(); }
void read(JsonReader& json, double& value) { value = json.number(); }
void read(JsonReader& json, bool& value) { value = json.boolean(); }
void read(JsonReader& json, std::string& value) { value = json.string(); }
void read(JsonReader& json, JobAction& value) {
  const auto known = value_of(std::span<const EnumName<JobAction>>(kActions), json.string());
  if (known)
    value = *known;
  else
    json.fail("the name of an action");
}
template <class T>
requires std::is_aggregate_v<T>
void read(JsonReader& json, T& value);
template <class T>
void read(JsonReader& json, std::vector<T>& values);
template <class T>
void read(JsonReader& json, std::optional<T>& value);

template <class T>
void read_member(JsonReader& json, std::string_view key, T& value);

// A member of a later release is skipped, so that old clients can talk to new servers.
template <class T>
requires std::is_aggregate_v<T>
void read(JsonReader& json, T& value) {
  json.object([&](std::string_view key) { read_member(json, key, value); });
}

template <class T>
void read_member(JsonReader& json, std::string_view key, T& value) {
  bool found = false;
  visit_fields(value, [&](std::string_view name, auto& member) {
    if (found || name != key) return;
    found = true;
    read(json, member);
  });
  if (!found) json.skip();
}

template <class T>
void read(JsonReader& json, std::vector<T>& values) {
  json.array([&] { read(json, values.emplace_back()); });
}

template <class T>
void read(JsonReader& json, std::optional<T>& value) {
  if (json.null())
    value.reset();
  else
    read(json, value.emplace());
}

template <std::size_t I = 0>
bool choose(Reply& reply, std::string_view kind) {
  if constexpr (I == std::variant_size_v<AnyReply>) {
    return false;
  } else {
    if (kKinds[I] != kind) return choose<I + 1>(reply, kind);
    reply.template emplace<I>();
    return true;
  }
}

}  // namespace

std::string_view reply_kind(const Reply& reply) { return kKinds[reply.index()]; }

std::span<const std::string_view> reply_kinds() { return kKinds; }

std::vector<std::string_view> job_action_names() {
  std::vector<std::string_view> names;
  for (const auto& one : kActions) names.push_back(one.name);
  return names;
}

// Beside the members of the reply, which have no such name.
constexpr std::string_view kNotKept = "not_kept";

std::string encode_reply(const Reply& reply, JsonLayout layout) {
  ReplyEncoder encoder(reply, layout);
  encoder.go_on([] { return false; });
  return encoder.take();
}

ReplyEncoder::ReplyEncoder(const Reply& reply, JsonLayout layout) : reply_(reply), json_(layout) {
  json_.begin_object();
  json_.key("reply");
  json_.string(reply_kind(reply_));
}

bool ReplyEncoder::go_on(const std::function<bool()>& enough) {
  for (std::size_t members = member_ + 1; member_ < members;) {
    members = 0;
    std::visit(
        [&](const auto& body) {
          const std::size_t next = member_;
          visit_fields(body, [&](std::string_view name, const auto& member) {
            if (members++ == next) write_member(name, member);
          });
        },
        reply_);
    if (member_ < members && enough()) return false;
  }
  json_.end_object();
  return true;
}

template <class T>
void ReplyEncoder::write_member(std::string_view name, const T& member) {
  json_.key(name);
  write(json_, member);
  ++member_;
}

template <class T>
void ReplyEncoder::write_member(std::string_view name, const std::vector<T>& rows) {
  constexpr std::size_t kAtOnce = 200;
  if (row_ == 0) {
    json_.key(name);
    json_.begin_array();
  }
  for (const std::size_t end = std::min(rows.size(), row_ + kAtOnce); row_ < end; ++row_)
    write(json_, rows[row_]);
  if (row_ < rows.size()) return;
  json_.end_array();
  row_ = 0;
  ++member_;
}

Result<Reply> decode_reply(std::string_view text) {
  JsonReader json(text);
  Reply reply = Refusal{};
  bool known = false;
  json.object([&](std::string_view key) {
    if (!known) {
      known = key == "reply" && choose(reply, json.string());
      if (!known) json.fail("\"reply\" with a known kind as the first member");
    } else {
      std::visit([&](auto& body) { read_member(json, key, body); }, reply);
    }
  });
  if (!known) json.fail("\"reply\"");
  json.end();
  if (json.failed()) return Error{"bad reply: " + json.error()};
  return reply;
}

std::string encode_as_not_kept(std::string encoded, std::string_view why) {
  JsonWriter text;
  text.string(why);
  encoded.pop_back();  // the end of the object
  return fmt::format("{},\"{}\":{}}}", encoded, kNotKept, text.take());
}

std::string not_kept(std::string_view text) {
  if (text.find(kNotKept) == text.npos) return {};
  JsonReader json(text);
  std::string why;
  json.object([&](std::string_view key) {
    if (key == kNotKept)
      why = json.string();
    else
      json.skip();
  });
  return why;
}

}  // namespace maui
