// A command over HTTP that changes nothing, while it is being answered in slices.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cmd/execution.h"
#include "daemon/clients/reply_under_way.h"
#include "daemon/clients/serving.h"
#include "daemon/http/cached_reply.h"
#include "daemon/http/http_connection.h"
#include "http/api.h"
#include "proto/reply_rows.h"

namespace maui {

class ApiQuery {
 public:
  /// `asked` may be executed by its user.  A reply that takes several slices is kept in `cache`.
  /// Both others must outlive the query.
  ApiQuery(const Serving& serving, CachedReply& cache, ApiRequest asked);

  HttpConnection::Slice go_on();

 private:
  using Enough = std::function<bool()>;

  bool execute(const Enough& enough);
  std::optional<HttpResponse> choose(const Enough& enough);

  const Serving& serving_;
  CachedReply& cache_;
  RowChoice rows_;
  Execution execution_;
  bool sliced_ = false;  // the execution has taken a slice or more
  CachedReply::Shared whole_;
  std::optional<RowSelection> selection_;
  std::vector<RowTotal> totals_;
  std::optional<ReplyUnderWay> reply_;
};

}  // namespace maui
