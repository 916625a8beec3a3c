#include "daemon/http/cached_reply.h"

#include "proto/request_codec.h"

namespace maui {

void CachedReply::keep(const CommandRequest& request, Shared reply) {
  key_ = key_of(request);
  reply_ = std::move(reply);
  over_.expires_after(kept_);
  over_.async_wait([this](boost::system::error_code error) {
    if (!error) forget();
  });
}

/// The key includes the user, since other users may see different data.
std::string CachedReply::key_of(const CommandRequest& request) {
  return encode_request(request, "") + '\n' + request.user + '\n' + request.host;
}

}  // namespace maui
