// An event loop for tests that ask a question and run the loop until the answer arrives.
#pragma once
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "maui/result.h"

namespace maui::test {

class AskingLoop {
 public:
  /// Runs the loop until `done` returns true; fails the test after some seconds.
  void run_until(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done() && std::chrono::steady_clock::now() < end) {
      io.restart();
      io.run_one_until(end);
    }
    EXPECT_TRUE(done());
  }

  /// Calls `ask` with a callback and returns what the callback receives.
  template <class Answer, class Ask>
  Answer answer_to(Ask ask) {
    std::optional<Answer> answer;
    ask([&](Answer given) { answer = std::move(given); });
    run_until([&] { return answer.has_value(); });
    return answer ? *std::move(answer) : Answer(Error{"no answer"});
  }
  template <class Ask>
  Status status_of(Ask ask) {
    return answer_to<Status>(std::move(ask));
  }

  /// Returns a function that posts its argument to the loop, and counts its calls in `turns`.
  std::function<void(std::function<void()>)> counted_in(int& turns) {
    return [this, &turns](std::function<void()> go_on) {
      ++turns;
      boost::asio::post(io, std::move(go_on));
    };
  }

  boost::asio::io_context io;
};

}  // namespace maui::test
