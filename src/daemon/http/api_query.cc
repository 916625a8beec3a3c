#include "daemon/http/api_query.h"

#include <chrono>
#include <utility>
#include <variant>

namespace maui {

ApiQuery::ApiQuery(const Serving& serving, CachedReply& cache, ApiRequest asked)
    : serving_(serving),
      cache_(cache),
      rows_(std::move(asked.rows)),
      execution_(serving.engine, serving.server, std::move(asked.command)) {}

HttpConnection::Slice ApiQuery::go_on() {
  const auto enough = [end = std::chrono::steady_clock::now() + kSlice] {
    return std::chrono::steady_clock::now() >= end;
  };
  if (!reply_) {
    if (!whole_ && !execute(enough)) return {std::nullopt, execution_.is_large()};
    if (const auto* refusal = std::get_if<Refusal>(&*whole_))
      return error_response(422, refusal->reason);
    if (auto fault = choose(enough)) return fault;
  }
  if (!reply_ || !reply_->encoder.go_on(enough)) return {std::nullopt, /*comes_first=*/true};
  return HttpResponse{200, "application/json",
                      encode_with_totals(reply_->encoder.take(), totals_, rows_.most) + "\n"};
}

/// Returns true once there is the whole reply.
bool ApiQuery::execute(const Enough& enough) {
  serving_.update_clock();
  whole_ = cache_.find(execution_.request());
  if (whole_) return true;
  auto reply = execution_.go_on(enough);
  sliced_ = sliced_ || enough();
  if (!reply) return false;
  whole_ = std::make_shared<const Reply>(*std::move(reply));
  if (sliced_) cache_.keep(execution_.request(), whole_);
  return true;
}

/// Goes on to choose rows; there is a reply_ to encode once that is done.  Returns an answer if the
/// choice is wrong.
std::optional<HttpResponse> ApiQuery::choose(const Enough& enough) {
  if (!selection_) selection_.emplace(*whole_, rows_);
  if (!selection_->go_on(enough)) return std::nullopt;
  auto chosen = selection_->take();
  if (!chosen) return error_response(400, chosen.error().what);
  totals_ = std::move(chosen->totals);
  reply_.emplace(std::move(chosen->reply), serving_.remarks_on(execution_.request(), *whole_));
  selection_.reset();
  whole_.reset();
  return std::nullopt;
}

}  // namespace maui
