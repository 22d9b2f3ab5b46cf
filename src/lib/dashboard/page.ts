/** The page of a store: what is unknown, what waits for an approval, and its batches. Nothing on it changes anything. */
import { html } from 'hono/html'
import { type Html, htmlPage } from '../html.ts'
import { visiblePage } from '../visible.ts'
import { dashboardScript, dashboardStyle } from './look.ts'
import type { SeenApproval, SeenBatch, SeenStore, SeenUnknown } from './seen.ts'

interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => string | number
  readonly isNumber?: boolean
}

/** Tables may be wider than a phone: each scrolls by itself, also by the keyboard. */
function table<Row>(label: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  const kind = ({ isNumber = false }: Column<Row>) => (isNumber ? 'number' : 'text')
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${columns.map(
    (column) => html`<th scope="col" class="${kind(column)}">${column.head}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${columns.map((column) => html`<td class="${kind(column)}">${column.cell(row)}</td>`)}</tr>`,
  )}</tbody></table></div>`
}

const unknownColumns: readonly Column<SeenUnknown>[] = [
  { head: 'journal id', cell: ({ journalId }) => journalId },
  { head: 'for', cell: ({ age }) => age },
  { head: 'sum', cell: ({ sum }) => sum, isNumber: true },
  { head: 'to', cell: ({ payee }) => payee },
  { head: 'as', cell: ({ profile }) => profile },
  { head: 'what', cell: ({ operation }) => operation },
  { head: 'since (UTC)', cell: ({ since }) => moment(since) },
]

const approvalColumns: readonly Column<SeenApproval>[] = [
  { head: 'approval', cell: ({ approvalId }) => approvalId },
  { head: 'approved', cell: ({ approved }) => approved },
  { head: 'sum', cell: ({ sum }) => sum, isNumber: true },
  { head: 'to', cell: ({ payee }) => payee },
  { head: 'asked by', cell: ({ maker }) => maker },
  { head: 'until (UTC)', cell: ({ expiresAt }) => moment(expiresAt) },
]

const batchColumns: readonly Column<SeenBatch>[] = [
  { head: 'plan', cell: ({ planId }) => planId },
  { head: 'file', cell: ({ file }) => file },
  { head: 'as', cell: ({ profile }) => profile },
  { head: 'rows', cell: ({ rows }) => rows, isNumber: true },
  { head: 'accepted', cell: ({ accepted }) => accepted, isNumber: true },
  { head: 'refused', cell: ({ refused }) => refused, isNumber: true },
  { head: 'unknown', cell: ({ unknown }) => unknown, isNumber: true },
  { head: 'on their way', cell: ({ sending }) => sending, isNumber: true },
  { head: 'left', cell: ({ left }) => left, isNumber: true },
  { head: 'money accepted', cell: ({ money }) => money.join(' + '), isNumber: true },
  { head: 'standing', cell: ({ standing }) => standing },
]

function moment(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ')
}

function main(seen: SeenStore): Html {
  const { unknown, isMoreUnknown, approvals, batches, olderBatches } = seen
  const count = `${unknown.length}${isMoreUnknown ? ' and more' : ''}`
  return html`<main><p class="quiet">${seen.place}, ${moment(seen.at)} UTC</p>
<dl><div class="${unknown.length > 0 ? 'alarm' : 'calm'}"><dt>Unknown</dt><dd>${seen.unknownMoney}</dd></div>
<div><dt>On its way</dt><dd>${seen.inFlight}</dd></div>
<div><dt>Approvals waiting</dt><dd>${approvals.length}</dd></div></dl>
<section><h2>Unknown: ${count}</h2>${
    unknown.length === 0
      ? html`<p>Nothing: every answer was definite.</p>`
      : html`${table('Unknown', unknownColumns, unknown)}<p class="quiet">Never pay them anew: <code>paydesk resume</code> with the journal id asks under the same id.</p>`
  }</section>
<section><h2>Approvals waiting: ${approvals.length}</h2>${
    approvals.length === 0
      ? html`<p>None.</p>`
      : html`${table('Approvals waiting', approvalColumns, approvals)}<p class="quiet"><code>paydesk approval show</code> with its id shows all of it.</p>`
  }</section>
<section><h2>Batches</h2>${
    batches.length === 0 ? html`<p>No plan.</p>` : table('Batches', batchColumns, batches)
  }${olderBatches > 0 ? html`<p class="quiet">And ${olderBatches} older ones: <code>paydesk batch list</code>.</p>` : ''}</section></main>`
}

/** The part that is renewed, without style and script: those of another answer would break the policy of the page that is open. */
export async function dashboardMain(seen: SeenStore): Promise<string> {
  return visiblePage(String(await main(seen)))
}

/** `nonce`: of this answer alone. */
export function dashboardPage(seen: SeenStore, nonce: string): Promise<string> {
  const body = html`<header><h1>paydesk <span>team</span></h1><p id="live" role="status">as of now</p></header>
${main(seen)}`
  return htmlPage({ title: 'paydesk team', style: dashboardStyle, script: dashboardScript, nonce, body })
}
