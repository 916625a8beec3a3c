// The style of the report's page and pictures: light or dark as the reader's system, narrow or
// wide.  Lines also differ in their dashes, for readers who cannot distinguish the colours.
#pragma once
#include <string_view>

namespace maui::compare {

inline constexpr std::string_view kChartStyle = R"(
:root, svg { --soft: #57606a; --rule: #d0d7de;
  --c0: #57606a; --c1: #0b62c4; --c2: #b35900; --c3: #1a7f37; --c4: #8250df; --c5: #b3261e;
  --c6: #00758f; --c7: #9a6700; }
@media (prefers-color-scheme: dark) { :root, svg { --soft: #9aa4af; --rule: #343b44;
  --c0: #9aa4af; --c1: #6cb2ff; --c2: #ffb066; --c3: #56d364; --c4: #c8a6ff; --c5: #ff8a80;
  --c6: #5cd3e8; --c7: #e3c04f; } }
svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
.grid { stroke: var(--rule); stroke-width: 1; }
.line { fill: none; stroke-width: 1.8; stroke-linejoin: round; } .key { stroke-width: 3; }
.line.s0 { stroke: var(--c0); } .line.s1 { stroke: var(--c1); stroke-dasharray: 6 2; }
.line.s2 { stroke: var(--c2); stroke-dasharray: 2 2; } .line.s3 { stroke: var(--c3); }
.line.s4 { stroke: var(--c4); stroke-dasharray: 8 2 2 2; } .line.s5 { stroke: var(--c5); }
.line.s6 { stroke: var(--c6); stroke-dasharray: 4 4; } .line.s7 { stroke: var(--c7); }
.bar.s0 { fill: var(--c0); } .bar.s1 { fill: var(--c1); } .bar.s2 { fill: var(--c2); }
.bar.s3 { fill: var(--c3); } .bar.s4 { fill: var(--c4); } .bar.s5 { fill: var(--c5); }
.bar.s6 { fill: var(--c6); } .bar.s7 { fill: var(--c7); }
)";

inline constexpr std::string_view kPageStyle = R"(
:root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --good: #1a7f37; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --back: #12161b; --text: #e6edf3; --good: #56d364;
  --bad: #ff8a80; } }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; background: var(--back);
  color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
nav a { margin-right: 1em; white-space: nowrap; } a { color: var(--c1); }
p.note, caption { color: var(--soft); } caption { text-align: left; padding: .3rem 0; }
.wide { overflow-x: auto; } figure { margin: 1rem 0; } figcaption { font-weight: 600; }
svg { width: 100%; height: auto; display: block; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--rule); text-align: right; }
th:first-child, td:first-child { text-align: left; } thead th { border-bottom-width: 2px; }
.change { color: var(--soft); white-space: nowrap; } .met { color: var(--good); }
.unmet { color: var(--bad); font-weight: 700; } tr:target { outline: 2px solid var(--c1); }
)";

}  // namespace maui::compare
