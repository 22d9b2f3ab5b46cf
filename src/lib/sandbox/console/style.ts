/** The look of the console, behind what all pages have: two panes, on a phone one after the other. */

export const consoleStyle = `
body { font-size: .875rem; line-height: 1.45; font-variant-numeric: tabular-nums; }
h1, h2, h3, p, dl, dd, ul { margin: 0; }
ul { list-style: none; padding: 0; }
:focus-visible { outline-offset: 1px; border-radius: .25rem; }
.skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: absolute; z-index: 2; padding: .5rem .75rem; background: var(--sheet); }
button, input, select { font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--edge); border-radius: .375rem; padding: .3125rem .625rem; min-height: 2rem; }
button { color: var(--accent); font-weight: 600; cursor: pointer; }
button:hover { background: var(--tint); }

.top { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding: .625rem 1rem; }
h1 { font-size: 1rem; font-weight: 700; }
h1 span { font-weight: 400; }
.play { padding: .0625rem .5rem; border-radius: 1rem; background: var(--note); color: var(--on-note); font-size: .8125rem; }
[role=search] { flex: 1 1 16rem; max-width: 36rem; margin: 0 auto; }
[role=search] input { width: 100%; }
.clock time { font-weight: 600; }
.clock span { color: var(--quiet); }
#live { font-size: .8125rem; color: var(--quiet); }
#live::before { content: ''; display: inline-block; width: .5rem; height: .5rem; margin-right: .375rem; border-radius: 50%; background: var(--edge); }
#live.live::before { background: var(--good); }
#live.lost::before { background: var(--bad); }
#help { width: 2rem; padding: 0; }

nav { border-bottom: 1px solid var(--line); overflow-x: auto; }
nav ul { display: flex; gap: .25rem; padding: 0 .75rem; width: max-content; }
nav a { display: block; padding: .4375rem .5rem; color: var(--quiet); text-decoration: none; border-bottom: 2px solid transparent; white-space: nowrap; }
nav a:hover { color: var(--ink); }
nav a[aria-current] { color: var(--ink); font-weight: 600; border-bottom-color: var(--accent); }
nav b { font-weight: 400; font-size: .8125rem; }

table { width: 100%; border-collapse: collapse; }
th, td { padding: .375rem .5rem; text-align: left; font-weight: 400; vertical-align: top; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { padding-left: 1rem; }
th:last-child, td:last-child { padding-right: 1rem; }
thead th { position: sticky; top: 0; background: var(--sheet); color: var(--quiet); font-size: .8125rem; white-space: nowrap; z-index: 1; }
tbody tr:hover { background: var(--hover); }
tbody tr:has(.entry) { cursor: pointer; }
tbody tr[aria-current] { background: var(--tint); }
.entry { color: inherit; text-decoration: none; }
.id { white-space: nowrap; }
.text { overflow-wrap: break-word; max-width: 16rem; }
.words { overflow-wrap: anywhere; min-width: 6rem; }
.lines { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.amount { text-align: right; white-space: nowrap; }
thead span { font-weight: 400; font-size: .75rem; }
.plain { color: var(--quiet); }
.mark { font-weight: 600; }
td > .mark { white-space: nowrap; font-weight: 500; }
.mark::before { content: ''; display: inline-block; width: .5rem; height: .5rem; margin-right: .375rem; border-radius: 50%; background: currentColor; }
.mark.plain::before { content: none; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.waiting { color: var(--wait); }
.empty { padding: 1.5rem 1rem; color: var(--quiet); }

.filters { display: flex; flex-wrap: wrap; gap: .25rem; padding: .5rem 1rem; }
.filters a { display: block; padding: .125rem .75rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--quiet); text-decoration: none; font-size: .8125rem; }
.filters a:hover { background: var(--hover); color: var(--ink); }
.filters [aria-current] { border-color: var(--accent); color: var(--accent); background: var(--tint); font-weight: 600; }
.fold { display: inline-block; padding: 0 .375rem; border-radius: .75rem; background: var(--tint); color: var(--accent); font-size: .75rem; font-weight: 600; text-decoration: none; white-space: nowrap; }
.folded { white-space: nowrap; }
.presets { display: flex; flex-wrap: wrap; gap: .5rem; flex-basis: 100%; }

#list, #detail { background: var(--sheet); min-width: 0; }
#list { container-type: inline-size; }
#detail:empty { display: none; }
article { padding: 1rem; }
article > header { display: flex; justify-content: space-between; gap: 1rem; align-items: start; }
h2 { font-size: 1.125rem; line-height: 1.3; overflow-wrap: anywhere; }
h3 { font-size: .8125rem; font-weight: 600; color: var(--quiet); margin: 1.25rem 0 .25rem; }
.ways { display: flex; flex: none; gap: .125rem; }
.way { display: grid; place-items: center; width: 2rem; height: 2rem; color: var(--ink); text-decoration: none; border-radius: .375rem; }
span.way { opacity: .3; }
a.way:hover { background: var(--tint); }
.cause { margin-top: .75rem; padding: .5rem .75rem; border-left: 3px solid var(--bad); background: var(--hover); font-size: .9375rem; overflow-wrap: anywhere; }
.onward { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-top: .75rem; }
.onward ul { display: flex; flex-wrap: wrap; gap: .125rem 1rem; margin-right: auto; }
.onward button { font-size: .8125rem; min-height: 1.75rem; padding: .125rem .5rem; }
article section dl > div { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); gap: .75rem; padding: .1875rem 0; border-top: 1px solid var(--line); }
dt { color: var(--quiet); }
dd { overflow-wrap: anywhere; }
pre { margin: 0; padding: .625rem .75rem; background: var(--ground); border-radius: .375rem; white-space: pre-wrap; overflow-wrap: anywhere; font: .8125rem/1.5 ui-monospace, 'Cascadia Mono', Menlo, Consolas, 'Noto Sans Georgian', monospace; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin-top: .75rem; }
.actions label { display: grid; max-width: 100%; gap: .125rem; grid-template-columns: minmax(0, 1fr); color: var(--quiet); font-size: .8125rem; min-width: 0; }
.actions input, .actions select { font-size: .875rem; color: var(--ink); min-width: 0; max-width: 100%; }
.actions input[type=number] { width: 6rem; }
.actions a { padding: .375rem 0; }
.hand { display: grid; gap: 0 2rem; padding: 0 1rem 1.5rem; }
.hand section > p { color: var(--quiet); max-width: 38rem; }
.hand .empty { padding: .5rem 0; }
.hand :is(th, td):first-child { padding-left: 0; }
.hand table { margin-top: .25rem; }
.hand td button { padding: .0625rem .5rem; min-height: 1.75rem; }

#said:not(:empty) { position: fixed; left: 50%; bottom: 1rem; transform: translateX(-50%); max-width: min(40rem, calc(100vw - 2rem)); padding: .625rem 1rem; background: var(--sheet); border: 1px solid currentColor; border-radius: .5rem; box-shadow: 0 .25rem 1rem #0004; z-index: 3; overflow-wrap: anywhere; }
dialog { border: 1px solid var(--edge); border-radius: .75rem; padding: 1.25rem 1.5rem; background: var(--sheet); color: var(--ink); }
dialog::backdrop { background: #0006; }
dialog dl { margin: .75rem 0 1rem; }
dialog dl > div { display: grid; grid-template-columns: 6.5rem 1fr; padding: .25rem 0; }
kbd { padding: 0 .375rem; border: 1px solid var(--edge); border-radius: .25rem; font: inherit; }

@media (min-width: 56rem) {
  body { height: 100vh; display: grid; grid-template-rows: auto auto minmax(0, 1fr); }
  main { display: grid; grid-template-columns: minmax(0, 1fr); min-height: 0; }
  main:has(#detail article) { grid-template-columns: minmax(0, 11fr) minmax(24rem, 9fr); }
  main:has(#detail article) #list .minor { display: none; }
  #list, #detail { overflow-y: auto; }
  #detail { border-left: 1px solid var(--line); }
  .hand { grid-template-columns: 1fr 1fr; }
}
@media (max-width: 55.99rem) {
  .minor { display: none; }
  [role=search] { order: 1; flex-basis: 100%; max-width: none; }
  .clock { margin-left: auto; }
  main:has(#detail article) #list { display: none; }
  .words { min-width: 0; }
  .text, td > .mark { white-space: normal; overflow-wrap: anywhere; }
}
@container (max-width: 48rem) {
  .of-requests thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .of-requests, .of-requests tbody { display: block; }
  .of-requests tr { display: grid; grid-template-columns: 4.5rem minmax(6.5rem, 1fr) minmax(0, auto); gap: 0 .5rem; padding: .4375rem 1rem; border-bottom: 1px solid var(--line); }
  .of-requests :is(th, td):not(.minor) { display: block; padding: 0; border: 0; }
  .of-requests [data-column=operation] { grid-area: 1 / 2; font-weight: 500; }
  .of-requests [data-column=answer] { grid-area: 1 / 3; text-align: right; }
  .of-requests [data-column=payee] { grid-area: 2 / 2; color: var(--quiet); overflow-wrap: anywhere; }
  .of-requests [data-column=amount] { grid-area: 2 / 3; }
  .of-requests [data-column=id] { grid-area: 2 / 1; color: var(--quiet); font-size: .75rem; line-height: 1.7; }
}
@media (max-width: 30rem) { .id { white-space: normal; } }
@media (forced-colors: active) { tbody tr[aria-current] { outline: 2px solid; } }
`
