#include "http/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "http/target.h"

namespace maui {
namespace {

using namespace std::string_view_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using Read = std::variant<std::monostate, HttpRequest, HttpFault>;

Read read(std::string_view bytes) {
  RequestReader reader;
  reader.feed(bytes);
  return reader.next();
}

int status_of(std::string_view bytes) {
  const auto found = read(bytes);
  const auto* fault = std::get_if<HttpFault>(&found);
  return fault == nullptr ? 0 : fault->status;
}

HttpRequest request_of(std::string_view bytes) {
  auto found = read(bytes);
  EXPECT_TRUE(std::holds_alternative<HttpRequest>(found)) << bytes;
  auto* request = std::get_if<HttpRequest>(&found);
  return request == nullptr ? HttpRequest() : std::move(*request);
}

std::string get(std::string_view target, std::string_view fields = "") {
  std::string text = "GET ";
  text += target;
  text += " HTTP/1.1\r\nHost: head:8080\r\n";
  text += fields;
  text += "\r\n";
  return text;
}

TEST(HttpRequestTest, WordsOfThePathAndPairsOfTheQueryAreDecodedOnce) {
  const auto request = request_of(get("/api//v1/check%20job?user=a%26b&x&y=1+2&z=%2525"));
  EXPECT_THAT(request.path, ElementsAre("api", "v1", "check job"));
  EXPECT_THAT(request.query,
              ElementsAre(Pair("user", "a&b"), Pair("x", ""), Pair("y", "1 2"), Pair("z", "%25")));
  EXPECT_EQ(request.value("y"), "1 2");
  EXPECT_EQ(request.value("n"), std::nullopt);
  EXPECT_EQ(request.host, "head:8080");
  EXPECT_EQ(request.user, std::nullopt);
}

TEST(HttpRequestTest, FieldsSayWhoAsksAndForHowLong) {
  const auto request = request_of(
      get("/", "x-remote-user: amy\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n"));
  EXPECT_EQ(request.user, "amy");
  EXPECT_EQ(request.fetch_site, "same-origin");
  EXPECT_FALSE(request.keep_alive);
  EXPECT_FALSE(request.head);
  EXPECT_TRUE(request_of("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n").head);
  EXPECT_FALSE(request_of("GET / HTTP/1.0\r\n\r\n").keep_alive);
}

TEST(HttpRequestTest, ARequestThatComesInPiecesIsOneRequestWhereverItIsCut) {
  const auto whole = get("/metrics?a=b", "X-Remote-User: amy\r\n");
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    RequestReader reader;
    reader.feed(std::string_view(whole).substr(0, cut));
    auto found = reader.next();
    if (cut < whole.size()) {
      ASSERT_TRUE(std::holds_alternative<std::monostate>(found)) << cut;
      reader.feed(std::string_view(whole).substr(cut));
      found = reader.next();
    }
    ASSERT_TRUE(std::holds_alternative<HttpRequest>(found)) << cut;
    EXPECT_EQ(std::get<HttpRequest>(found).user, "amy");
    EXPECT_EQ(reader.held(), 0U);
  }
}

TEST(HttpRequestTest, RequestsThatComeTogetherAreReadOneByOne) {
  RequestReader reader;
  reader.feed(get("/a") + get("/b") + "GET /c");
  EXPECT_THAT(std::get<HttpRequest>(reader.next()).path, ElementsAre("a"));
  EXPECT_THAT(std::get<HttpRequest>(reader.next()).path, ElementsAre("b"));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(reader.next()));
  EXPECT_EQ(reader.held(), 6U);
}

TEST(HttpRequestTest, NothingButGetAndHeadWithoutABodyIsServed) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT"})
    EXPECT_EQ(status_of(std::string(method) + " /a HTTP/1.1\r\nHost: a\r\n\r\n"), 405) << method;
  EXPECT_EQ(status_of(get("/a", "Content-Length: 5\r\n")), 413);
  EXPECT_EQ(status_of(get("/a", "Transfer-Encoding: chunked\r\n")), 413);
  EXPECT_EQ(status_of(get("/a", "Content-Length: 0\r\n")), 0);
}

TEST(HttpRequestTest, ARequestThatAProxyCouldReadDifferentlyIsAFault) {
  EXPECT_EQ(status_of(get("/a", "Content-Length: 5\r\nContent-Length: 0\r\n")), 400);
  for (const char* coding : {"chunked", "gzip", "identity", "xchunked", "chunked, gzip"})
    EXPECT_EQ(status_of(get("/a", "Transfer-Encoding: " + std::string(coding) + "\r\n")), 413)
        << coding;
  EXPECT_EQ(status_of(get("/a", "Host: b\r\n")), 400);
  EXPECT_EQ(status_of(get("/a", "X-Remote-User: a\r\nx-remote-user: root\r\n")), 400);
  EXPECT_EQ(status_of(get("/a", "X-Remote-User : root\r\n")), 400);
  EXPECT_EQ(status_of("GET /a HTTP/1.1\r\n\r\n"), 400) << "without a Host field";
  EXPECT_EQ(status_of("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/2.0\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"sv), 400);
  EXPECT_EQ(status_of("\x16\x03\x01\x02 a greeting of TLS\r\n\r\n"), 400);
}

TEST(HttpRequestTest, AnInvalidTargetIsAFault) {
  for (const char* target : {"/%", "/%1", "/%zz", "/a?b=%0", "/%00", "/a%0d%0ab", "/?%7f="})
    EXPECT_EQ(status_of(get(target)), 400) << target;
  EXPECT_EQ(status_of(get("/" + std::string(kLongestTarget, 'a'))), 414);
  std::string words = "/?a";
  for (std::size_t i = 0; i <= kMostWords; ++i) words += "&a";
  EXPECT_EQ(status_of(get(words)), 400);
}

TEST(HttpRequestTest, AHeadIsBoundedWhetherItEndsOrNot) {
  EXPECT_EQ(status_of(get("/", "A: " + std::string(kLongestHead, 'a') + "\r\n")), 431);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nA: " + std::string(kLongestHead, 'a')), 431);
  std::string fields;
  for (std::size_t i = 0; i < kMostFields; ++i) fields += "a: b\r\n";
  EXPECT_EQ(status_of(get("/", fields)), 431);
}

// Whatever comes, it is read to the same end whole and byte by byte, and what is understood is
// within the bounds.
TEST(HttpRequestTest, AnyChangeOfARequestIsReadTheSameHoweverItComes) {
  std::mt19937 random(20260801);
  const std::string samples[] = {
      get("/api/v1/showq?limit=10&sort=-priority", "X-Remote-User: amy\r\nAccept: */*\r\n"),
      get("/health") + get("/metrics"),
      "HEAD /%41?b=%20c HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
      get("/", "Content-Length: 0\r\nSec-Fetch-Site: none\r\n")};
  constexpr auto kNasty = "\r\n\0 :%/?&=+,;\t\x80\xff"sv;
  int requests = 0, faults = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = samples[random() % std::size(samples)];
    for (auto changes = random() % 4; changes-- > 0;) {
      const auto at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.insert(at, 1, kNasty[random() % kNasty.size()]);
          break;
        case 2:
          text.erase(at, 1 + random() % 4);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
      }
      if (text.empty()) text = "G";
    }
    const auto whole = read(text);
    RequestReader slowly;
    Read found;
    for (std::size_t i = 0; i < text.size() && found.index() == 0; ++i) {
      slowly.feed(std::string_view(text).substr(i, 1));
      found = slowly.next();
    }
    ASSERT_EQ(whole.index(), found.index()) << text;
    if (const auto* fault = std::get_if<HttpFault>(&whole)) {
      ++faults;
      ASSERT_EQ(*fault, std::get<HttpFault>(found)) << text;
    }
    if (const auto* request = std::get_if<HttpRequest>(&whole)) {
      ++requests;
      ASSERT_EQ(request->path, std::get<HttpRequest>(found).path) << text;
      for (const auto& word : request->path)
        for (const char c : word) ASSERT_GE(static_cast<unsigned char>(c), ' ') << text;
    }
  }
  EXPECT_GT(requests, 1000);
  EXPECT_GT(faults, 1000);
}

TEST(HttpTargetTest, ATargetBeginsWithASlash) {
  EXPECT_FALSE(read_target("*"));
  EXPECT_FALSE(read_target(""));
  EXPECT_TRUE(read_target("/")->path.empty());
  EXPECT_TRUE(read_target("/?")->query.empty());
}

}  // namespace
}  // namespace maui
