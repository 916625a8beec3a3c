// The members of replies as data: code that goes through replies (JSON, tables, choices of rows) is
// written over this, and compiled once instead of once for each type.
//
// A value is a pointer and its shape.  Nothing is checked: a pointer leads to what its shape says.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "maui/reply.h"

namespace maui {

struct ReplyShape;

/// A member of a struct.
struct ReplyMember {
  std::string_view name;
  std::size_t at = 0;  // bytes from the start of the struct
  const ReplyShape* shape = nullptr;

  const void* in(const void* record) const { return static_cast<const char*>(record) + at; }
  void* in(void* record) const { return static_cast<char*>(record) + at; }
};

struct ReplyShape {
  enum class Kind : unsigned char {
    integer,  // std::int64_t
    number,   // double
    boolean,
    text,    // std::string
    action,  // JobAction
    record,  // a struct
    list,    // std::vector
    optional,
  };

  Kind kind;
  std::vector<ReplyMember> members = {};  // of a record
  // The element of a list; and of an optional, which is a list of one element at most.
  const ReplyShape* element = nullptr;
  std::size_t (*count)(const void* list) = nullptr;
  const void* (*at)(const void* list, std::size_t place) = nullptr;
  void* (*append)(void* list) = nullptr;  // an empty element, which is returned
  void (*clear)(void* list) = nullptr;

  void* element_of(void* list, std::size_t place) const {
    return const_cast<void*>(at(list, place));
  }
  bool is_plain() const { return kind <= Kind::text; }
  bool is_list_of(Kind of) const { return kind == Kind::list && element->kind == of; }
  const ReplyMember* find(std::string_view name) const;
};

/// Returns the value as the type that its shape stands for.
template <class T>
const T& value_as(const void* value) {
  return *static_cast<const T*>(value);
}
template <class T>
T& value_as(void* value) {
  return *static_cast<T*>(value);
}

/// Copies a value over another of the same shape.
void copy_value(const ReplyShape& shape, const void* from, void* to);

/// Returns the shape of the reply's struct, whose value is at body_of().
const ReplyShape& shape_of(const Reply& reply);
const void* body_of(const Reply& reply);
void* body_of(Reply& reply);
Reply copy_of(const Reply& reply);

/// The member of a reply that says what a command would do (DryRun).
inline constexpr std::string_view kDryRunMember = "dry_run";

/// Returns an empty reply of the kind at that place of AnyReply.
Reply empty_reply(std::size_t kind);

/// The way from a row to one of its members, or to a member of a member.
class MemberPath {
 public:
  void enter(const ReplyMember& member) { members_.push_back(member); }
  /// Requires that a member was entered.
  const ReplyShape& shape() const { return *members_.back().shape; }
  /// Returns the member; nullptr where an optional on the way to it is empty.
  const void* in(const void* row) const;

 private:
  std::vector<ReplyMember> members_;
};

/// Finds a plain member by its name, with a dot before that of a member's member.
std::optional<MemberPath> find_plain_member(const ReplyShape& row, std::string_view name);

}  // namespace maui
