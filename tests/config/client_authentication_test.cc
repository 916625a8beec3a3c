#include "config/client_authentication.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/configuration.h"

namespace maui::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Configuration read(const std::string& text) {
  std::vector<Diagnostic> diagnostics;
  auto made = Configuration::parse(text, "maui.cfg", diagnostics);
  EXPECT_TRUE(made) << (diagnostics.empty() ? "" : diagnostics.front().text());
  return made ? *std::move(made) : Configuration();
}

std::string refusal_of(const std::string& text) {
  std::vector<Diagnostic> diagnostics;
  if (Configuration::parse(text, "maui.cfg", diagnostics)) return "none";
  return diagnostics.front().text();
}

ClientAuthentication::IsIt host(std::string_view name) {
  return [name](std::string_view known) { return known == name; };
}

TEST(ClientAuthenticationTest, WithoutAWordOfItEveryHostIsKnownByTheSecret) {
  const auto clients = Configuration().client_authentication();
  EXPECT_EQ(clients.ways_of(host("login1")), (ClientWays{.checksum = true}));
  EXPECT_FALSE(clients.uses_munge());
  EXPECT_FALSE(clients.needs_no_secret());
}

TEST(ClientAuthenticationTest, AHostHasItsOwnWaysAndEveryOtherThoseOfDefault) {
  const auto clients = read(
                           "CLIENTCFG[admin1] AUTHTYPE=CHECKSUM,munge\n"
                           "CLIENTCFG[rack] AUTHTYPE=SECUREPORT MUNGESOCKET=/run/other\n"
                           "CLIENTCFG[DEFAULT] AUTHTYPE=MUNGE MUNGESOCKET=/run/munge\n")
                           .client_authentication();
  EXPECT_EQ(clients.ways_of(host("admin1")), (ClientWays{.checksum = true, .munge = true}));
  EXPECT_EQ(clients.ways_of(host("rack")), (ClientWays{.secure_port = true}));
  EXPECT_EQ(clients.ways_of(host("login1")), (ClientWays{.munge = true}));
  EXPECT_EQ(clients.munge_socket_of(host("rack")), "/run/other");
  EXPECT_EQ(clients.munge_socket_of(host("admin1")), "/run/munge");
  EXPECT_THAT(clients.hosts(), ElementsAre("admin1", "rack"));
  EXPECT_TRUE(clients.uses_munge());
}

TEST(ClientAuthenticationTest, ErrorsNameTheirLine) {
  EXPECT_THAT(refusal_of("\nCLIENTCFG[a] AUTHTYPE=KERBEROS\n"),
              testing::AllOf(HasSubstr("maui.cfg:2:"), HasSubstr("KERBEROS"), HasSubstr("MUNGE")));
  EXPECT_THAT(refusal_of("CLIENTCFG[a] KEY=17\n"),
              HasSubstr("KEY= is allowed only in maui-private.cfg"));
  EXPECT_THAT(refusal_of("CLIENTCFG[RM:base] AUTHTYPE=MUNGE\n"), HasSubstr("expected RMCFG[base]"));
  EXPECT_THAT(refusal_of("CLIENTCFG[a] AUTHTYPE=\n"), HasSubstr("AUTHTYPE"));
}

TEST(ClientAuthenticationTest, ItCountsAtOnceWhenItIsChanged) {
  auto made = read("CLIENTCFG[DEFAULT] AUTHTYPE=MUNGE\n");
  ASSERT_TRUE(made.set("CLIENTCFG[DEFAULT]", {"AUTHTYPE=CHECKSUM"}, /*at_runtime=*/true));
  EXPECT_FALSE(made.client_authentication().uses_munge());
  const auto secret = made.set("CLIENTCFG[RM:base]", {"KEY=17"}, /*at_runtime=*/true);
  ASSERT_FALSE(secret);
  EXPECT_THAT(secret.error().what, HasSubstr("maui-private.cfg"));
}

TEST(ClientAuthenticationTest, AHostThatIsNewInTheFileCountsWhenItIsReadAgain) {
  const auto running = read("CLIENTCFG[rack] AUTHTYPE=SECUREPORT\n");
  auto next = read("CLIENTCFG[DEFAULT] AUTHTYPE=MUNGE\nSERVERPORT 4000\n");
  EXPECT_THAT(next.keep_until_restart(running), ElementsAre("SERVERPORT"));
  EXPECT_EQ(next.client_authentication().ways_of(host("login1")), (ClientWays{.munge = true}));
  EXPECT_EQ(next.client_authentication().ways_of(host("rack")), (ClientWays{.munge = true}));
}

}  // namespace
}  // namespace maui::config
