/** The receipt as one page for a browser, a mail or paper: it holds all it needs, and no script. */
import { html } from 'hono/html'
import { htmlPage } from '../html.ts'
import { type BeneficiaryReceipt, groupedFacts, paperTitles, type ReceiptTimes } from './receipt.ts'

const style = `
body { margin: 0 auto; padding: 1.5rem 1rem; max-width: 40rem; overflow-wrap: anywhere; }
main { background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0; }
.sum { font-size: 1.75rem; font-weight: 650; margin: .75rem 0 .25rem; font-variant-numeric: tabular-nums; }
.paid h1 { color: var(--accent); } .open h1 { color: var(--bad); } .open .sum { text-decoration: line-through; }
.test { border: 2px solid var(--bad); padding: .25rem .5rem; }
dl { margin: 1rem 0 0; } dl > div { border-top: 1px solid var(--line); padding: .375rem 0; }
dt { color: var(--quiet); font-size: .875rem; } dd { margin: 0; }
@page { size: A4; margin: 18mm; }
@media print {
  body { padding: 0; max-width: none; } main { border: 0; padding: 0; } dl > div { break-inside: avoid; } }
`

/** The whole text of the page. Foreign texts stand for themselves whichever way they are written. */
export function receiptPage(receipt: BeneficiaryReceipt, times: ReceiptTimes): Promise<string> {
  const { paid, standing, statement, amount, currency, environment } = receipt
  const title = paperTitles[standing]
  const body = html`<main class="${paid ? 'paid' : 'open'}"><h1>${title}</h1>
${environment === 'live' ? '' : html`<p class="test">TEST (${environment}): no real money</p>`}
<p class="sum">${currency} ${amount.text}</p><p>${statement}</p>
<dl>${groupedFacts(receipt, times).map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl></main>`
  return htmlPage({ title, style, body, isFile: true })
}
