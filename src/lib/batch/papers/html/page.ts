/** The report of a plan as one page that holds all it needs, and no script. */

import { html, raw } from 'hono/html'
import { fromMinorUnits } from '../../../contract/core/decimal.ts'
import { howMany } from '../../../contract/core/text.ts'
import { visiblePage } from '../../../visible.ts'
import { type Plan, totalsInWords } from '../../plan/plan.ts'
import { ownIntent, type PaperLine } from '../lines.ts'
import type { Gathered } from '../report/gathered.ts'
import { stepsInWords } from '../report/told.ts'
import { type Standing, standings } from '../standing.ts'
import { chart } from './chart.ts'
import type { ReportHtml } from './piece.ts'
import { reportStyle } from './style.ts'

const titles: Readonly<Record<Standing, string>> = {
  paid: 'Paid',
  accepted: 'Accepted, not final yet',
  'not-paid': 'Accepted, ended without a payment',
  exists: 'At the service by its own word, sum not confirmed',
  unknown: 'Unknown',
  conflict: 'In conflict: somebody else has the key or the id',
  refused: 'Refused',
  unsent: 'Not sent',
}

/** Those that somebody must look at come first. */
const order: readonly Standing[] = [
  'unknown',
  'conflict',
  'exists',
  'not-paid',
  'refused',
  'unsent',
  'accepted',
  'paid',
]

/** Rows of a standing that stand on the page. */
export const mostOnPage = 500

function moment(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`
}

function facts(plan: Plan, head: string | null): ReportHtml {
  const rows = [
    ['File', `${plan.file} (${plan.format})`],
    ['Name', plan.name],
    ['Profile', `${plan.profile} (${plan.environment})`],
    ['Planned', moment(plan.plannedAt)],
    ...(plan.discardedAt === null ? [] : [['Discarded', moment(plan.discardedAt)] as const]),
    ['Content', plan.hash.slice(0, 16)],
    ['Journal head', head ?? 'none: the journal is empty'],
  ] as const
  return html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function totals(plan: Plan, { sums }: Gathered): ReportHtml {
  const rows = standings.filter((standing) => sums.of(standing).rows > 0)
  return html`<section><h2>Rows by state</h2><table><thead><tr><th scope="col">state</th>
    <th scope="col" class="number">rows</th><th scope="col" class="number">sum</th></tr></thead><tbody>${rows.map(
      (standing) => html`<tr><th scope="row">${titles[standing]}</th><td class="number">${sums.of(standing).rows}</td>
      <td class="number">${totalsInWords(sums.of(standing).totals)}</td></tr>`,
    )}</tbody><tfoot><tr><th scope="row">All</th><td class="number">${plan.rows}</td>
      <td class="number">${totalsInWords(plan.totals)}</td></tr></tfoot></table></section>`
}

/** Lines to paste stand between backticks in the words of advice. */
function advice(text: string): ReportHtml {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

function next(steps: readonly string[]): ReportHtml {
  if (steps.length === 0) return html`<section><h2>What to do next</h2><p>Nothing: every row is paid.</p></section>`
  return html`<section><h2>What to do next</h2><ol>${steps.map((step) => html`<li>${advice(step)}</li>`)}</ol></section>`
}

function time({ timeline, before }: Gathered): ReportHtml {
  const sent = timeline.steps.length > 0 ? chart(timeline) : html`<p>Nothing of this plan was sent so far.</p>`
  const earlier = before.warnings.map((words) => html`<p class="quiet">${words}. The chart is without them.</p>`)
  return html`<section><h2>Over time</h2>${sent}${earlier}</section>`
}

function row(line: PaperLine): ReportHtml {
  const { planned, why } = line
  const own = ownIntent(line)
  const cells = [
    ['to', planned.payee],
    ['key', planned.business_key],
    ['status', own?.status],
    ['transaction', own?.transactionId],
    ['why', why],
  ] as const
  return html`<tr><th scope="row" class="number">${planned.number}</th>
    <td class="number" data-name="amount">${planned.currency} ${fromMinorUnits(BigInt(planned.amount_minor))}</td>
    ${cells.map(([name, value]) => html`<td data-name="${name}">${value ?? ''}</td>`)}</tr>`
}

function rowsOf(standing: Standing, all: Gathered): ReportHtml {
  const [lines, count] = [all.of(standing), all.sums.of(standing).rows]
  if (count === 0) return html``
  const left = count - lines.length
  const heads = ['amount', 'to', 'key', 'status', 'transaction', 'why']
  return html`<section><h2>${titles[standing]}: ${count}</h2><table class="rows">
    <thead><tr><th scope="col" class="number">row</th>${heads.map(
      (head) => html`<th scope="col" class="${head === 'amount' ? 'number' : 'text'}">${head}</th>`,
    )}</tr></thead><tbody>${lines.map(row)}</tbody></table>${
      left > 0 ? html`<p class="quiet">And ${left} more, which the CSV files have.</p>` : ''
    }</section>`
}

export interface PageFacts {
  /** Milliseconds since 1970. */
  readonly now: number
  /** The head of the journal; null of an empty one. */
  readonly head: string | null
}

export async function reportPage(plan: Plan, all: Gathered, { now, head }: PageFacts): Promise<string> {
  const title = `Plan ${plan.planId}`
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
  const page = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><link rel="icon" href="data:,">
<title>${title}: ${plan.file}</title><style>${raw(reportStyle)}</style></head><body>
<header><h1>${title}</h1><p class="quiet">As paydesk knew it at ${moment(new Date(now).toISOString())}</p></header>
<main><section><h2>${howMany(plan.rows, 'row')}</h2><p class="sum">${totalsInWords(plan.totals)}</p>${facts(plan, head)}</section>
${totals(plan, all)}${next(stepsInWords(plan, all, now))}${time(all)}${order.map((standing) => rowsOf(standing, all))}</main>
</body></html>
`
  return visiblePage(String(page))
}
