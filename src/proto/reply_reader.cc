#include "proto/reply_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "proto/reply_kinds.h"

namespace maui {
namespace {

constexpr std::size_t kMostDepth = 32;

std::string_view name_of(ReplyShape::Kind kind) {
  switch (kind) {
    case ReplyShape::Kind::integer:
      return "an integer";
    case ReplyShape::Kind::number:
      return "a number";
    case ReplyShape::Kind::boolean:
      return "true or false";
    case ReplyShape::Kind::text:
      return "a text";
    case ReplyShape::Kind::action:
      return "the name of an action";
    case ReplyShape::Kind::record:
      return "an object";
    case ReplyShape::Kind::list:
      return "an array";
    case ReplyShape::Kind::optional:
      break;
  }
  return "a value";
}

}  // namespace

bool ReplyReader::fail(std::string_view expected) {
  std::string where;
  for (const Open& open : open_)
    if (open.member != nullptr)
      where += fmt::format("{}{}", where.empty() ? "" : ".", open.member->name);
  error = fmt::format("{}expected {}", where.empty() ? where : where + ": ", expected);
  return false;
}

template <class Set>
bool ReplyReader::put(Set set) {
  if (open_.empty()) return fail("an object");
  if (!reply) return fail("\"reply\" with a known kind as the first member");
  const Open& in = open_.back();
  Place place;
  if (in.shape != nullptr && in.shape->kind == ReplyShape::Kind::list)
    place = {in.shape->element, in.shape->append(in.value)};
  else if (in.member != nullptr)
    place = {in.member->shape, in.member->in(in.value)};
  return place.shape == nullptr || set(place) || fail(name_of(place.shape->kind));
}

bool ReplyReader::null() {
  return put([](const Place& place) {
    if (place.shape->kind != ReplyShape::Kind::optional) return false;
    place.shape->clear(place.value);
    return true;
  });
}

bool ReplyReader::boolean(bool value) {
  return put([&](const Place& place) {
    if (place.shape->kind != ReplyShape::Kind::boolean) return false;
    value_as<bool>(place.value) = value;
    return true;
  });
}

bool ReplyReader::number_integer(number_integer_t value) {
  return put([&](const Place& place) {
    if (place.shape->kind == ReplyShape::Kind::integer)
      value_as<std::int64_t>(place.value) = value;
    else if (place.shape->kind == ReplyShape::Kind::number)
      value_as<double>(place.value) = static_cast<double>(value);
    else
      return false;
    return true;
  });
}

bool ReplyReader::number_unsigned(number_unsigned_t value) {
  if (value <= static_cast<number_unsigned_t>(std::numeric_limits<number_integer_t>::max()))
    return number_integer(static_cast<number_integer_t>(value));
  return number_float(static_cast<double>(value), {});
}

bool ReplyReader::number_float(number_float_t value, const string_t&) {
  return put([&](const Place& place) {
    if (place.shape->kind != ReplyShape::Kind::number) return false;
    value_as<double>(place.value) = value;
    return true;
  });
}

bool ReplyReader::string(string_t& value) {
  if (!reply && open_.size() == 1) return choose_kind(value);
  return put([&](const Place& place) {
    if (place.shape->kind == ReplyShape::Kind::text) {
      value_as<std::string>(place.value) = std::move(value);
      return true;
    }
    const auto action = find_job_action(value);
    if (place.shape->kind != ReplyShape::Kind::action || !action) return false;
    value_as<JobAction>(place.value) = *action;
    return true;
  });
}

bool ReplyReader::choose_kind(std::string_view name) {
  const auto kinds = reply_kinds();
  const auto at = std::find(kinds.begin(), kinds.end(), name);
  if (at == kinds.end()) return fail("a known kind of reply");
  reply = empty_reply(static_cast<std::size_t>(at - kinds.begin()));
  open_.front() = {&shape_of(*reply), body_of(*reply), nullptr};
  return true;
}

bool ReplyReader::binary(binary_t&) { return fail("no binary value"); }

bool ReplyReader::open(ReplyShape::Kind kind) {
  if (open_.size() == kMostDepth) return fail("less nesting");
  Open opened;
  if (open_.empty() && kind == ReplyShape::Kind::record) return open_.push_back(opened), true;
  const bool fits = put([&](Place place) {
    if (place.shape->kind == ReplyShape::Kind::optional)
      place = {place.shape->element, place.shape->append(place.value)};
    opened = {place.shape, place.value, nullptr};
    return place.shape->kind == kind;
  });
  if (fits) open_.push_back(opened);
  return fits;
}

bool ReplyReader::close() {
  open_.pop_back();
  if (open_.empty() && !reply) return fail("\"reply\"");
  return true;
}

bool ReplyReader::start_object(std::size_t) { return open(ReplyShape::Kind::record); }
bool ReplyReader::end_object() { return close(); }
bool ReplyReader::start_array(std::size_t) { return open(ReplyShape::Kind::list); }
bool ReplyReader::end_array() { return close(); }

bool ReplyReader::key(string_t& name) {
  if (!reply && name != "reply") return fail("\"reply\" as the first member");
  Open& in = open_.back();
  if (in.shape != nullptr) in.member = in.shape->find(name);
  return true;
}

bool ReplyReader::parse_error(std::size_t position, const std::string&,
                              const nlohmann::detail::exception& why) {
  const std::string_view text = why.what();  // "[json.exception...] parse error at ...: ..."
  const auto at = text.find(": ");
  error = fmt::format("byte {}: {}", position, text.substr(at == text.npos ? 0 : at + 2));
  return false;
}

}  // namespace maui
