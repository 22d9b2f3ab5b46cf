/** The report of a plan as one page that holds all it needs, and no script. */
import { html } from 'hono/html'
import { fromMinorUnits } from '../../contract/core/decimal.ts'
import { howMany } from '../../contract/core/text.ts'
import { type Html, htmlPage } from '../../html.ts'
import { type Plan, totalsInWords } from '../plan.ts'
import { ownIntent, type ResultFileName, resultFileNames, type Standing, standings } from '../row-state.ts'
import { type GatheredReport, type ReportRow, stepsInWords, type Timeline } from './report.ts'

const titles: Readonly<Record<Standing, string>> = {
  paid: 'Paid',
  accepted: 'Accepted, not final yet',
  'not-paid': 'Accepted, ended without a payment',
  exists: 'Known to the service, amount not confirmed',
  unknown: 'Unknown',
  conflict: 'In conflict: another payment has the key or id',
  refused: 'Refused',
  unsent: 'Not sent',
}

/** Standings that need attention come first. */
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

export const mostOnPage = 500

function moment(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`
}

function facts(plan: Plan, head: string | null): Html {
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

function totals(plan: Plan, { sums }: GatheredReport): Html {
  const rows = standings.filter((standing) => sums.of(standing).rows > 0)
  return html`<section><h2>Rows by state</h2><table><thead><tr><th scope="col">state</th>
    <th scope="col" class="number">rows</th><th scope="col" class="number">sum</th></tr></thead><tbody>${rows.map(
      (standing) => html`<tr><th scope="row">${titles[standing]}</th><td class="number">${sums.of(standing).rows}</td>
      <td class="number">${totalsInWords(sums.of(standing).totals)}</td></tr>`,
    )}</tbody><tfoot><tr><th scope="row">All</th><td class="number">${plan.rows}</td>
      <td class="number">${totalsInWords(plan.totals)}</td></tr></tfoot></table></section>`
}

/** Lines to paste stand between backticks in the words of advice. */
function advice(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

function next(steps: readonly string[]): Html {
  if (steps.length === 0) return html`<section><h2>What to do next</h2><p>Nothing: every row is paid.</p></section>`
  return html`<section><h2>What to do next</h2><ol>${steps.map((step) => html`<li>${advice(step)}</li>`)}</ol></section>`
}

function time({ timeline, before }: GatheredReport): Html {
  const sent = timeline.steps.length > 0 ? chart(timeline) : html`<p>Nothing of this plan was sent so far.</p>`
  const earlier = before.warnings.map((words) => html`<p class="quiet">${words}. The chart is without them.</p>`)
  return html`<section><h2>Over time</h2>${sent}${earlier}</section>`
}

function row(line: ReportRow): Html {
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

function rowsOf(standing: Standing, all: GatheredReport): Html {
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

interface PageFacts {
  /** Milliseconds since 1970. */
  readonly now: number
  /** The head of the journal; null for an empty journal. */
  readonly head: string | null
}

export function reportPage(plan: Plan, all: GatheredReport, { now, head }: PageFacts): Promise<string> {
  const title = `Plan ${plan.planId}`
  const body = html`<header><h1>${title}</h1><p class="quiet">As paydesk knew it at ${moment(new Date(now).toISOString())}</p></header>
<main><section><h2>${howMany(plan.rows, 'row')}</h2><p class="sum">${totalsInWords(plan.totals)}</p>${facts(plan, head)}</section>
${totals(plan, all)}${next(stepsInWords(plan, all, now))}${time(all)}${order.map((standing) => rowsOf(standing, all))}</main>`
  return htmlPage({ title: `${title}: ${plan.file}`, style: reportStyle, body, isFile: true })
}

// The chart: rows over time, a bar for each step.

const [width, height, left, foot] = [720, 200, 60, 32]

const words: Readonly<Record<ResultFileName, string>> = {
  ok: 'accepted',
  refused: 'refused',
  unknown: 'unknown',
  unsent: 'not sent',
}

/** "14:05:30 UTC", or the day if a step is a day or longer. */
function shown(moment: number, length: number): string {
  const iso = new Date(moment).toISOString()
  return length >= 86_400_000 ? iso.slice(0, 10) : `${iso.slice(11, 19)} UTC`
}

/** "5 minutes". */
function inWords(milliseconds: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1000, 'second'],
  ] as const
  const [size, name] = units.find(([each]) => milliseconds >= each) ?? units[3]
  const count = milliseconds / size
  return howMany(count, name)
}

function chart(timeline: Timeline): Html {
  const { steps, length } = timeline
  const totals = steps.map(({ counts }) => resultFileNames.reduce((sum, name) => sum + counts[name], 0))
  const most = Math.max(1, ...totals)
  const [first, last] = [steps[0]?.from ?? 0, steps.at(-1)?.from ?? 0]
  const each = (width - left) / Math.max(1, steps.length)
  const high = height - foot - 8
  const bars = steps.flatMap(({ counts, from }, at) => {
    let top = height - foot
    return resultFileNames.flatMap((name) => {
      if (counts[name] === 0) return []
      const size = (counts[name] / most) * high
      top -= size
      const bar = { x: left + at * each, y: top, width: Math.max(1, Math.min(each - 1, 40)), height: size }
      return html`<rect class="${name}" x="${bar.x.toFixed(2)}" y="${bar.y.toFixed(2)}" width="${bar.width.toFixed(2)}" height="${bar.height.toFixed(2)}"><title>${shown(from, length)}: ${counts[name]} ${words[name]}</title></rect>`
    })
  })
  const base = height - foot
  const barInWords = inWords(length)
  const said = `${howMany(
    totals.reduce((sum, count) => sum + count, 0),
    'row',
  )} from ${shown(first, length)} to ${shown(last, length)}; at most ${most} in ${barInWords}`
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${said}">
    <line class="axis" x1="${left}" y1="${base}" x2="${width}" y2="${base}"></line>
    <text x="${left - 6}" y="20" text-anchor="end">${most}</text><text x="${left - 6}" y="${base}" text-anchor="end">0</text>
    ${bars}
    <text x="${left}" y="${height - 6}">${shown(first, length)}</text>
    ${steps.length > 1 ? html`<text x="${width}" y="${height - 6}" text-anchor="end">${shown(last, length)}</text>` : ''}
  </svg>
  <ul class="legend">${resultFileNames
    .filter((name) => steps.some(({ counts }) => counts[name] > 0))
    .map(
      (name) =>
        html`<li><svg viewBox="0 0 12 12" aria-hidden="true"><rect class="${name}" width="12" height="12"></rect></svg>${words[name]}</li>`,
    )}</ul>
  <p class="quiet">Rows by the time of their first attempt; one bar is ${barInWords}.</p>`
}

/** The look of the report, behind what all pages have: narrow and wide, and on paper (A4). */
export const reportStyle = `
:root { --unsent: #5d6a8c; }
@media (prefers-color-scheme: dark) { :root { --unsent: #a9b8e0; } }
body { margin: 0 auto; padding: 1.5rem 1rem; max-width: 70rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; }
h2 { font-size: 1.125rem; margin: 0 0 .5rem; }
p, ol { margin: .5rem 0 0; }
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
.ok { fill: var(--good); } .refused { fill: var(--bad); } .unknown { fill: var(--wait); } .unsent { fill: var(--unsent); }
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
  :root { --unsent: #5d6a8c; }
  body { padding: 0; max-width: none; font-size: 10pt; }
  section { border: 0; border-radius: 0; padding: 0; margin-top: 6mm; }
  table { font-size: 8pt; }
  tr, svg, dl > div { break-inside: avoid; }
  h2, caption { break-after: avoid; }
  thead { display: table-header-group; }
  * { print-color-adjust: exact; }
}
`
