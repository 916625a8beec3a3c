// The traces that the project ships can be simulated as they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "maui/settings.h"
#include "sim/open_simulator.h"
#include "sim/trace_file.h"

namespace maui {
namespace {

struct Shipped {
  const char *resources, *workload;
  std::int64_t nodes, jobs, bad, skipped;
};

// One line of the KTH log gives no number of processors; eight of its jobs never ran.
constexpr Shipped kShipped[] = {
    {"Resource.Trace1", "Workload.Trace1", 195, 1834, 0, 0},
    {"Resource.Trace2", "Workload.Trace2.gz", 1024, 47689, 0, 0},
    {nullptr, "KTH-SP2-1996-2.1-cln.swf.gz", 100, 28467, 1, 8},
};

TEST(ShippedTracesTest, AreReadWhole) {
  for (const auto& row : kShipped) {
    Settings settings;
    settings.simulation.resource_trace = row.resources == nullptr ? "[NONE]" : row.resources;
    settings.simulation.workload_trace = row.workload;
    TraceSummary summary;
    const auto simulator = open_simulator(settings, MAUI_SOURCE "/traces", summary);
    ASSERT_TRUE(simulator) << simulator.error().what;
    EXPECT_EQ(summary.nodes, row.nodes) << row.workload;
    EXPECT_EQ(summary.jobs, row.jobs) << row.workload;
    EXPECT_EQ(summary.bad_lines, row.bad) << row.workload;
    EXPECT_EQ(summary.skipped_jobs, row.skipped) << row.workload;
  }
}

TEST(ShippedTracesTest, CarryTheAcknowledgementOfTheirSource) {
  for (const auto& row : kShipped) {
    auto reader = LineReader::open(std::string(MAUI_SOURCE "/traces/") + row.workload);
    ASSERT_TRUE(reader);
    bool acknowledged = false;
    int looked_at = 0;
    for (std::string_view line; looked_at < 20 && reader->next(line); ++looked_at)
      acknowledged = acknowledged || line.find("Acknowledge: ") != std::string_view::npos;
    EXPECT_TRUE(acknowledged) << row.workload;
  }
}

}  // namespace
}  // namespace maui
