// Base of the classes that translate one section of slurm.conf.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "migrate/slurm_conf.h"
#include "migrate/writer.h"

namespace maui::migrate {

class SlurmSection {
 protected:
  SlurmSection(Writer& writer, const SlurmConf& conf) : writer_(writer), conf_(conf) {}

  void head(std::string_view title) {
    writer_.blank();
    writer_.comment(title);
  }

  void lose(std::string_view key, const std::string& value, std::string why) {
    writer_.lose(conf_.line_of(key), fmt::format("{}={}", key, value), std::move(why));
  }

  std::int64_t number_of(std::string_view key) {
    const auto text = conf_.value(key);
    if (text.empty()) return 0;
    const auto number = parse_integer<std::int64_t>(text);
    if (!number || *number < 0 || *number > 4294967295) {
      lose(key, text, "expected a whole number from 0 to 4294967295");
      return 0;
    }
    return *number;
  }

  Writer& writer_;
  const SlurmConf& conf_;
};

}  // namespace maui::migrate
