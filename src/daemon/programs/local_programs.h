// The site's own programs for what it decides otherwise than the guide
// (docs/local-programs.md has their format).
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

/// The text of a question to a program, a line a fact.
std::string question_text(const LocalQuestion& question);
/// Its answer: a line a job; an error names the line.
Result<std::vector<LocalAnswer>> read_local_answer(const LocalQuestion& question,
                                                   std::string_view text);

class LocalPrograms : public LocalPolicies {
 public:
  using Log = std::function<void(int level, std::string_view text)>;

  LocalPrograms(boost::asio::io_context& io, InquiryLimits limits, Log log)
      : io_(io), limits_(limits), log_(std::move(log)) {}

  /// Looks for the programs; one that is not there, or cannot be run, is left out.
  void configure(const LocalSettings& settings, const std::string& home);
  bool wants(LocalHook hook) const override { return !path(hook).empty(); }
  void ask(LocalQuestion question, Answered answered) override;

 private:
  const std::string& path(LocalHook hook) const { return paths_[static_cast<std::size_t>(hook)]; }

  boost::asio::io_context& io_;
  InquiryLimits limits_;
  Log log_;
  std::array<std::string, std::size(kLocalPrograms)> paths_;  // by hook; empty: none
};

}  // namespace maui
