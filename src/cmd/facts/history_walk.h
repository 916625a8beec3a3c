// Computes a reply from the history, one slice at a time.
#pragma once
#include <string>
#include <utility>

#include "cmd/context.h"
#include "history/history_query.h"
#include "history/past_time.h"

namespace maui {

/// Returns the reader of the history, or an error that says why there is none.
Result<history::Reader> history_of(const Context& context);
/// Returns the error for a history that cannot be read.
inline Error unreadable(const Error& why) { return {"the history cannot be read: " + why.what}; }
/// Returns the time zone of the scheduler's clocks (TZ).
const TimeZone& server_zone();
/// Returns the period in -t or a similar flag; times are in the scheduler's time zone.
Result<Period> period_of(const Context& context, std::string_view flag);

/// Passes the results of `Query` to `take`; `answer` creates the reply from them.  The reply is a
/// refusal if the history could not be read completely.  `size`: number of rows kept so far.
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
  /// A long walk that keeps few rows need not be finished before others of its party.
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

/// Lets a HistoryWalk with these parts complete the reply.
template <class Query, class Take, class Answer, class Size>
void walk(const Context& context, Query query, Take take, Answer answer, Size size) {
  context.follow_up = std::make_unique<HistoryWalk<Query, Take, Answer, Size>>(
      std::move(query), std::move(take), std::move(answer), std::move(size));
}

}  // namespace maui
