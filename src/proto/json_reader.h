// Reads JSON front to back, without building a tree of it.
//
// For bytes that nobody vouches for: the first thing wrong fails the reader,
// every later question is answered with nothing, and error() says what and
// where.  No exception, no recursion deeper than kMaxDepth.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace maui {

class JsonReader {
 public:
  static constexpr int kMaxDepth = 32;

  explicit JsonReader(std::string_view text) : text_(text) {}

  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }
  void fail(std::string_view expected);

  /// Calls member(key) for every member; it must read or skip() the value.
  template <class Member>
  void object(Member member) {
    if (!enter('{')) return;
    std::string name;
    for (bool first = true; more('}', first); first = false) {
      name.clear();
      quoted(name);
      if (!take(':')) return fail("':'");
      member(std::string_view(name));
    }
    --depth_;
  }

  /// Calls element() for every element; it must read or skip() it.
  template <class Element>
  void array(Element element) {
    if (!enter('[')) return;
    for (bool first = true; more(']', first); first = false) element();
    --depth_;
  }

  std::string string();
  std::int64_t integer();
  double number();
  bool boolean();
  bool null();  // takes a null if one comes next
  void skip();
  /// Nothing but blanks may be left.
  void end();

 private:
  bool enter(char bracket);
  bool more(char closing, bool first);
  bool take(char c);
  bool word(std::string_view expected);
  void quoted(std::string& into);
  void escape(std::string& into);
  std::uint32_t hex();
  void blanks();

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string error_;
};

}  // namespace maui
