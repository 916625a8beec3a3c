#include "pbs/attribute.h"

#include <algorithm>

namespace maui::pbs {
namespace {

constexpr std::size_t kMostAttributes = 100'000;  // far more than any object has

// Servers reserve memory by it.
std::size_t size_of(const Attribute& one) {
  return one.name.size() + 1 + one.value.size() + 1 +
         (one.resource.empty() ? 0 : one.resource.size() + 1);
}

}  // namespace

void write(std::span<const Attribute> attributes, DisWriter& to) {
  to.number(static_cast<std::int64_t>(attributes.size()));
  for (const Attribute& one : attributes) {
    to.number(static_cast<std::int64_t>(size_of(one))).text(one.name);
    to.number(one.resource.empty() ? 0 : 1);
    if (!one.resource.empty()) to.text(one.resource);
    to.text(one.value).number(static_cast<int>(one.op));
  }
}

std::vector<Attribute> read_attributes(DisReader& from) {
  std::vector<Attribute> all;
  const auto count = from.count(kMostAttributes);
  constexpr std::size_t kOften = 40;  // no more memory than that on a server's word
  all.reserve(std::min(count, kOften));
  for (std::size_t i = 0; i < count && from.good(); ++i) {
    Attribute& one = all.emplace_back();
    from.number();  // its size, which tells nothing new
    one.name = from.text();
    if (from.count(1) == 1) one.resource = from.text();
    one.value = from.text();
    one.op = static_cast<Op>(from.count(static_cast<std::size_t>(Op::less)));
  }
  return all;
}

const Attribute* Object::find(std::string_view wanted, std::string_view resource) const {
  const auto at = std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& one) {
    return one.name == wanted && one.resource == resource;
  });
  return at == attributes.end() ? nullptr : &*at;
}

std::string_view Object::get(std::string_view wanted, std::string_view resource) const {
  const Attribute* one = find(wanted, resource);
  return one == nullptr ? std::string_view() : std::string_view(one->value);
}

bool Object::has(std::string_view wanted, std::string_view resource) const {
  return find(wanted, resource) != nullptr;
}

}  // namespace maui::pbs
