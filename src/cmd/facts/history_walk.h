// A walk through the history for one reply, a slice at a time.
#pragma once
#include <string>
#include <utility>

#include "cmd/context.h"
#include "history/history_query.h"
#include "history/past_time.h"

namespace maui {

/// The reader of the history, or why there is none.
Result<history::Reader> history_of(const Context& context);
/// The answer where it cannot be read.
inline Error unreadable(const Error& why) { return {"the history cannot be read: " + why.what}; }
/// The zone of the scheduler's clocks (TZ).
const TimeZone& server_zone();
/// The period of -t, or of a flag like it; times are the scheduler's.
Result<Period> period_of(const Context& context, std::string_view flag);

/// Hands what `Query` finds to `take`; `answer` makes the reply of it, and refuses where the
/// history could not be read to its end.  `size`: how many rows are kept of what was found.
template <class Query, class Take, class Answer, class Size>
class HistoryWalk final : public FollowUp {
 public:
  HistoryWalk(Query query, Take take, Answer answer, Size size)
      : query_(std::move(query)),
        take_(std::move(take)),
        answer_(std::move(answer)),
        size_(std::move(size)) {}

  bool step() override {
    const auto more = query_.step(take_);
    if (!more) trouble_ = unreadable(more.error()).what;
    return more && *more;
  }
  /// A long walk that keeps little lets others of its party go on.
  bool is_large() const override { return size_() > kManyRows; }
  void complete(Reply& reply) const override {
    if (trouble_.empty())
      answer_(reply);
    else
      reply = Refusal{trouble_};
  }

 private:
  static constexpr std::size_t kManyRows = 1000;
  Query query_;
  Take take_;
  Answer answer_;
  Size size_;
  std::string trouble_;
};

/// Has the reply completed by such a walk.
template <class Query, class Take, class Answer, class Size>
void walk(const Context& context, Query query, Take take, Answer answer, Size size) {
  context.follow_up = std::make_unique<HistoryWalk<Query, Take, Answer, Size>>(
      std::move(query), std::move(take), std::move(answer), std::move(size));
}

}  // namespace maui
