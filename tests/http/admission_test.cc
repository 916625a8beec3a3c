#include "http/admission.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

const HttpAdmission kSite{{"head", "head.example.org"}, {"www-data", "10.0.0.2"}};

HttpRequest for_host(std::string host = "head:8080") {
  HttpRequest made;
  made.host = std::move(host);
  return made;
}

HttpRequest naming(std::string user) {
  auto made = for_host();
  made.user = std::move(user);
  return made;
}

HttpOrigin socket_of(std::string user) { return {true, std::move(user), ""}; }
HttpOrigin host(std::string address) { return {false, "", std::move(address)}; }

/// The user, "nobody", or the status of the fault.
std::string outcome(const HttpRequest& asked, const HttpOrigin& origin) {
  const auto found = admit(asked, origin, kSite);
  if (const auto* fault = std::get_if<HttpFault>(&found)) return std::to_string(fault->status);
  const auto& user = std::get<std::string>(found);
  return user.empty() ? "nobody" : user;
}

TEST(HttpAdmissionTest, AtThePortNobodyIsAnybody) {
  EXPECT_EQ(outcome(for_host(), host("10.0.0.7")), "nobody");
  EXPECT_EQ(outcome(for_host(), host("127.0.0.1")), "nobody");
}

TEST(HttpAdmissionTest, AtTheSocketTheKernelSaysWhoItIs) {
  EXPECT_EQ(outcome(for_host(), socket_of("amy")), "amy");
  EXPECT_EQ(outcome(for_host("anything"), socket_of("amy")), "amy");
}

TEST(HttpAdmissionTest, OnlyATrustedProxyNamesAUser) {
  EXPECT_EQ(outcome(naming("root"), socket_of("amy")), "403");
  EXPECT_EQ(outcome(naming("amy"), socket_of("amy")), "403");
  EXPECT_EQ(outcome(naming("root"), host("10.0.0.7")), "403");
  EXPECT_EQ(outcome(naming("root"), host("127.0.0.1")), "403");
  EXPECT_EQ(outcome(naming("amy"), socket_of("www-data")), "amy");
  EXPECT_EQ(outcome(naming("amy"), host("10.0.0.2")), "amy");
  // A user who is called like an address, and a host like a user.
  EXPECT_EQ(outcome(naming("root"), socket_of("")), "403");
  EXPECT_EQ(outcome(naming("root"), host("")), "403");
}

TEST(HttpAdmissionTest, AProxyThatNamesNobodyAsksForNobody) {
  EXPECT_EQ(outcome(for_host(), socket_of("www-data")), "nobody");
  EXPECT_EQ(outcome(naming(""), socket_of("www-data")), "400");
  EXPECT_EQ(outcome(naming(std::string(1000, 'a')), socket_of("www-data")), "400");
}

TEST(HttpAdmissionTest, ANameThatIsNotThisHostsIsRefusedAtThePort) {
  EXPECT_EQ(outcome(for_host("evil.example.com:8080"), host("127.0.0.1")), "421");
  EXPECT_EQ(outcome(for_host("head.evil.com"), host("127.0.0.1")), "421");
  EXPECT_EQ(outcome(for_host(""), host("127.0.0.1")), "421");
  EXPECT_EQ(outcome(for_host("localhost.evil.com"), host("127.0.0.1")), "421");
  EXPECT_EQ(outcome(for_host("127.0.0.1.evil.com"), host("127.0.0.1")), "421");
  for (const char* name : {"head", "HEAD:80", "head.example.org.", "localhost:8080", "127.0.0.1",
                           "10.0.0.1:80", "[::1]:8080"})
    EXPECT_EQ(outcome(for_host(name), host("127.0.0.1")), "nobody") << name;
  EXPECT_EQ(outcome(for_host("maui.example.org"), host("10.0.0.2")), "nobody")
      << "a proxy is asked under its own name";
}

TEST(HttpAdmissionTest, PagesOfOtherSitesAreNotServedButMayLeadToThePage) {
  auto asked = for_host();
  asked.fetch_site = "cross-site";
  EXPECT_EQ(outcome(asked, host("127.0.0.1")), "nobody");
  asked.path = {"api", "v1", "showq"};
  for (const char* site : {"cross-site", "same-site", "anything"}) {
    asked.fetch_site = site;
    EXPECT_EQ(outcome(asked, host("127.0.0.1")), "403") << site;
    EXPECT_EQ(outcome(asked, socket_of("www-data")), "403") << site;
  }
  for (const char* site : {"same-origin", "none", ""}) {
    asked.fetch_site = site;
    EXPECT_EQ(outcome(asked, host("127.0.0.1")), "nobody") << site;
  }
}

}  // namespace
}  // namespace maui
