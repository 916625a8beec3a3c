// A second codec for PBS's protocol, used by the fake server: written independently and checked
// against the recorded exchanges, so that it does not repeat mistakes of the codec under test.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace maui::pbs::test {

/// Name, resource, value, op.
using Item = std::tuple<std::string, std::string, std::string, int>;
using Items = std::vector<Item>;

inline std::string number_bytes(long long value) {
  std::string bytes = (value < 0 ? "-" : "+") + std::to_string(value < 0 ? -value : value);
  for (auto count = bytes.size() - 1; count > 1;) {
    const auto written = std::to_string(count);
    bytes = written + bytes;
    count = written.size();
  }
  return bytes;
}

inline std::string text_bytes(std::string_view text) {
  return number_bytes(static_cast<long long>(text.size())) + std::string(text);
}

inline std::string items_bytes(const Items& items) {
  std::string bytes = number_bytes(static_cast<long long>(items.size()));
  for (const auto& [name, resource, value, op] : items) {
    const auto size = name.size() + value.size() + 2 + (resource.empty() ? 0 : resource.size() + 1);
    bytes += number_bytes(static_cast<long long>(size)) + text_bytes(name);
    bytes += resource.empty() ? "+0" : "+1" + text_bytes(resource);
    bytes += text_bytes(value) + number_bytes(op);
  }
  return bytes;
}

struct NotWhole {};
struct Garbage {};

/// Takes values from the front of the bytes; throws if there are none.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : bytes_(bytes) {}
  std::size_t at() const { return at_; }

  long long number() {
    std::size_t digits = 1;
    for (char c = next(); c != '+' && c != '-'; c = next()) {
      if (c < '0' || c > '9') throw Garbage();
      std::string count(1, c);
      count += some(digits - 1);
      digits = std::stoul(count);
      if (digits > 18) throw Garbage();
    }
    const bool negative = bytes_[at_ - 1] == '-';
    const long long value = std::stoll(std::string(some(digits)));
    return negative ? -value : value;
  }
  std::string text() {
    const auto size = number();
    return std::string(some(static_cast<std::size_t>(size)));
  }
  Items items() {
    Items all(static_cast<std::size_t>(number()));
    for (auto& [name, resource, value, op] : all) {
      number();
      name = text();
      if (number() == 1) resource = text();
      value = text();
      op = static_cast<int>(number());
    }
    return all;
  }

 private:
  char next() { return some(1).front(); }
  std::string_view some(std::size_t size) {
    if (bytes_.size() - at_ < size) throw NotWhole();
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace maui::pbs::test
