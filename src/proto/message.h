// A frame's content: CK=<checksum> TS=<epoch seconds> AUTH=<user> DT=<data> (guide appendix E).
//
// The checksum covers everything from TS= to the end.  Of a client that munge vouches for, MU=
// stands before that: a credential with the key of the checksum (proto/credential.h).  A reply has
// one field more, RE=, the checksum of the request that it answers, so that no reply can pass for
// another's.  On the Unix-domain socket, where the kernel says who is asking, CK=- stands for none.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

inline constexpr std::string_view kNoChecksum = "-";

struct Message {
  std::string checksum;    // as it came
  std::string credential;  // of munge; empty: none
  std::int64_t timestamp = 0;
  std::string user;
  std::string in_reply_to;  // empty: a request
  std::string data;
  std::string covered;  // what the checksum is of
};

/// The message, ready for a frame, and its checksum.  With an empty secret there is none; where
/// there is a credential of munge, the secret is the key in it.
struct Signed {
  std::string text;
  std::string checksum;
};
Signed sign(std::string_view secret, std::int64_t timestamp, std::string_view user,
            std::string_view in_reply_to, std::string_view data, std::string_view credential = {});

/// Takes a message apart, and judges nothing.
Result<Message> parse_message(std::string_view text);

/// That the message was made by one who has the secret.
bool authentic(const Message& message, std::string_view secret);

}  // namespace maui
