#include "compare/variants.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "daemon/temporary_directory.h"

namespace maui::compare {
namespace {

std::vector<std::string> names(const Variants& variants) {
  std::vector<std::string> all;
  for (const auto& variant : variants.all) all.push_back(variant.name);
  return all;
}

Choice choice(std::string_view text) { return *parse_choice(text); }

Result<Variants> variants_of(const std::vector<std::string>& files,
                             const std::vector<Choice>& choices) {
  auto bases = read_bases(files);
  if (!bases) return bases.error();
  return make_variants(*std::move(bases), choices);
}

class VariantsTest : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    const auto path = std::filesystem::path(home_.path()) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  TemporaryDirectory home_;
};

TEST_F(VariantsTest, AChoiceMayHaveAnIndexAndCommas) {
  EXPECT_EQ(choice("A=1,2").values, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(choice("USERCFG[amy]=PRIORITY=5").parameter, "USERCFG[amy]");
  EXPECT_EQ(choice("USERCFG[amy]=PRIORITY=5").values, std::vector<std::string>{"PRIORITY=5"});
  EXPECT_EQ(choice("A=1\\,2,3").values, (std::vector<std::string>{"1,2", "3"}));
  for (const auto* text : {"", "A", "A=", "=1", "A=1,", "A=,1"}) EXPECT_FALSE(parse_choice(text));
}

TEST_F(VariantsTest, WithoutFilesTheBaseHasTheDefaults) {
  const auto made = variants_of({}, {choice("BACKFILLPOLICY=NONE,BESTFIT")});
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_EQ(names(*made), (std::vector<std::string>{"defaults", "BACKFILLPOLICY=NONE",
                                                    "BACKFILLPOLICY=BESTFIT"}));
  EXPECT_EQ(made->all[1].configuration.settings().backfill, BackfillPolicy::none);
}

TEST_F(VariantsTest, ChoicesAreCombinedAndWhatIsThereIsNotRunAgain) {
  const auto made =
      variants_of({}, {choice("BACKFILLPOLICY=FIRSTFIT,NONE"), choice("RESERVATIONDEPTH=1,4")});
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_EQ(names(*made),
            (std::vector<std::string>{"defaults", "BACKFILLPOLICY=FIRSTFIT RESERVATIONDEPTH=4",
                                      "BACKFILLPOLICY=NONE RESERVATIONDEPTH=1",
                                      "BACKFILLPOLICY=NONE RESERVATIONDEPTH=4"}));
  ASSERT_EQ(made->notes.size(), 1U);
  EXPECT_EQ(made->notes[0],
            "BACKFILLPOLICY=FIRSTFIT RESERVATIONDEPTH=1 is the same as defaults: it is not run "
            "again");
}

TEST_F(VariantsTest, AFileOfALiveSiteIsTakenWithANote) {
  const auto path = file("maui.cfg",
                         "RMCFG[base] TYPE=WIKI HOST=h PORT=7000\nLOGDIR /log\n"
                         "BACKFILLPOLICY NONE\n");
  const auto made = variants_of({path}, {});
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_EQ(names(*made), std::vector<std::string>{"maui.cfg"});
  ASSERT_EQ(made->notes.size(), 1U);
  EXPECT_NE(made->notes[0].find("ignored: RMCFG"), std::string::npos) << made->notes[0];
}

TEST_F(VariantsTest, FilesWithTheSameNameAreDistinguishedByDirectory) {
  const auto a = file("a/maui.cfg", "BACKFILLPOLICY NONE\n");
  const auto b = file("b/maui.cfg", "BACKFILLPOLICY BESTFIT\n");
  const auto made = variants_of({a, b}, {choice("RESERVATIONDEPTH=3")});
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_EQ(names(*made),
            (std::vector<std::string>{a, b, a + " RESERVATIONDEPTH=3", b + " RESERVATIONDEPTH=3"}));
}

TEST_F(VariantsTest, SaysWhatIsWrong) {
  const auto bad = variants_of({file("bad.cfg", "BACKFILLPOLICY FURSTFIT\n")}, {});
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().what.find("bad.cfg:1"), std::string::npos) << bad.error().what;
  EXPECT_FALSE(variants_of({"/nowhere/maui.cfg"}, {}));
  const auto value = variants_of({}, {choice("BACKFILLPOLICY=FURSTFIT")});
  ASSERT_FALSE(value);
  EXPECT_NE(value.error().what.find("--set BACKFILLPOLICY=FURSTFIT"), std::string::npos);
  EXPECT_FALSE(variants_of({}, {choice("NOSUCH=1")}));
  const auto pace = variants_of({}, {choice("SIMSTEPPOLICY=EVENT,INTERVAL")});
  ASSERT_FALSE(pace);
  EXPECT_NE(pace.error().what.find("no meaning in a comparison"), std::string::npos);
}

}  // namespace
}  // namespace maui::compare
