// The signs of comparisons in workload traces (guide 16.3.1) and in WIKI records.
#pragma once
#include <array>

#include "base/enum_names.h"
#include "maui/request.h"

namespace maui {

/// Writers use the first sign of each comparison.
inline constexpr std::array<EnumName<Comparison>, 7> kComparisonSigns{{
    {Comparison::at_least, ">="},
    {Comparison::more, ">"},
    {Comparison::equal, "="},
    {Comparison::equal, "=="},
    {Comparison::at_most, "<="},
    {Comparison::less, "<"},
    {Comparison::any, "NC"},
}};

}  // namespace maui
