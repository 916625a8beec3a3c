#include "daemon/options.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace maui {
namespace {

Result<ProgramOptions> parse(const std::vector<std::string>& words) {
  return parse_program_options(words);
}

TEST(ProgramOptionsTest, ValuesMayBeAttachedOrApart) {
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"-C", "/x", "-L", "7"}, {"-C/x", "-L7"}, {"--configfile=/x", "--loglevel", "7"}}) {
    const auto options = parse(words);
    ASSERT_TRUE(options) << options.error().what;
    EXPECT_EQ(options->config_file, "/x");
    EXPECT_EQ(options->log_level, 7);
  }
}

TEST(ProgramOptionsTest, TheFileToCheckMayBeLeftOut) {
  const auto bare = parse({"--check-config"});
  ASSERT_TRUE(bare);
  EXPECT_TRUE(bare->check_config);
  EXPECT_EQ(bare->config_file, "");
  const auto named = parse({"--check-config", "/etc/maui.cfg"});
  ASSERT_TRUE(named);
  EXPECT_EQ(named->config_file, "/etc/maui.cfg");
  const auto both = parse({"--check-config", "-L", "3"});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->log_level, 3);
}

TEST(ProgramOptionsTest, HostAndPortOverrideTheConfiguration) {
  const auto options = parse({"--host=head", "--port", "15004"});
  ASSERT_TRUE(options) << options.error().what;
  ASSERT_EQ(options->overrides.size(), 2U);
  EXPECT_EQ(options->overrides[0].parameter, "SERVERHOST");
  EXPECT_EQ(options->overrides[0].value, "head");
  EXPECT_EQ(options->overrides[1].parameter, "SERVERPORT");
  EXPECT_EQ(options->overrides[1].value, "15004");
}

TEST(ProgramOptionsTest, OptionsOfRelease33AreTakenIfTheirMeaningIsKnown) {
  const auto options =
      parse({"-d", "-H", "/srv/maui", "-l", "other.log", "-m", "TEST", "-p", "15004"});
  ASSERT_TRUE(options) << options.error().what;
  EXPECT_TRUE(options->foreground);
  EXPECT_EQ(options->home, "/srv/maui");
  ASSERT_EQ(options->overrides.size(), 3U);
  EXPECT_EQ(options->overrides[0].parameter + "=" + options->overrides[0].value,
            "LOGFILE=other.log");
  EXPECT_EQ(options->overrides[1].parameter + "=" + options->overrides[1].value, "SERVERMODE=TEST");
  EXPECT_EQ(options->overrides[2].parameter + "=" + options->overrides[2].value,
            "SERVERPORT=15004");
  EXPECT_FALSE(parse({"-H", ""}));
}

/// Returns a row of the table in docs/manual/coming-from.md.
std::string manual_row(const OldOption& row) {
  return fmt::format("| `-{}{}{}` | {}{} |", row.letter, row.argument.empty() ? "" : " ",
                     row.argument, row.taken ? "the same, short for " : "", row.here);
}

TEST(ProgramOptionsTest, OtherOptionsOfRelease33AreRefusedWithWhatReplacesThem) {
  const std::string page = [] {
    std::ifstream in(std::string(MAUI_SOURCE) + "/docs/manual/coming-from.md");
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  for (const auto& old : options_of_3_3()) {
    EXPECT_NE(page.find(manual_row(old) + "\n"), std::string::npos) << manual_row(old);
    if (old.taken) continue;
    const auto refused = parse({"-L", "3", std::string("-") + old.letter + "1"});
    ASSERT_FALSE(refused) << old.letter;
    EXPECT_EQ(refused.error().what, std::string("-") + old.letter +
                                        " of release 3.3 is replaced by " + std::string(old.here));
  }
  EXPECT_EQ(parse({"-b", "FIRSTFIT"}).error().what,
            "-b of release 3.3 is replaced by BACKFILLPOLICY in maui.cfg");
  EXPECT_EQ(parse({"-Z"}).error().what, "unknown option '-Z'");
}

TEST(ProgramOptionsTest, FilesToLearnFromStandBetweenCommas) {
  const auto options = parse({"--relearn", "/a,/b"});
  ASSERT_TRUE(options) << options.error().what;
  EXPECT_EQ(options->relearn, (std::vector<std::string>{"/a", "/b"}));
}

TEST(ProgramOptionsTest, HoweverOftenItStartsAgainTheWordsAreTheSame) {
  using Words = std::vector<std::string>;
  const Words given = {"-L",           "3",    "--foreground", "--relearn", "/a",
                       "--relearn=/b", "-C/c", "--standby",    "--port",    "15004"};
  const Words kept = {"--foreground", "-L", "3", "-C/c", "--standby", "--port", "15004"};
  EXPECT_EQ(words_to_start_again(given), kept);
  EXPECT_EQ(words_to_start_again(kept), kept);
  const Words odd = {"--configfile", "--relearn", "--host", "--foreground"};
  EXPECT_EQ(words_to_start_again(odd),
            (Words{"--foreground", "--configfile", "--relearn", "--host", "--foreground"}))
      << "values of other options";
  EXPECT_EQ(words_to_start_again(Words{}), Words{"--foreground"});
}

TEST(ProgramOptionsTest, SaysWhatIsWrong) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"-Z"}, "unknown option '-Z'"},
      {{"--nosuch"}, "unknown option '--nosuch'"},
      {{"file"}, "unexpected word 'file'"},
      {{"-"}, "unexpected word '-'"},
      {{"-C"}, "--configfile must be followed by FILE"},
      {{"-L", "10"}, "--loglevel: invalid value '10': expected a number from 0 to 9"},
      {{"--help=yes"}, "--help takes no value"},
      {{"--relearn", ","}, "--relearn: expected files"},
  };
  for (const auto& [words, message] : cases) {
    const auto options = parse(words);
    ASSERT_FALSE(options) << message;
    EXPECT_EQ(options.error().what, message);
  }
}

}  // namespace
}  // namespace maui
