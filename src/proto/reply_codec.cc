#include "proto/reply_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "proto/reply_reader.h"
#include "proto/reply_shape.h"

namespace maui {
namespace {

void write(JsonWriter& json, const ReplyShape& shape, const void* value) {
  switch (shape.kind) {
    case ReplyShape::Kind::integer:
      return json.integer(value_as<std::int64_t>(value));
    case ReplyShape::Kind::number:
      return json.number(value_as<double>(value));
    case ReplyShape::Kind::boolean:
      return json.boolean(value_as<bool>(value));
    case ReplyShape::Kind::text:
      return json.string(value_as<std::string>(value));
    case ReplyShape::Kind::action:
      return json.string(job_action_name(value_as<JobAction>(value)));
    case ReplyShape::Kind::record:
      json.begin_object();
      for (const ReplyMember& member : shape.members) {
        json.key(member.name);
        write(json, *member.shape, member.in(value));
      }
      return json.end_object();
    case ReplyShape::Kind::list:
      json.begin_array();
      for (std::size_t i = 0, count = shape.count(value); i < count; ++i)
        write(json, *shape.element, shape.at(value, i));
      return json.end_array();
    case ReplyShape::Kind::optional:
      if (shape.count(value) == 0) return json.null();
      return write(json, *shape.element, shape.at(value, 0));
  }
}

}  // namespace

// The names of the remarks, which no member of a reply has.
constexpr std::string_view kNotKept = "not_kept", kNotReported = "not_reported",
                           kStopped = "stopped";

std::string encode_reply(const Reply& reply, JsonLayout layout, ReplyRemarks remarks) {
  ReplyEncoder encoder(reply, layout, std::move(remarks));
  encoder.go_on([] { return false; });
  return encoder.take();
}

ReplyEncoder::ReplyEncoder(const Reply& reply, JsonLayout layout, ReplyRemarks remarks)
    : reply_(reply), json_(layout), remarks_(std::move(remarks)) {
  json_.begin_object();
  json_.key("reply");
  json_.string(reply_kind(reply_));
}

bool ReplyEncoder::go_on(const std::function<bool()>& enough) {
  const ReplyShape& shape = shape_of(reply_);
  while (member_ < shape.members.size()) {
    const ReplyMember& member = shape.members[member_];
    if (member.shape->kind == ReplyShape::Kind::list)
      write_rows(member);
    else
      write_member(member);
    if (member_ < shape.members.size() && enough()) return false;
  }
  write_remarks();
  json_.end_object();
  return true;
}

void ReplyEncoder::write_remarks() {
  if (!remarks_.not_kept.empty()) json_.member(kNotKept, remarks_.not_kept);
  if (!remarks_.stopped.empty()) json_.member(kStopped, remarks_.stopped);
  if (remarks_.not_reported.empty()) return;
  json_.key(kNotReported);
  json_.begin_array();
  for (const auto& manager : remarks_.not_reported) json_.string(manager);
  json_.end_array();
}

void ReplyEncoder::write_member(const ReplyMember& member) {
  json_.key(member.name);
  write(json_, *member.shape, member.in(body_of(reply_)));
  ++member_;
}

void ReplyEncoder::write_rows(const ReplyMember& member) {
  constexpr std::size_t kAtOnce = 200;
  const void* const rows = member.in(body_of(reply_));
  const std::size_t count = member.shape->count(rows);
  if (row_ == 0) {
    json_.key(member.name);
    json_.begin_array();
  }
  for (const std::size_t end = std::min(count, row_ + kAtOnce); row_ < end; ++row_)
    write(json_, *member.shape->element, member.shape->at(rows, row_));
  if (row_ < count) return;
  json_.end_array();
  row_ = 0;
  ++member_;
}

Result<Reply> decode_reply(std::string_view text) {
  ReplyReader reader;
  if (!nlohmann::json::sax_parse(text, &reader)) return Error{"bad reply: " + reader.error};
  return *std::move(reader.reply);
}

std::string encode_as_not_kept(std::string encoded, std::string_view why) {
  JsonWriter text;
  text.string(why);
  encoded.pop_back();  // the closing brace
  return fmt::format("{},\"{}\":{}}}", encoded, kNotKept, text.take());
}

ReplyRemarks remarks_of(std::string_view text) {
  const auto mentions = [&](std::string_view name) { return text.find(name) != text.npos; };
  if (!mentions(kNotKept) && !mentions(kNotReported) && !mentions(kStopped)) return {};
  // A long reply is not stored completely: lists of rows are skipped.
  std::string_view list;
  const auto wanted = [&](int depth, nlohmann::json::parse_event_t event, const auto& value) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::key && depth == 1)
      list = value == kNotReported ? kNotReported : std::string_view();
    if (depth == 1 && event == Event::array_start) return list == kNotReported;
    return depth == 0 || (event != Event::object_start && event != Event::array_start);
  };
  const auto members = nlohmann::json::parse(text, wanted, /*allow_exceptions=*/false);
  if (!members.is_object()) return {};
  ReplyRemarks remarks;
  if (const auto at = members.find(kNotKept); at != members.end() && at->is_string())
    remarks.not_kept = at->get<std::string>();
  if (const auto at = members.find(kStopped); at != members.end() && at->is_string())
    remarks.stopped = at->get<std::string>();
  if (const auto at = members.find(kNotReported); at != members.end() && at->is_array())
    for (const auto& manager : *at)
      if (manager.is_string()) remarks.not_reported.push_back(manager.get<std::string>());
  return remarks;
}

}  // namespace maui
