// Writes JSON by appending to a string: fast enough for the rows of 100,000 jobs.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace maui {

class JsonWriter {
 public:
  std::string take() { return std::move(out_); }

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);
  /// Bytes that are not UTF-8 become U+FFFD, since JSON has no place for them.
  void string(std::string_view text);
  void integer(std::int64_t value);
  /// Shortest form that reads back the same; what is not finite becomes 0.
  void number(double value);
  void boolean(bool value);
  void null();

 private:
  void open(char bracket);
  void close(char bracket);
  void separate();
  void quoted(std::string_view text);

  std::string out_;
  bool first_ = true;  // nothing stands before in the object or array
};

}  // namespace maui
