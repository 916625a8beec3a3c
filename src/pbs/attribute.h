// Attributes of PBS's jobs, nodes, queues and servers, as requests and replies carry them.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pbs/dis.h"

namespace maui::pbs {

/// Relations of an attribute and its value: what is to be done with it, or asked of it.
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
  std::string resource = {};  // "walltime"; empty: the attribute has no parts
  std::string value = {};
  Op op = Op::set;
  friend bool operator==(const Attribute&, const Attribute&) = default;
};

void write(std::span<const Attribute> attributes, DisWriter& to);
/// Reads a list; the state of the reader says then whether that was possible.
std::vector<Attribute> read_attributes(DisReader& from);

/// An object that a server reports, with access to its attributes by name.
struct Object {
  std::int64_t kind = 0;
  std::string name;
  std::vector<Attribute> attributes;
  std::string bytes = {};  // of its report; empty: there was none

  /// The value; empty where there is no such attribute.
  std::string_view get(std::string_view name, std::string_view resource = {}) const;
  bool has(std::string_view name, std::string_view resource = {}) const;
  friend bool operator==(const Object&, const Object&) = default;

 private:
  const Attribute* find(std::string_view name, std::string_view resource) const;
};

}  // namespace maui::pbs
