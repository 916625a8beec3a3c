#include "pbs/attribute.h"

#include <algorithm>

namespace maui::pbs {
namespace {

constexpr std::size_t kMostAttributes = 100'000;  // far more than any object has

// Servers allocate memory according to this size.
std::size_t size_of(const Attribute& attribute) {
  return attribute.name.size() + 1 + attribute.value.size() + 1 +
         (attribute.resource.empty() ? 0 : attribute.resource.size() + 1);
}

}  // namespace

void write(std::span<const Attribute> attributes, DisWriter& to) {
  to.number(static_cast<std::int64_t>(attributes.size()));
  for (const Attribute& attribute : attributes) {
    to.number(static_cast<std::int64_t>(size_of(attribute))).text(attribute.name);
    to.number(attribute.resource.empty() ? 0 : 1);
    if (!attribute.resource.empty()) to.text(attribute.resource);
    to.text(attribute.value).number(static_cast<int>(attribute.op));
  }
}

std::vector<Attribute> read_attributes(DisReader& from) {
  std::vector<Attribute> all;
  const auto count = from.count(kMostAttributes);
  constexpr std::size_t kOften = 40;  // at most, whatever the server announces
  all.reserve(std::min(count, kOften));
  for (std::size_t i = 0; i < count && from.good(); ++i) {
    Attribute& attribute = all.emplace_back();
    from.number();  // skips the size
    attribute.name = from.text();
    if (from.count(1) == 1) attribute.resource = from.text();
    attribute.value = from.text();
    attribute.op = static_cast<Op>(from.count(static_cast<std::size_t>(Op::less)));
  }
  return all;
}

const Attribute* Object::find(std::string_view wanted, std::string_view resource) const {
  const auto at =
      std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& attribute) {
        return attribute.name == wanted && attribute.resource == resource;
      });
  return at == attributes.end() ? nullptr : &*at;
}

std::string_view Object::get(std::string_view wanted, std::string_view resource) const {
  const Attribute* attribute = find(wanted, resource);
  return attribute == nullptr ? std::string_view() : std::string_view(attribute->value);
}

bool Object::has(std::string_view wanted, std::string_view resource) const {
  return find(wanted, resource) != nullptr;
}

}  // namespace maui::pbs
