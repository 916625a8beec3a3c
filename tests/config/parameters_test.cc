#include "config/parameters.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "base/text.h"
#include "config/configs.h"

namespace maui::config {
namespace {

TEST(ParametersTest, EveryDefaultIsLegalAndItsCanonicalFormStaysTheSame) {
  for (const auto& row : parameters()) {
    if (row.file == File::secret) continue;
    const auto& fallback = fallback_of(row);
    Words written;
    for (const auto word : words(row.fallback)) written.emplace_back(word);
    const auto first = row.type.canonical(written);
    ASSERT_TRUE(first) << row.name << ": " << first.error().what;
    EXPECT_EQ(*first, fallback) << row.name;
    if (fallback.empty()) continue;
    const auto again = row.type.canonical(fallback);
    ASSERT_TRUE(again) << row.name;
    EXPECT_EQ(*again, fallback) << row.name;
  }
}

// Where a default of the table and one of settings.h differed, the one that is written out would
// win.
TEST(ParametersTest, ApplyingADefaultChangesNothing) {
  int applied = 0;
  for (const auto& row : parameters()) {
    const bool of_objects =
        row.index == Index::either || row.index == Index::name || row.index == Index::credential;
    if (!row.apply || of_objects) continue;
    Settings settings;
    row.apply(settings, assumed_index(row), fallback_of(row));
    EXPECT_EQ(settings, Settings()) << row.name;
    ++applied;
  }
  EXPECT_GT(applied, 80);
}

TEST(ParametersTest, LandedParametersFillSettings) {
  for (const auto& row : parameters()) {
    if (row.landed != Landed::yes || row.file == File::secret) continue;
    EXPECT_TRUE(row.apply || row.attributes) << row.name;
  }
  for (const auto& row : parameters()) {
    if (row.attributes == nullptr || row.file != File::open) continue;
    for (const auto& attribute : *row.attributes)
      EXPECT_TRUE(!attribute.landed || attribute.apply) << row.name << " " << attribute.name;
  }
}

TEST(ParametersTest, ANameStandsForOneParameter) {
  std::set<std::string> names;
  for (const auto& row : parameters()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    for (const auto alias : words(row.aliases))
      EXPECT_TRUE(names.insert(std::string(alias)).second) << alias;
    EXPECT_EQ(find_parameter(lower(row.name)), &row);
  }
}

TEST(ParametersTest, EveryRowSaysWhatItIsFor) {
  for (const auto& row : parameters()) {
    EXPECT_FALSE(row.type.expected.empty()) << row.name;
    ASSERT_FALSE(row.help.empty()) << row.name;
    EXPECT_EQ(row.help.back(), '.') << row.name;
  }
}

TEST(ParametersTest, EveryNameOfTheGuideAndOfRealSitesIsKnown) {
  std::ifstream in(MAUI_TEST_DATA "/parameter_names.txt");
  ASSERT_TRUE(in);
  int known = 0;
  for (std::string name; std::getline(in, name);) {
    if (name.starts_with('#')) continue;
    EXPECT_NE(find_parameter(name), nullptr) << name;
    ++known;
  }
  EXPECT_GT(known, 300);
}

TEST(ParametersTest, NamesOfTheGuideThatMeanTheSameAreOneParameter) {
  const std::pair<std::string_view, std::string_view> same[] = {
      {"DIRECTSPECWEIGHT", "CREDWEIGHT"},
      {"RESOURCEWEIGHT", "RESWEIGHT"},
      {"XFACTOR", "XFWEIGHT"},
      {"QUEUEWEIGHT", "QUEUETIMEWEIGHT"},
      {"MAUIPORT", "SERVERPORT"},
      {"ACCOUNTFSWEIGHT", "FSACCOUNTWEIGHT"},
      {"RMHOST", "RMSERVER"},
      {"ALLOCATIONPOLICY", "NODEALLOCATIONPOLICY"},
      {"JOBSUBMISSIONPOLICY", "SIMJOBSSUBMISSIONPOLICY"}};
  for (const auto& [other, name] : same) EXPECT_EQ(find_parameter(other)->name, name);
}

TEST(ParametersTest, ComponentWeightsAreOneAndSubcomponentWeightsZeroButForQueueTime) {
  for (const auto name : {"CREDWEIGHT", "SERVWEIGHT", "RESWEIGHT", "FSWEIGHT", "TARGWEIGHT",
                          "USAGWEIGHT", "QUEUETIMEWEIGHT"})
    EXPECT_EQ(find_parameter(name)->fallback, "1") << name;
  for (const auto name : {"USERWEIGHT", "XFWEIGHT", "PROCWEIGHT", "MEMWEIGHT", "FSUSERWEIGHT"})
    EXPECT_EQ(find_parameter(name)->fallback, "0") << name;
}

TEST(ParametersTest, ResourceManagerParametersWithoutAnIndexApplyToTheOnlyResourceManager) {
  const auto managers = [](std::string_view text) {
    return parsed(text).settings().resource_managers;
  };
  const auto joined = managers("RMCFG[slurm] TYPE=WIKI\nRMHOST head\nRMPORT 7321\n");
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined.begin()->first, "slurm");
  EXPECT_EQ(joined.begin()->second.host, "head");
  EXPECT_EQ(joined.begin()->second.port, 7321);
  EXPECT_EQ(managers("RMPORT 7321\nRMCFG[slurm] TYPE=WIKI\nRMNAME first\n").at("slurm").name,
            "first");
  EXPECT_EQ(managers("RMCFG[a] TYPE=WIKI\nRMCFG[b] TYPE=WIKI\nRMPORT 7321\n").size(), 3u)
      << "it could mean either";
  const auto mistyped = managers("RMCFG[base] TYPE=WIKI PORT=1\nRMCFG[bas] PORT=2\n");
  ASSERT_EQ(mistyped.size(), 2u) << "RMCFG[base] has an index";
  EXPECT_EQ(mistyped.at("base").port, 1);
  EXPECT_EQ(managers("RMCFG[slurm] TIMEOUT=5\nRMTYPE WIKI\n").at("slurm").type, "WIKI");
}

// tests/data/showconfig_names.txt: whatever showconfig of release 3.3 printed, with -v or without.
TEST(ParametersTest, EveryNameThatShowconfigOf33PrintedIsKnownAndShown) {
  std::ifstream file(std::string(MAUI_TEST_DATA) + "/showconfig_names.txt");
  std::set<std::string> shown;
  for (const auto& row : parsed("").listing(true).rows)
    shown.insert(find_parameter(row.name.substr(0, row.name.find('[')))->name);
  int names = 0;
  for (std::string name; std::getline(file, name); ++names) {
    const Parameter* known = find_parameter(name);
    ASSERT_NE(known, nullptr) << name;
    EXPECT_TRUE(shown.contains(known->name)) << name;
  }
  EXPECT_EQ(names, 181);
}

TEST(ParametersTest, ParametersThatRelease33OnlyShowedAreReadAndSayWhyTheyHaveNoEffect) {
  EXPECT_TRUE(parsed("BACKFILLMAXSCHEDULES 10000\nSIMCOMRATE 0.10\n").warnings().empty());
  EXPECT_EQ(parsed("MAILPROGRAM /usr/bin/mail\n").warnings(),
            std::vector<std::string>{
                "MAILPROGRAM has no effect: NOTIFICATIONPROGRAM sends notifications"});
  EXPECT_EQ(
      parsed("SCHEDCFG[Maui] MODE=NORMAL SERVER=head:42559\n").warnings(),
      std::vector<std::string>{
          "SCHEDCFG has no effect: SERVERHOST, SERVERPORT, SERVERNAME and SERVERMODE replace it"});
  for (const auto& row : relic_parameters()) EXPECT_FALSE(row.reason.empty()) << row.name;
}

TEST(ParametersTest, NamesUnderWhichShowconfigOf33PrintedThemAreKnown) {
  const std::pair<std::string_view, std::string_view> same[] = {
      {"CONSUMEDWEIGHT", "USAGECONSUMEDWEIGHT"},
      {"REMAININGWEIGHT", "USAGEREMAININGWEIGHT"},
      {"PERCENTWEIGHT", "USAGEPERCENTWEIGHT"},
      {"QOSTARGETQT", "QOSQTTARGET"},
      {"QOSTARGETXF", "QOSXFTARGET"},
      {"SERVERHOMEDIR", "MAUIHOMEDIR"}};
  for (const auto& [other, name] : same) EXPECT_EQ(find_parameter(other)->name, name);
}

TEST(ParametersTest, PartitionModeIsKnownAndHasNoEffect) {
  EXPECT_EQ(parsed("PARTITIONMODE ON\n").without_effect(),
            std::vector<std::string>{"PARTITIONMODE"});
}

}  // namespace
}  // namespace maui::config
