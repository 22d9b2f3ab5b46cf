/** The receipt of a payout as one HTML page without scripts and other files. */
import { html, raw } from 'hono/html'
import { visiblePage } from '../visible.ts'
import { type BeneficiaryReceipt, groupedFacts, paperTitles, type ReceiptTimes } from './receipt.ts'

const style = `
:root { color-scheme: light dark; --ground: #f3f4f2; --sheet: #fff; --ink: #1c2120; --quiet: #545d5a; --line: #d5dad7; --paid: #0b5c4e; --not: #a4262c; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #131716; --sheet: #1c2220; --ink: #e7ebe9; --quiet: #a5afab; --line: #343d3a; --paid: #79d3bf; --not: #ffa39c; }
}
body { margin: 0 auto; padding: 1.5rem 1rem; max-width: 40rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Georgian', sans-serif; overflow-wrap: anywhere; }
main { background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0; }
.sum { font-size: 1.75rem; font-weight: 650; margin: .75rem 0 .25rem; font-variant-numeric: tabular-nums; }
.paid h1 { color: var(--paid); } .open h1 { color: var(--not); } .open .sum { text-decoration: line-through; }
.test { border: 2px solid var(--not); padding: .25rem .5rem; }
dl { margin: 1rem 0 0; } dl > div { border-top: 1px solid var(--line); padding: .375rem 0; }
dt { color: var(--quiet); font-size: .875rem; } dd { margin: 0; }
@page { size: A4; margin: 18mm; }
@media print { :root { color-scheme: light; --ground: #fff; --sheet: #fff; --ink: #000; --quiet: #444; --line: #bbb; --paid: #0b5c4e; --not: #a4262c; }
  body { padding: 0; max-width: none; } main { border: 0; padding: 0; } dl > div { break-inside: avoid; } }
`

/** Texts in it are escaped, isolated in their writing direction, and characters that would reorder or hide text are shown. */
export async function receiptPage(receipt: BeneficiaryReceipt, times: ReceiptTimes): Promise<string> {
  const { paid, standing, statement, amount, currency, environment } = receipt
  const title = paperTitles[standing]
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
  const page = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><link rel="icon" href="data:,">
<title>${title}</title><style>${raw(style)}</style></head><body>
<main class="${paid ? 'paid' : 'open'}"><h1>${title}</h1>
${environment === 'live' ? '' : html`<p class="test">TEST (${environment}): no real money</p>`}
<p class="sum">${currency} ${amount.text}</p><p>${statement}</p>
<dl>${groupedFacts(receipt, times).map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl></main>
</body></html>
`
  return visiblePage(String(page))
}
