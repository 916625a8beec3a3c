#include "http/response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(HttpResponseTest, SaysWhatItIsAndHowLong) {
  const auto text = response_text({200, "text/plain", "hello"}, false, true, 0);
  EXPECT_THAT(text, StartsWith("HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"));
  EXPECT_THAT(text, HasSubstr("Content-Type: text/plain\r\nContent-Length: 5\r\n"));
  EXPECT_THAT(text, HasSubstr("Connection: keep-alive\r\n"));
  EXPECT_THAT(text, EndsWith("\r\n\r\nhello"));
}

TEST(HttpResponseTest, AHeadHasTheLengthOfTheBodyThatItLeavesOut) {
  const auto text = response_text({200, "text/plain", "hello"}, true, false, 0);
  EXPECT_THAT(text, HasSubstr("Content-Length: 5\r\nConnection: close\r\n"));
  EXPECT_THAT(text, EndsWith("\r\n\r\n"));
}

TEST(HttpResponseTest, EveryAnswerKeepsOtherSitesOut) {
  for (const int status : {200, 400, 404, 503}) {
    const auto text = response_text({status, "text/html", ""}, false, true, 0);
    for (const char* field :
         {"Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
          "Cross-Origin-Resource-Policy: same-origin\r\n", "X-Content-Type-Options: nosniff\r\n",
          "Cache-Control: no-store\r\n", "Referrer-Policy: no-referrer\r\n"})
      EXPECT_THAT(text, HasSubstr(field)) << status;
    EXPECT_THAT(text, Not(HasSubstr("Access-Control"))) << status;
  }
}

TEST(HttpResponseTest, AnErrorIsJsonWhateverItQuotes) {
  const auto response = error_response(404, "no '\"\n\x1b' here");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.body,
            "{\"error\":{\"status\":404,\"message\":\"no '\\\"\\n\\u001b' here\"}}\n");
  EXPECT_THAT(response_text(error_response(405, ""), false, false, 0),
              HasSubstr("Allow: GET, HEAD\r\n"));
}

}  // namespace
}  // namespace maui
