// The expression of NODECFG PRIORITYF.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/names.h"

namespace maui {
namespace {

/// The steps, one after the other: "PRIORITY 2 SPEED * +".
std::string postfix(std::string_view text) {
  using Operation = PriorityFunction::Operation;
  const auto parsed = parse_priority_function(text);
  if (!parsed) return parsed.error().what;
  std::string out;
  for (const auto& step : parsed->steps) {
    if (!out.empty()) out += " ";
    switch (step.operation) {
      case Operation::number:
        out += fmt::format("{}", step.number);
        break;
      case Operation::term:
        out += name_of(std::span<const EnumName<NodeTerm>>(config::kNodeTerms), step.term);
        break;
      case Operation::feature:
        out += "[" + step.feature + "]";
        break;
      case Operation::add:
        out += "+";
        break;
      case Operation::subtract:
        out += "-";
        break;
      case Operation::multiply:
        out += "*";
        break;
      case Operation::divide:
        out += "/";
        break;
    }
  }
  return out;
}

TEST(PriorityFunctionTest, BindsAsInSchool) {
  EXPECT_EQ(postfix("PRIORITY"), "PRIORITY");
  EXPECT_EQ(postfix("priority + 2*Speed - LOAD"), "PRIORITY 2 SPEED * + LOAD -");
  EXPECT_EQ(postfix("(APROCS-JOBCOUNT)/CPROCS"), "APROCS JOBCOUNT - CPROCS /");
  EXPECT_EQ(postfix("-LOAD"), "0 LOAD -");
  EXPECT_EQ(postfix("-10*FEATURE[slow]+.5"), "0 10 - [slow] * 0.5 +");
}

TEST(PriorityFunctionTest, SaysWhereItCannotBeRead) {
  EXPECT_EQ(
      postfix("SPEED+"),
      "priority function 'SPEED+': expected a number, a '(' or one of PRIORITY SPEED PROCSPEED "
      "LOAD CPROCS CMEM CSWAP CDISK APROCS AMEM ASWAP ADISK JOBCOUNT NODEINDEX FEATURE[name] "
      "at position 7");
  EXPECT_EQ(postfix("SPEED LOAD"),
            "priority function 'SPEED LOAD': expected an operator at "
            "position 7");
  EXPECT_EQ(postfix("(SPEED"), "priority function '(SPEED': expected a ')' at position 7");
  EXPECT_EQ(postfix("FEATURE[]"),
            "priority function 'FEATURE[]': expected a feature and a ']' at position 9");
  for (const auto wrong : {"", "COLOUR", "1..2", "SPEED**2", ")", "FEATURE[x", "2 2", "1,2"})
    EXPECT_FALSE(parse_priority_function(wrong)) << wrong;
  EXPECT_FALSE(parse_priority_function(std::string(1000, '(')));
  EXPECT_FALSE(parse_priority_function(std::string(1000, '-') + "1"));
}

}  // namespace
}  // namespace maui
