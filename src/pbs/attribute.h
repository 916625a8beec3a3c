// Attributes of jobs, nodes, queues and servers, as PBS requests and replies carry them.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pbs/dis.h"

namespace maui::pbs {

/// Relations of an attribute and its value: the change to make, or the comparison to apply.
enum class Op : std::uint8_t {
  set,
  unset,
  add,
  remove,
  equal,
  unequal,
  at_least,
  more,
  at_most,
  less
};

struct Attribute {
  std::string name;           // "Resource_List"
  std::string resource = {};  // "walltime"; empty: the attribute has no resources
  std::string value = {};
  Op op = Op::set;
  friend bool operator==(const Attribute&, const Attribute&) = default;
};

void write(std::span<const Attribute> attributes, DisWriter& to);
/// Reads a list; the reader's state then shows whether this succeeded.
std::vector<Attribute> read_attributes(DisReader& from);

/// An object that a server reports, with access to its attributes by name.
struct Object {
  std::int64_t kind = 0;
  std::string name;
  std::vector<Attribute> attributes;
  std::string bytes = {};  // the bytes of its report; empty: not known

  /// Returns the value, or an empty text if the attribute is missing.
  std::string_view get(std::string_view name, std::string_view resource = {}) const;
  bool has(std::string_view name, std::string_view resource = {}) const;
  friend bool operator==(const Object&, const Object&) = default;

 private:
  const Attribute* find(std::string_view name, std::string_view resource) const;
};

}  // namespace maui::pbs
