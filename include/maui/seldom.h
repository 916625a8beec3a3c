// A value that few objects have; it takes only the space of a pointer until it is set.
#pragma once
#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace maui {

template <class T>
class Seldom;

template <class Value, class T>
concept SetsSeldom =
    std::constructible_from<T, Value> && !std::same_as<std::remove_cvref_t<Value>, Seldom<T>>;

/// Reads as T{} until it is set to something else.
template <class T>
class Seldom {
 public:
  Seldom() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for a value
  Seldom(T value) { set(std::move(value)); }
  Seldom(const Seldom& other) { *this = other; }
  Seldom(Seldom&&) noexcept = default;
  ~Seldom() = default;

  Seldom& operator=(const Seldom& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
    return *this;
  }
  Seldom& operator=(Seldom&&) noexcept = default;
  template <SetsSeldom<T> Value>
  Seldom& operator=(Value&& value) {
    set(T(std::forward<Value>(value)));
    return *this;
  }

  const T& get() const {
    static const T none{};
    return value_ ? *value_ : none;
  }
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for a value
  operator const T&() const { return get(); }
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for a value
  operator std::string_view() const requires std::same_as<T, std::string> { return get(); }
  const T& operator*() const { return get(); }
  const T* operator->() const { return &get(); }
  /// True if it is T{}.
  bool empty() const { return !value_; }
  void clear() { value_.reset(); }

  friend bool operator==(const Seldom& a, const Seldom& b) { return a.get() == b.get(); }
  friend bool operator==(const Seldom& a, const T& b) { return a.get() == b; }

 private:
  void set(T value) {
    if (value == T{})
      value_.reset();
    else if (value_)
      *value_ = std::move(value);
    else
      value_ = std::make_unique<T>(std::move(value));
  }

  std::unique_ptr<T> value_;
};

}  // namespace maui
