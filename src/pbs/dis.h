// Numbers and texts in the encoding of the PBS batch protocol ("DIS").
//
// A number is its sign and its decimal digits.  If there are several digits, their count stands
// before the sign, and if that count has several digits, its own count before it: 5 is "+5", 42 is
// "2+42", a number of ten digits is "210+1795165920".  A text is its length in bytes, followed by
// the bytes.  Source: exchanges with TORQUE 6.1 and OpenPBS 23 (tests/data/pbs).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace maui::pbs {

class DisWriter {
 public:
  DisWriter& number(std::int64_t value);
  DisWriter& text(std::string_view value);
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads values in sequence from bytes that may be incomplete.
class DisReader {
 public:
  enum class State : std::uint8_t { good, incomplete, malformed };

  explicit DisReader(std::string_view bytes) : bytes_(bytes) {}

  /// Returns the next value.  If the value is incomplete or malformed, state() is no longer good
  /// and all further values are 0 or empty.
  std::int64_t number();
  std::string_view text();
  /// Returns a number from 0 to `most`.
  std::size_t count(std::size_t most);

  State state() const { return state_; }
  bool good() const { return state_ == State::good; }
  /// The number of bytes read so far.
  std::size_t position() const { return at_; }
  /// Returns the bytes read since `position`.
  std::string_view read_since(std::size_t position) const {
    return bytes_.substr(position, at_ - position);
  }
  bool at_end() const { return at_ == bytes_.size(); }
  /// Marks the values as malformed.
  void spoil() { state_ = State::malformed; }

 private:
  std::string_view take(std::size_t size);

  std::string_view bytes_;
  std::size_t at_ = 0;
  State state_ = State::good;
};

}  // namespace maui::pbs
