/** A reconciliation as one page for a browser or paper: it holds all it needs, and no script. */

import { html, raw } from 'hono/html'
import { reportStyle } from '../batch/reports/html.ts'
import { howMany } from '../contract/core/text.ts'
import { htmlPage } from '../html.ts'
import type { Kind } from './match.ts'
import type { Reconciled, ReconciledItem } from './reconcile.ts'

/** Those that somebody must look at come first. */
const titles = [
  ['different', 'Different amount, account or outcome'],
  ['returned', 'Returned'],
  ['ambiguous', 'Several matches, none chosen'],
  ['notInJournal', 'On the statement, not in this journal'],
  ['notOnStatement', 'Paid here, not on the statement'],
  ['expected', 'Paid here, the bank may still book it'],
  ['matched', 'Matched'],
  ['other', 'Not about payouts'],
] as const satisfies readonly (readonly [Kind, string])[]

const mostOnPage = 500

function row({ entry, journalId, candidates, amount, currency, reason, applied, state, next }: ReconciledItem) {
  const sum = entry ? [entry.currency, entry.amount] : [currency, amount]
  const sign = entry?.direction === 'debit' ? '-' : ''
  const cells = [
    ['amount', sum[1] === null ? '' : `${sum[0]} ${sign}${sum[1]}`],
    ['day', entry?.day],
    ['to', entry?.account ?? entry?.name],
    ['payout', journalId ?? candidates.join(', ')],
    ['why', applied ? `${reason}; resolved: ${state}` : reason],
  ] as const
  return html`<tr><th scope="row">${entry?.entry ?? '–'}</th>
    ${cells.map(([name, value]) => html`<td data-name="${name}"${name === 'amount' ? raw(' class="number"') : ''}>${value ?? ''}</td>`)}</tr>
    ${next === null ? '' : html`<tr><td colspan="6"><code>${next}</code></td></tr>`}`
}

function section(kind: Kind, title: string, items: readonly ReconciledItem[], count: number) {
  if (count === 0) return html``
  const left = count - items.length
  return html`<section id="${kind}"><h2>${title}: ${count}</h2><table>
    <thead><tr><th scope="col">entry</th><th scope="col" class="number">amount</th>
    ${['day', 'to', 'payout', 'why'].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${items.map(row)}</tbody></table>${
      left > 0 ? html`<p class="quiet">And ${left} more, which --output csv has.</p>` : ''
    }</section>`
}

/** `now`: milliseconds since 1970. */
export async function reconciliationPage({ head, items }: Reconciled, now: number): Promise<string> {
  const shown = new Map<Kind, ReconciledItem[]>(titles.map(([kind]) => [kind, []]))
  for await (const item of items()) {
    const ofKind = shown.get(item.kind)
    if (ofKind && ofKind.length < mostOnPage) ofKind.push(item)
  }
  const { file, statements, matched, entries, from, to } = head
  const title = `Reconciliation: ${file}`
  const isAgreed = titles.slice(0, 5).every(([kind]) => head[kind] === 0)
  const facts = statements.map(
    ({ id, account, currency, opening, closing }) => html`<div><dt>Statement ${id}</dt>
      <dd>${account ?? ''} ${opening === null ? 'without balances' : html`${currency} ${opening.text} → ${closing?.text ?? ''}`}</dd></div>`,
  )
  const body = html`<header><h1>${title}</h1><p class="quiet">${from ?? ''}${from === to ? '' : ` to ${to}`}, compared at ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC</p></header>
<main><section><h2>${isAgreed ? 'Everything agrees' : 'Not everything agrees'}</h2>
<p class="sum">${matched} of ${howMany(entries, 'entry', 'entries')} matched</p><dl>${facts}</dl></section>
${titles.map(([kind, heading]) => section(kind, heading, shown.get(kind) ?? [], head[kind]))}</main>`
  return await htmlPage({ title, style: reportStyle, body, isFile: true })
}
