#include "proto/reply_shape.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "proto/reply_fields.h"

namespace maui {
namespace {

using Kind = ReplyShape::Kind;

template <class T>
const ReplyShape& shape_for();

/// Collects the members of a struct from an instance of it.
class MemberNotes {
 public:
  MemberNotes(const void* record, std::vector<ReplyMember>& members)
      : record_(record), members_(members) {}
  template <class Member>
  void operator()(const char* name, const Member& member) {
    note(name, &member, shape_for<Member>());
  }

 private:
  void note(const char* name, const void* member, const ReplyShape& shape);

  const void* record_;
  std::vector<ReplyMember>& members_;
};

void MemberNotes::note(const char* name, const void* member, const ReplyShape& shape) {
  const auto at = static_cast<const char*>(member) - static_cast<const char*>(record_);
  members_.push_back({name, static_cast<std::size_t>(at), &shape, false});
}

void note_prose(std::string_view name, std::vector<ReplyMember>& members) {
  for (ReplyMember& member : members) member.prose |= member.name == name;
}

template <class T>
struct Made {
  static ReplyShape shape() {
    static const T sample{};
    ReplyShape made{Kind::record};
    visit_fields(sample, MemberNotes(&sample, made.members));
    const auto note = [&](const char* name, const auto&) { note_prose(name, made.members); };
    if constexpr (requires { visit_prose(sample, note); }) visit_prose(sample, note);
    return made;
  }
};

template <class T, Kind kKind>
struct MadePlain {
  static ReplyShape shape() { return {kKind}; }
};
template <>
struct Made<std::int64_t> : MadePlain<std::int64_t, Kind::integer> {};
template <>
struct Made<double> : MadePlain<double, Kind::number> {};
template <>
struct Made<bool> : MadePlain<bool, Kind::boolean> {};
template <>
struct Made<std::string> : MadePlain<std::string, Kind::text> {};
template <>
struct Made<JobAction> : MadePlain<JobAction, Kind::action> {};

template <class T>
struct Made<std::vector<T>> {
  using List = std::vector<T>;
  static ReplyShape shape() {
    ReplyShape made{Kind::list};
    made.element = &shape_for<T>();
    made.count = [](const void* list) { return value_as<List>(list).size(); };
    made.at = [](const void* list, std::size_t place) -> const void* {
      return &value_as<List>(list)[place];
    };
    made.append = [](void* list) -> void* { return &value_as<List>(list).emplace_back(); };
    made.clear = [](void* list) { value_as<List>(list).clear(); };
    return made;
  }
};

template <class T>
struct Made<std::optional<T>> {
  using Optional = std::optional<T>;
  static ReplyShape shape() {
    ReplyShape made{Kind::optional};
    made.element = &shape_for<T>();
    made.count = [](const void* value) -> std::size_t { return value_as<Optional>(value) ? 1 : 0; };
    made.at = [](const void* value, std::size_t) -> const void* {
      return &*value_as<Optional>(value);
    };
    made.append = [](void* value) -> void* { return &value_as<Optional>(value).emplace(); };
    made.clear = [](void* value) { value_as<Optional>(value).reset(); };
    return made;
  }
};

template <class T>
const ReplyShape& shape_for() {
  static const ReplyShape kShape = Made<T>::shape();
  return kShape;
}

struct ReplyKind {
  const ReplyShape& (*shape)();
  Reply (*empty)();
};

template <std::size_t... kIndex>
constexpr auto make_makers(std::index_sequence<kIndex...>) {
  return std::array{ReplyKind{shape_for<std::variant_alternative_t<kIndex, AnyReply>>, [] {
                                return Reply(std::variant_alternative_t<kIndex, AnyReply>{});
                              }}...};
}

constexpr auto kMakers = make_makers(std::make_index_sequence<std::variant_size_v<AnyReply>>());

}  // namespace

const ReplyMember* ReplyShape::find(std::string_view name) const {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const ReplyMember& member) { return member.name == name; });
  return found == members.end() ? nullptr : &*found;
}

void copy_value(const ReplyShape& shape, const void* from, void* to) {
  switch (shape.kind) {
    case Kind::integer:
      value_as<std::int64_t>(to) = value_as<std::int64_t>(from);
      break;
    case Kind::number:
      value_as<double>(to) = value_as<double>(from);
      break;
    case Kind::boolean:
      value_as<bool>(to) = value_as<bool>(from);
      break;
    case Kind::text:
      value_as<std::string>(to) = value_as<std::string>(from);
      break;
    case Kind::action:
      value_as<JobAction>(to) = value_as<JobAction>(from);
      break;
    case Kind::record:
      for (const ReplyMember& member : shape.members)
        copy_value(*member.shape, member.in(from), member.in(to));
      break;
    case Kind::list:
    case Kind::optional:
      shape.clear(to);
      for (std::size_t i = 0, count = shape.count(from); i < count; ++i)
        copy_value(*shape.element, shape.at(from, i), shape.append(to));
  }
}

const ReplyShape& shape_of(const Reply& reply) { return kMakers.at(reply.index()).shape(); }

const void* body_of(const Reply& reply) {
  return std::visit([](const auto& body) -> const void* { return &body; },
                    static_cast<const AnyReply&>(reply));
}

void* body_of(Reply& reply) {
  return const_cast<void*>(body_of(std::as_const(reply)));  // the reply is not const
}

Reply empty_reply(std::size_t kind) { return kMakers.at(kind).empty(); }

Reply copy_of(const Reply& reply) {
  Reply copy = empty_reply(reply.index());
  copy_value(shape_of(reply), body_of(reply), body_of(copy));
  return copy;
}

const void* MemberPath::in(const void* row) const {
  const void* value = row;
  for (const ReplyMember& member : members_) {
    value = member.in(value);
    if (member.shape->kind != Kind::optional) continue;
    if (member.shape->count(value) == 0) return nullptr;
    value = member.shape->at(value, 0);
  }
  return value;
}

std::optional<MemberPath> find_plain_member(const ReplyShape& row, std::string_view name) {
  MemberPath path;
  for (const ReplyShape* shape = &row;;) {
    const auto dot = name.find('.');
    const ReplyMember* member = shape->find(name.substr(0, dot));
    if (member == nullptr) return std::nullopt;
    path.enter(*member);
    shape = member->shape;
    if (dot == name.npos) break;
    name.remove_prefix(dot + 1);
    if (shape->kind == Kind::optional) shape = shape->element;
    if (shape->kind != Kind::record) return std::nullopt;
  }
  if (!path.shape().is_plain()) return std::nullopt;
  return path;
}

}  // namespace maui
