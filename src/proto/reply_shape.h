// The members of replies as data: code that processes replies (JSON, tables, choice of rows) uses
// this data and is compiled once instead of once per type.
//
// A value is a pointer and a shape.  Nothing is checked: the pointer must fit the shape.
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
  bool prose = false;  // text with blanks; other text is a name or a word

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
  // The element type of a list, or of an optional, treated as a list of at most one element.
  const ReplyShape* element = nullptr;
  std::size_t (*count)(const void* list) = nullptr;
  const void* (*at)(const void* list, std::size_t place) = nullptr;
  void* (*append)(void* list) = nullptr;  // appends an empty element and returns it
  void (*clear)(void* list) = nullptr;

  void* element_of(void* list, std::size_t place) const {
    return const_cast<void*>(at(list, place));
  }
  bool is_plain() const { return kind <= Kind::text; }
  bool is_list_of(Kind of) const { return kind == Kind::list && element->kind == of; }
  const ReplyMember* find(std::string_view name) const;
};

/// Returns the value as the type that its shape describes.
template <class T>
const T& value_as(const void* value) {
  return *static_cast<const T*>(value);
}
template <class T>
T& value_as(void* value) {
  return *static_cast<T*>(value);
}

/// Copies a value to another of the same shape.
void copy_value(const ReplyShape& shape, const void* from, void* to);

/// Returns the shape of the reply's struct; body_of() returns the struct.
const ReplyShape& shape_of(const Reply& reply);
const void* body_of(const Reply& reply);
void* body_of(Reply& reply);
Reply copy_of(const Reply& reply);

/// The member of a reply that describes what a command would do (DryRun).
inline constexpr std::string_view kDryRunMember = "dry_run";

/// Returns an empty reply of the kind with this index in AnyReply.
Reply empty_reply(std::size_t kind);

/// The path from a row to a member, or to a nested member.
class MemberPath {
 public:
  void enter(const ReplyMember& member) { members_.push_back(member); }
  /// Requires that enter() was called.
  const ReplyShape& shape() const { return *members_.back().shape; }
  /// Returns the member; nullptr if an optional on the path is empty.
  const void* in(const void* row) const;

 private:
  std::vector<ReplyMember> members_;
};

/// Finds a plain member by name; a dot precedes the name of a nested member.
std::optional<MemberPath> find_plain_member(const ReplyShape& row, std::string_view name);

}  // namespace maui
