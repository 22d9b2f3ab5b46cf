/** The look of the checkout, behind what all pages have: one card in the middle. */
export const checkoutStyle = `
body { min-height: 100vh; line-height: 1.45; overflow-wrap: anywhere; }
:focus-visible { outline-width: 3px; }
.first { position: absolute; width: 1px; height: 1px; min-height: 0; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.strip { margin: 0; padding: .25rem 1rem; background: var(--note); color: var(--on-note); font-size: .8125rem; text-align: center; }
main { width: min(27rem, 100% - 1.5rem); margin: .75rem auto 0; padding: 1rem 1.25rem 1.25rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shadow); }
h1, h2 { margin: 0; line-height: 1.25; font-size: 1.25rem; }
h2 { margin-top: 1rem; font-size: .9375rem; }
p { margin: .5rem 0 0; }
p.quiet { margin: .125rem 0 0; }
.sum { margin: 0; font-size: 2rem; line-height: 1.15; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.shop { margin: .125rem 0 0; font-weight: 600; }
.about { margin: .125rem 0 0; color: var(--quiet); }
.id { margin: .875rem 0 0; color: var(--quiet); font-size: .75rem; text-align: center; }
dl { margin: .75rem 0 0; font-size: .875rem; }
dl:empty { display: none; }
dl > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .3125rem 0; border-top: 1px solid var(--line); }
dt { color: var(--quiet); }
dd { margin: 0 0 0 auto; text-align: right; font-variant-numeric: tabular-nums; }
dd.why { flex-basis: 100%; margin: 0; text-align: left; color: var(--quiet); font-size: .8125rem; }
h2 + dl { margin-top: .375rem; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
fieldset { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
legend { padding: 0; }
fieldset > p { flex-basis: 100%; }
.field { margin-top: .75rem; }
.field label, .field legend { display: block; font-size: .875rem; font-weight: 600; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 .75rem; align-items: start; }
input:not([type=radio], [type=checkbox], [type=hidden]) {
  display: block; width: 100%; margin-top: .25rem; padding: .5rem .75rem; min-height: 2.75rem; font: inherit;
  font-variant-numeric: tabular-nums; color: inherit; background: var(--sheet); border: 1px solid var(--edge); border-radius: .5rem;
}
::placeholder { color: var(--quiet); opacity: 1; }
input[type=radio], input[type=checkbox] { width: 1.25rem; height: 1.25rem; margin: 0; flex: none; accent-color: var(--accent); }
[aria-invalid=true] { border: 2px solid var(--bad) !important; }
.field .choice { display: flex; align-items: center; gap: .625rem; min-height: 2.75rem; font-weight: 400; }
.wrong { color: var(--bad); font-size: .875rem; font-weight: 600; margin: .25rem 0 0; }
.notice, .filled { border-radius: .5rem; background: var(--tint); padding: .5rem .75rem; margin: .75rem 0 0; font-size: .875rem; }
.notice h2, .notice p { margin: 0; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.5rem; padding: .375rem .75rem; font: inherit;
  font-size: .875rem; font-weight: 500; color: var(--ink); background: transparent; border: 1px solid var(--edge);
  border-radius: .5rem; cursor: pointer; text-decoration: none; text-align: center;
}
button:hover, .button:hover { background: var(--tint); }
.main { width: 100%; margin-top: 1rem; min-height: 3rem; font-size: 1rem; font-weight: 650; color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.main:hover { color: var(--on-accent); background: var(--accent); filter: brightness(1.1); }
.second { width: 100%; margin-top: .5rem; min-height: 2.75rem; }
.methods { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .375rem; margin-top: .875rem; }
.methods button { padding: .25rem .5rem; }
.methods button:last-child:nth-child(odd) { grid-column: 1 / -1; }
.methods [aria-current] { color: var(--accent); border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--tint); font-weight: 600; }
.shares { display: flex; flex-wrap: wrap; gap: .375rem; margin-top: .375rem; }
.shares button { flex: 1 1 auto; min-height: 2.25rem; padding: .125rem .5rem; border-color: var(--line); }
.drawer { width: min(27rem, 100% - 1.5rem); margin: .75rem auto 0; background: var(--note); color: var(--on-note); border: 1px dashed var(--note-edge); border-radius: .75rem; font-size: .875rem; }
summary { cursor: pointer; padding: .625rem 1rem; font-weight: 600; }
summary span { padding: .0625rem .5rem; margin: 0 .25rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .75rem; }
.drawer details > :not(summary) { margin: 0 1rem .75rem; color: inherit; }
.drawer h2 { font-size: .875rem; padding-top: .25rem; }
.drawer ul { list-style: none; padding: 0; display: grid; gap: .25rem; }
.drawer button { width: 100%; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; color: inherit; border-color: var(--note-edge); text-align: left; font-weight: 400; }
.drawer button:hover { background: var(--sheet); }
.drawer b { font-weight: 600; font-variant-numeric: tabular-nums; }
pre { white-space: pre-wrap; font: .75rem/1.6 ui-monospace, 'Cascadia Mono', Menlo, monospace; }
.end { text-align: center; padding-top: .5rem; }
.end .sum { margin-top: 1rem; }
.soon { text-align: center; margin-top: .5rem; }
.mark { width: 3.5rem; height: 3.5rem; border-radius: 50%; display: grid; place-items: center; margin: 0 auto .75rem; background: var(--accent); color: var(--on-accent); font-size: 1.75rem; font-weight: 700; }
.mark.bad { background: var(--bad-tint); color: var(--bad); }
.mark.over { background: var(--line); color: var(--quiet); }
footer { padding: .75rem 1rem 1.5rem; }
.languages ul { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 1.25rem; list-style: none; margin: 0; padding: 0; font-size: .8125rem; }
.languages a { display: inline-block; padding: .25rem 0; color: var(--quiet); }
.languages [aria-current] { color: var(--ink); text-decoration: none; font-weight: 600; }
@media (min-width: 30rem) and (min-height: 46rem) { main { margin-top: 2.5rem; padding: 1.75rem 2rem; } }
@media (forced-colors: active) { .methods [aria-current] { outline: 2px solid; } }
`
