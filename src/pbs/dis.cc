#include "pbs/dis.h"

#include <charconv>
#include <limits>

namespace maui::pbs {
namespace {

constexpr std::size_t kMostDigits = 19;                     // of a number of 64 bits
constexpr std::size_t kLongestText = std::size_t{1} << 26;  // longer than anything that PBS sends

bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <class T>
bool parse(std::string_view digits, T& value) {
  const auto end = digits.data() + digits.size();
  const auto [last, error] = std::from_chars(digits.data(), end, value);
  return error == std::errc() && last == end;
}

}  // namespace

DisWriter& DisWriter::number(std::int64_t value) {
  const bool negative = value < 0;
  std::string written = std::to_string(value).substr(negative ? 1 : 0);
  std::size_t digits = written.size();
  written.insert(0, 1, negative ? '-' : '+');
  while (digits > 1) {
    const std::string count = std::to_string(digits);
    written.insert(0, count);
    digits = count.size();
  }
  bytes_ += written;
  return *this;
}

DisWriter& DisWriter::text(std::string_view value) {
  number(static_cast<std::int64_t>(value.size()));
  bytes_ += value;
  return *this;
}

std::string_view DisReader::take(std::size_t size) {
  if (!good()) return {};
  if (bytes_.size() - at_ < size) {
    state_ = State::incomplete;
    return {};
  }
  const auto taken = bytes_.substr(at_, size);
  at_ += size;
  return taken;
}

std::int64_t DisReader::number() {
  // Fast path: nearly all numbers have one digit.
  if (good() && bytes_.size() - at_ >= 2 && bytes_[at_] == '+' && is_digit(bytes_[at_ + 1])) {
    at_ += 2;
    return bytes_[at_ - 1] - '0';
  }
  std::size_t digits = 1;
  while (true) {
    const auto first = take(1);
    if (first.empty()) return 0;
    const bool negative = first == "-";
    if (negative || first == "+") {
      const auto written = take(digits);
      std::int64_t value = 0;
      if (good() && (!is_digit(written.front()) || !parse(written, value))) spoil();
      return negative ? -value : value;
    }
    if (!is_digit(first.front())) {
      spoil();
      return 0;
    }
    // This digit is the first one of a count.
    take(digits - 1);
    if (!good()) return 0;
    std::size_t count = 0;
    if (!parse(bytes_.substr(at_ - digits, digits), count) || count < 2 || count > kMostDigits) {
      spoil();
      return 0;
    }
    digits = count;
  }
}

std::size_t DisReader::count(std::size_t most) {
  const auto value = number();
  if (good() && (value < 0 || static_cast<std::size_t>(value) > most)) spoil();
  return good() ? static_cast<std::size_t>(value) : 0;
}

std::string_view DisReader::text() { return take(count(kLongestText)); }

}  // namespace maui::pbs
