/** The look of the report: light and dark, narrow and wide, and on paper (A4). */
export const reportStyle = `
:root {
  color-scheme: light dark;
  --ground: #f3f4f2; --sheet: #ffffff; --ink: #1c2120; --quiet: #545d5a; --line: #d5dad7;
  --accent: #0b5c4e; --ok: #0b7a66; --refused: #a4262c; --unknown: #8a6100; --unsent: #5d6a8c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131716; --sheet: #1c2220; --ink: #e7ebe9; --quiet: #a5afab; --line: #343d3a;
    --accent: #79d3bf; --ok: #79d3bf; --refused: #ffa39c; --unknown: #f0c766; --unsent: #a9b8e0;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem; max-width: 70rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Georgian', sans-serif;
  overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; }
h2 { font-size: 1.125rem; margin: 0 0 .5rem; }
p, ol { margin: .5rem 0 0; }
.quiet { color: var(--quiet); font-size: .875rem; }
section { background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; margin-top: 1rem; }
.sum { font-size: 1.75rem; font-weight: 650; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: .5rem 1rem; margin: .75rem 0 0; }
dt { color: var(--quiet); font-size: .875rem; }
dd { margin: 0; }
code { font: .9em ui-monospace, 'Cascadia Mono', Menlo, monospace; }
ol { padding-left: 1.25rem; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
caption { text-align: left; color: var(--quiet); padding-bottom: .25rem; }
th { text-align: left; font-weight: 600; color: var(--quiet); }
thead th { white-space: nowrap; }
.rows { table-layout: fixed; }
.rows th:nth-child(1) { width: 7%; } .rows th:nth-child(2) { width: 15%; } .rows th:nth-child(3) { width: 24%; }
.rows th:nth-child(4), .rows th:nth-child(5) { width: 11%; } .rows th:nth-child(6) { width: 12%; }
th, td { padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--quiet); font: 12px system-ui, sans-serif; }
.axis { stroke: var(--line); }
.ok { fill: var(--ok); } .refused { fill: var(--refused); } .unknown { fill: var(--unknown); } .unsent { fill: var(--unsent); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: .5rem 0 0; padding: 0; font-size: .875rem; }
.legend svg { display: inline-block; width: .75rem; height: .75rem; margin-right: .35rem; }
@media screen and (max-width: 44rem) {
  .rows thead { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; }
  .rows tr { display: block; border-bottom: 1px solid var(--line); padding: .5rem 0; }
  .rows td, .rows th { display: block; border: 0; padding: 0; text-align: left; }
  .rows td:empty { display: none; }
  .rows th[scope=row] { width: auto; font-size: 1rem; }
  .chart text { font-size: 22px; }
  .rows td[data-name]::before { content: attr(data-name) ': '; color: var(--quiet); }
}
@page { size: A4; margin: 14mm; }
@media print {
  :root {
    color-scheme: light; --ground: #fff; --sheet: #fff; --ink: #000; --quiet: #444; --line: #bbb;
    --accent: #000; --ok: #0b7a66; --refused: #a4262c; --unknown: #8a6100; --unsent: #5d6a8c;
  }
  body { padding: 0; max-width: none; font-size: 10pt; }
  section { border: 0; border-radius: 0; padding: 0; margin-top: 6mm; }
  table { font-size: 8pt; }
  tr, svg, dl > div { break-inside: avoid; }
  h2, caption { break-after: avoid; }
  thead { display: table-header-group; }
  * { print-color-adjust: exact; }
}
`
