// Result<T>: a T, or the reason why there is none.
//
// For failures that are to be expected: bad input, a refusal, a resource
// manager's failure.  Asserts catch bugs.  No exception crosses a layer.  The
// names follow std::expected.
#pragma once
#include <string>
#include <utility>
#include <variant>

namespace maui {

/// Says what was wrong and, for input, its position and what was expected.
struct Error {
  std::string what;
  bool unanswered = false;  // of a request: nobody has answered, so it may have been carried out
  friend bool operator==(const Error&, const Error&) = default;
};

/// The value of a successful operation that returns nothing else.
struct Done {};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  explicit operator bool() const { return state_.index() == 0; }
  bool has_value() const { return state_.index() == 0; }
  const T& value() const& { return std::get<0>(state_); }
  T& value() & { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

using Status = Result<Done>;

}  // namespace maui
