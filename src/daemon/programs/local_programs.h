// The site's own programs for decisions that differ from those of the guide
// (docs/local-programs.md describes their format).
#pragma once
#include <array>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>

#include "maui/local_policies.h"
#include "maui/settings/local.h"
#include "programs/inquiry.h"

namespace maui {

/// Returns the text of a question to a program, one line per fact.
std::string question_text(const LocalQuestion& question);
/// Parses the program's answer, one line per job; an error names the line.
Result<std::vector<LocalAnswer>> read_local_answer(const LocalQuestion& question,
                                                   std::string_view text);

class LocalPrograms : public LocalPolicies {
 public:
  using Log = std::function<void(int level, std::string_view text)>;

  LocalPrograms(boost::asio::io_context& io, InquiryLimits limits, Log log)
      : io_(io), limits_(limits), log_(std::move(log)) {}

  /// Finds the programs; omits those that are missing or not executable.
  void configure(const LocalSettings& settings, const std::string& home);
  bool wants(LocalHook hook) const override { return !path(hook).empty(); }
  void ask(LocalQuestion question, Answered answered) override;

 private:
  const std::string& path(LocalHook hook) const { return paths_[static_cast<std::size_t>(hook)]; }

  boost::asio::io_context& io_;
  InquiryLimits limits_;
  Log log_;
  std::array<std::string, std::size(kLocalPrograms)> paths_;  // by hook; empty: no program
};

}  // namespace maui
