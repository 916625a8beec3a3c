// Reads the dumps of tests/data/pbs, and builds objects for tests.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "pbs/attribute.h"

namespace maui::pbs::test {

/// "Resource_List.walltime" is an attribute with a resource, as in the lists below; any other name
/// with a point in it would be split likewise.
inline Attribute attribute(std::string_view name, std::string_view value) {
  const auto point = name.find('.');
  if (point == std::string_view::npos) return {std::string(name), "", std::string(value)};
  return {std::string(name.substr(0, point)), std::string(name.substr(point + 1)),
          std::string(value)};
}

inline Object object(std::string name,
                     std::vector<std::pair<std::string_view, std::string_view>> attributes) {
  Object made{2, std::move(name), {}};
  for (const auto& [what, value] : attributes) made.attributes.push_back(attribute(what, value));
  return made;
}

inline std::vector<Object> read_dump(const std::string& name) {
  std::ifstream file(std::string(MAUI_TEST_DATA) + "/pbs/" + name);
  EXPECT_TRUE(file) << name;
  std::vector<Object> objects;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    if (!line.starts_with(' ')) {
      objects.push_back({2, line, {}});
      continue;
    }
    const auto mark = line.find(" = ");
    objects.back().attributes.push_back(
        attribute(line.substr(4, mark - 4), std::string_view(line).substr(mark + 3)));
  }
  return objects;
}

inline const Object& named(const std::vector<Object>& objects, std::string_view name) {
  for (const Object& object : objects)
    if (object.name == name) return object;
  ADD_FAILURE() << "no " << name;
  return objects.front();
}

}  // namespace maui::pbs::test
