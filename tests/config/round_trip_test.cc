// The rows of showconfig -v, saved as maui.cfg, give the same rows: for any legal configuration.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "base/text.h"
#include "config/configs.h"
#include "config/parameters.h"

namespace maui::config {
namespace {

using maui::parsed;
using maui::saved;

class Author {
 public:
  explicit Author(std::uint32_t seed) : random_(seed) {}

  std::string configuration() {
    std::string out;
    for (int lines = static_cast<int>(upto(60)); lines >= 0; --lines) {
      const auto& row = parameters()[upto(parameters().size() - 1)];
      if (row.file == File::secret) continue;
      const auto value = row.attributes ? pairs(*row.attributes) : words_for(row.type);
      if (!value.empty()) out += name_of_row(row) + " " + value + "\n";
    }
    return out;
  }

 private:
  std::size_t upto(std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most)(random_);
  }
  const std::string& any(const std::vector<std::string>& of) { return of[upto(of.size() - 1)]; }

  // Words of any kind, and those that the type names when it says what it expects.
  std::string word_for(const ValueType& type) {
    static const std::vector<std::string> kWords{"0",
                                                 "1",
                                                 "17",
                                                 "3,9",
                                                 "-1",
                                                 "1000",
                                                 "0.25",
                                                 "2.5e3",
                                                 "TRUE",
                                                 "off",
                                                 "4K",
                                                 "00:05",
                                                 "2:03:04:05",
                                                 "INFINITY",
                                                 "amy",
                                                 "amy,bob",
                                                 "a:b|c",
                                                 "[NONE]",
                                                 "[ALL]",
                                                 "it's a",
                                                 "#7",
                                                 "say \"no\"",
                                                 "both ' \"",
                                                 "",
                                                 "ALWAYS:CANCEL:MEM:SWAP",
                                                 "PROCS:2;MEM=4",
                                                 "PBS:RMS",
                                                 "12.5%^",
                                                 "Mon,Tue",
                                                 "n[01-12]",
                                                 "=",
                                                 "\xC3\xA9"};
    if (upto(1) == 0) return any(kWords);
    std::vector<std::string> named;
    std::string word;
    for (const char c : type.expected + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '%')
        word += c;
      else if (!word.empty())
        named.push_back(std::exchange(word, {}));
    }
    return any(named);
  }

  std::string words_for(const ValueType& type) {
    for (int tries = 0; tries < 30; ++tries) {
      Words value;
      for (auto n = upto(2) + 1; n > 0; --n) value.push_back(word_for(type));
      if (type.canonical(value)) return shown_as_written(value);
    }
    return {};
  }

  std::string pairs(const std::vector<Attribute>& attributes) {
    std::string out;
    for (auto n = upto(3) + 1; n > 0; --n) {
      const auto& attribute = attributes[upto(attributes.size() - 1)];
      if (attribute.file == File::secret) continue;
      for (int tries = 0; tries < 30; ++tries) {
        const auto word = word_for(attribute.type);
        auto name = attribute.name;
        if (attribute.takes_credential && upto(2) == 0) name += upto(1) == 0 ? "[USER]" : "[qos:a]";
        if (!parse_pair(attributes, name + "=" + word)) continue;
        out += " " + name + "=" + config::config_word(word);
        break;
      }
    }
    return out;
  }

  static std::string shown_as_written(const Words& value) {
    std::string out;
    for (const auto& word : value) out += config::config_word(word) + "\t ";
    return out;
  }

  std::string name_of_row(const Parameter& row) {
    static const std::vector<std::string> kNumbers{"", "[0]", "[1]", "[7]", "[12]"};
    static const std::vector<std::string> kNames{"[amy]",      "[DEFAULT]", "[default]",
                                                 "[^r2i4n3$]", "[n[1-2]]",  "[ b ]"};
    const auto name = upto(1) == 0 ? lower(row.name) : row.name;
    switch (row.index) {
      case Index::none:
        return name + (upto(3) == 0 ? "[0]" : "");
      case Index::numeric:
        return name + any(kNumbers);
      case Index::name:
        return name + any(kNames);
      case Index::credential:
        return name + (upto(4) == 0 ? "[\"domain users\"]" : any(kNames));
      case Index::base:
        return name + (upto(3) == 0 ? "[base]" : "");
      case Index::either:
      case Index::optional_name:
        return name + (upto(1) == 0 ? any(kNumbers) : any(kNames));
    }
    return name;
  }

  std::mt19937 random_;
};

/// Sorts as a saved file is: in the order of the table, not of the lines.
Settings in_order(Settings settings) {
  std::sort(settings.class_order.begin(), settings.class_order.end());
  settings.standing_order.clear();
  return settings;
}

TEST(RoundTripTest, TheDefaultsGiveTheDefaults) {
  const auto again = parsed(saved(Configuration()));
  EXPECT_EQ(again.settings(), parsed("").settings());
  EXPECT_EQ(saved(again), saved(Configuration()));
  EXPECT_TRUE(again.without_effect().empty());
}

TEST(RoundTripTest, AnyLegalConfigurationGivesItself) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const auto text = Author(seed).configuration();
    const auto first = parsed(text);
    const auto second = parsed(saved(first));
    ASSERT_EQ(saved(second), saved(first)) << text;
    ASSERT_EQ(in_order(second.settings()), in_order(first.settings())) << text;
    ASSERT_EQ(second.without_effect(), first.without_effect()) << text;
  }
}

TEST(RoundTripTest, WhatIsSavedIsWarnedOfNoMoreThanWhatWasWritten) {
  const auto earlier_forms = parsed(
      "RMCFG[base] TYPE=WIKI HOST=head PORT=7321 AUTHTYPE=NONE TIMEOUT=9\n"
      "AMCFG[bank] TYPE=FILE HOST=head PORT=7112 TIMEOUT=9 CHARGEPOLICY=DEBITALLWC "
      "DEFERJOBONFAILURE=TRUE FALLBACKACCOUNT=other\nNODEACCESSPOLICY SHARED\n");
  EXPECT_THAT(parsed(saved(earlier_forms)).warnings(),
              testing::IsSubsetOf(earlier_forms.warnings()));
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const auto first = parsed(Author(seed).configuration());
    EXPECT_THAT(parsed(saved(first)).warnings(), testing::IsSubsetOf(first.warnings()));
  }
}

TEST(RoundTripTest, TheAuthorOfTheseTestsUsesNearlyEveryParameter) {
  std::string all;
  for (std::uint32_t seed = 0; seed < 150; ++seed) all += upper(Author(seed).configuration());
  int unused = 0;
  for (const auto& row : parameters())
    if (row.file == File::open && all.find("\n" + row.name) == std::string::npos) ++unused;
  EXPECT_LT(unused, 10);
}

}  // namespace
}  // namespace maui::config
