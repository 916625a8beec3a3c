// Quantities that must not be mixed up.
//
// A Strong<Tag> is an integer that compares only with its own kind; conversion
// to and from plain integers is always explicit.  An Id is an identity (no
// arithmetic); an Amount adds to its own kind.  Times are whole seconds of the
// scheduler's own clock, since the epoch.  Processors are counted; memory, swap
// and disk are in megabytes (guide 3.2.1.5).
#pragma once
#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace maui {

template <class Tag, class Rep>
class Strong {
 public:
  constexpr Strong() = default;
  constexpr explicit Strong(Rep value) : value_(value) {}
  constexpr Rep raw() const { return value_; }
  friend constexpr auto operator<=>(Strong, Strong) = default;

 protected:
  Rep value_{};
};

/// An identity: an index into the table that issued it.  A default-constructed Id is invalid.
template <class Tag>
class Id : public Strong<Tag, std::uint32_t> {
 public:
  constexpr Id() : Strong<Tag, std::uint32_t>(kNone) {}
  constexpr explicit Id(std::uint32_t value) : Strong<Tag, std::uint32_t>(value) {}
  constexpr explicit Id(std::size_t value)
      : Strong<Tag, std::uint32_t>(static_cast<std::uint32_t>(value)) {}
  constexpr bool valid() const { return this->raw() != kNone; }
  constexpr std::size_t index() const { return this->raw(); }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
};

/// An amount, which can also be added to and subtracted from its own kind.
template <class Tag, class Rep>
class Amount : public Strong<Tag, Rep> {
 public:
  using Strong<Tag, Rep>::Strong;
  friend constexpr Amount operator+(Amount a, Amount b) { return Amount(a.raw() + b.raw()); }
  friend constexpr Amount operator-(Amount a, Amount b) { return Amount(a.raw() - b.raw()); }
  friend constexpr Amount operator*(Amount a, Rep n) { return Amount(a.raw() * n); }
  friend constexpr Amount& operator+=(Amount& a, Amount b) { return a = a + b; }
};

using JobId = Id<struct JobTag>;
using NodeId = Id<struct NodeTag>;
using ReservationId = Id<struct ReservationTag>;
using RequestId = Id<struct RequestTag>;
using PartitionId = Id<struct PartitionTag>;
using FeatureId = Id<struct FeatureTag>;
using UserId = Id<struct UserTag>;
using GroupId = Id<struct GroupTag>;
using AccountId = Id<struct AccountTag>;
using ClassId = Id<struct ClassTag>;
using QosId = Id<struct QosTag>;
using CredentialsId = Id<struct CredentialsTag>;

using Seconds = Amount<struct SecondsTag, std::int64_t>;

/// A point in time on the scheduler's own clock (maui/clock.h).
class Time : public Strong<struct TimeTag, std::int64_t> {
 public:
  using Strong::Strong;
  friend constexpr Time operator+(Time t, Seconds s) { return Time(t.raw() + s.raw()); }
  friend constexpr Time operator-(Time t, Seconds s) { return Time(t.raw() - s.raw()); }
  friend constexpr Seconds operator-(Time a, Time b) { return Seconds(a.raw() - b.raw()); }
};

/// "Never" and "no limit".  Far enough below the maximum of the type that the sum of two does not
/// overflow.
inline constexpr Time kForever{std::int64_t{1} << 60};
inline constexpr Seconds kUnlimited{std::int64_t{1} << 60};

inline constexpr std::int64_t kHourSeconds = 3600, kDaySeconds = 24 * kHourSeconds;

}  // namespace maui

template <class Tag>
struct std::hash<maui::Id<Tag>> {
  std::size_t operator()(maui::Id<Tag> id) const noexcept { return id.index(); }
};
