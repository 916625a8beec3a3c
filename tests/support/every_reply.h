// Every kind of reply, and replies with something in every member.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "proto/reply_fields.h"

namespace maui::test {

/// Fills every member of a reply, at every depth, with what `values` gives: integer(), number() and
/// text().  Lists get two elements.
template <class Values>
class ReplyFiller {
 public:
  explicit ReplyFiller(Values values = {}) : values_(std::move(values)) {}
  void fill(std::int64_t& value) { value = values_.integer(); }
  void fill(double& value) { value = values_.number(); }
  void fill(bool& value) { value = true; }
  void fill(std::string& value) { value = values_.text(); }
  void fill(JobAction& value) { value = JobAction::holds_released; }
  template <class T>
  void fill(std::vector<T>& list) {
    list.resize(2);
    for (auto& value : list) fill(value);
  }
  template <class T>
  void fill(std::optional<T>& value) {
    fill(value.emplace());
  }
  template <class T>
  requires std::is_aggregate_v<T>
  void fill(T& value) {
    visit_fields(value, [&](std::string_view, auto& member) { fill(member); });
  }

 private:
  Values values_;
};

/// Calls `test` with an empty reply of each kind.
template <std::size_t I = 0>
void for_each_reply(auto&& test) {
  if constexpr (I < std::variant_size_v<AnyReply>) {
    test(std::variant_alternative_t<I, AnyReply>{});
    for_each_reply<I + 1>(test);
  }
}

}  // namespace maui::test
