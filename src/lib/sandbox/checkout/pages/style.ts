/**
 * The look of the checkout: the system's fonts, light and dark as the payer's machine has it, one column where it is narrow.
 */
import { createHash } from 'node:crypto'

export const checkoutStyle = `
:root {
  color-scheme: light dark;
  --ground: #f3f4f2; --sheet: #ffffff; --ink: #1c2120; --quiet: #545d5a; --line: #d5dad7; --edge: #7c8682;
  --accent: #0b5c4e; --on-accent: #ffffff; --tint: #e7f1ee; --bad: #a4262c; --bad-tint: #fdf0f0;
  --note: #fdf3d0; --on-note: #4d3c00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131716; --sheet: #1c2220; --ink: #e7ebe9; --quiet: #a5afab; --line: #343d3a; --edge: #7f8a86;
    --accent: #79d3bf; --on-accent: #06241d; --tint: #21332f; --bad: #ffa39c; --bad-tint: #3a2322;
    --note: #3a310f; --on-note: #f6dd8f;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Georgian', sans-serif;
  overflow-wrap: anywhere;
}
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.strip { margin: 0; padding: .4rem 1rem; background: var(--note); color: var(--on-note); font-size: .875rem; text-align: center; }
.wrap { max-width: 58rem; margin: 0 auto; padding: 0 1rem; }
.languages ul { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: .25rem 1rem; list-style: none; margin: 0; padding: .75rem 0; font-size: .875rem; }
.languages a { display: inline-block; padding: .25rem 0; }
.languages [aria-current] { color: var(--ink); text-decoration: none; font-weight: 600; }
main { display: grid; gap: 1rem; padding-bottom: 1.5rem; }
main.alone { max-width: 32rem; margin: 0 auto; }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; min-width: 0; }
h1, h2 { margin: 0; line-height: 1.25; }
h1, .recipient { font-size: 1.375rem; }
h2 { font-size: 1.125rem; }
p { margin: .5rem 0 0; }
.quiet { color: var(--quiet); font-size: .875rem; margin: 0; }
.sum { margin: .75rem 0 0; font-size: 2rem; line-height: 1.2; font-weight: 650; font-variant-numeric: tabular-nums; }
dl { margin: 1rem 0 0; border-top: 1px solid var(--line); }
dl > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
dl > div:last-child { border-bottom: 0; padding-bottom: 0; }
dt { color: var(--quiet); }
dd { margin: 0 0 0 auto; text-align: right; font-variant-numeric: tabular-nums; }
dd.why { flex-basis: 100%; margin: 0; text-align: left; color: var(--quiet); font-size: .875rem; }
.summary h2:not(.recipient) { margin-top: 1.25rem; font-size: 1rem; }
.summary h2:not(.recipient) + dl { margin-top: .5rem; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; }
.field { margin-top: 1rem; }
.field label, .field legend { display: block; font-weight: 600; }
.field .quiet { margin: 0; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 0 1rem; align-items: start; }
input:not([type=radio], [type=checkbox]), select {
  display: block; width: 100%; margin-top: .25rem; padding: .625rem .75rem; min-height: 2.75rem; font: inherit;
  color: inherit; background: var(--sheet); border: 1px solid var(--edge); border-radius: .5rem;
}
input[type=radio], input[type=checkbox] { width: 1.25rem; height: 1.25rem; margin: 0; flex: none; accent-color: var(--accent); }
[aria-invalid=true] { border: 2px solid var(--bad) !important; }
.field .choice { display: flex; align-items: center; gap: .625rem; min-height: 2.75rem; font-weight: 400; }
.wrong { color: var(--bad); font-size: .875rem; font-weight: 600; margin: .25rem 0 0; }
.problem, .notice { border: 1px solid var(--line); border-left: .375rem solid var(--accent); border-radius: .5rem; background: var(--tint); padding: .75rem 1rem; margin-bottom: 1.25rem; }
.problem { border-left-color: var(--bad); background: var(--bad-tint); }
.notice.filled { margin: 1.25rem 0 0; }
.problem p, .notice p { margin: 0; }
.notice p + p { margin-top: .25rem; }
.problem h2, .notice h2 { font-size: 1rem; }
.problem ul { margin: .25rem 0 0; padding-left: 1.25rem; }
.problem a { color: var(--bad); }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1rem; font: inherit;
  font-weight: 600; color: var(--accent); background: transparent; border: 1px solid var(--edge); border-radius: .5rem;
  cursor: pointer; text-decoration: none; text-align: center;
}
button:hover, .button:hover { background: var(--tint); }
.main { width: 100%; margin-top: 1.25rem; color: var(--on-accent); background: var(--accent); border-color: var(--accent); min-height: 3rem; }
.main:hover { color: var(--on-accent); background: var(--accent); filter: brightness(1.08); }
.second { width: 100%; margin-top: .75rem; }
.first { position: absolute; width: 1px; height: 1px; min-height: 0; padding: 0; overflow: hidden; clip-path: inset(50%); border: 0; }
.methods { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .5rem; }
.methods button { color: var(--ink); font-weight: 500; padding: .375rem .75rem; }
.methods [aria-current] { color: var(--accent); border: 2px solid var(--accent); background: var(--tint); font-weight: 600; }
.tests { margin-top: 1.25rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.tests ul { list-style: none; margin: .5rem 0 0; padding: 0; display: grid; gap: .375rem; }
.tests button { width: 100%; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .5rem .75rem; border-color: var(--line); font-weight: 400; color: var(--ink); text-align: left; }
.tests b { font-weight: 500; font-variant-numeric: tabular-nums; }
.tests span { color: var(--quiet); font-size: .875rem; }
.mark { width: 3rem; height: 3rem; border-radius: 50%; display: grid; place-items: center; margin-bottom: 1rem; background: var(--tint); color: var(--accent); font-size: 1.5rem; font-weight: 700; }
.mark.bad { background: var(--bad-tint); color: var(--bad); }
footer { padding-bottom: 1.5rem; color: var(--quiet); font-size: .875rem; }
summary { cursor: pointer; padding: .25rem 0; width: fit-content; }
pre { margin: .5rem 0 0; white-space: pre-wrap; font: .8125rem/1.6 ui-monospace, 'Cascadia Mono', Menlo, monospace; }
@media (min-width: 50rem) {
  main { grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); align-items: start; }
  main.alone { display: block; }
  .sheet { padding: 1.75rem; }
}
@media (forced-colors: active) { .methods [aria-current] { outline: 2px solid; } }
`

/** The style that the content security policy allows: this text and no other. */
export const styleHash = `'sha256-${createHash('sha256').update(checkoutStyle).digest('base64')}'`
