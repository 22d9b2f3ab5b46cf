/** The page of a store: what is unknown, what waits for an approval, and its batches. Nothing on it changes anything. */
import { html } from 'hono/html'
import { type Html, htmlPage } from '../html.ts'
import { visiblePage } from '../text.ts'

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
  { head: 'in flight', cell: ({ sending }) => sending, isNumber: true },
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

export interface SeenBatch {
  readonly planId: string
  readonly file: string
  readonly profile: string
  readonly rows: number
  readonly accepted: number
  readonly refused: number
  readonly unknown: number
  readonly sending: number
  /** Rows that were not sent: planned, held, unsent, turned away. */
  readonly left: number
  /** "GEL 120.00 of 250.00" for each currency. */
  readonly money: readonly string[]
  /** "2 of 3 workers", "stopped: …", "over". */
  readonly standing: string
}

export interface SeenUnknown {
  readonly journalId: string
  readonly operation: string
  readonly sum: string
  readonly payee: string
  readonly profile: string
  readonly since: string
  /** "3m 20s". */
  readonly age: string
}

export interface SeenApproval {
  readonly approvalId: string
  readonly subject: string
  readonly sum: string
  readonly payee: string
  readonly maker: string
  readonly approved: string
  readonly expiresAt: string
}

export interface SeenStore {
  /** ISO text by the clock of the store. */
  readonly at: string
  readonly place: string
  /** "GEL 12.50 + USD 5.00", or "nothing". */
  readonly inFlight: string
  readonly unknownMoney: string
  readonly unknown: readonly SeenUnknown[]
  /** True where more are unknown than are listed. */
  readonly isMoreUnknown: boolean
  readonly batches: readonly SeenBatch[]
  /** Plans that are not listed: older ones. */
  readonly olderBatches: number
  readonly approvals: readonly SeenApproval[]
}

const dashboardStyle = `
body { margin: 0 auto; padding: 1.5rem 1rem; max-width: 90rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; justify-content: space-between; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; } h1 span { color: var(--accent); font-weight: 400; }
h2 { font-size: 1.125rem; margin: 0 0 .5rem; }
p { margin: .5rem 0 0; overflow-wrap: anywhere; }
#live { color: var(--quiet); font-size: .875rem; }
#live, .quiet { margin: 0; }
#live.away { color: var(--bad); font-weight: 600; }
section, dl > div { background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; }
section { margin-top: 1rem; } section .quiet { margin-top: .5rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1rem; margin: .75rem 0 0; }
dt { color: var(--quiet); font-size: .875rem; }
dd { margin: 0; font-size: 1.375rem; font-weight: 650; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.alarm dd { color: var(--bad); }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th { text-align: left; font-weight: 600; color: var(--quiet); }
th, td { padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font: .9em ui-monospace, 'Cascadia Mono', Menlo, monospace; }
`

/** The page is asked for again, and its main part put in the place of the old one: the table that has the focus keeps it. */
const dashboardScript = `
const live = document.getElementById('live')
const tell = (text, isAway) => { live.textContent = text; live.className = isAway ? 'away' : '' }
async function renew() {
  try {
    const answer = await fetch(location.href, { cache: 'no-store', headers: { 'x-parts': 'main' } })
    if (!answer.ok) throw new Error(await answer.text())
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main')
    const now = document.querySelector('main')
    const focused = document.activeElement.getAttribute('aria-label')
    const scrolled = new Map([...now.querySelectorAll('.wide')].map((each) => [each.getAttribute('aria-label'), each.scrollLeft]))
    now.replaceWith(document.adoptNode(next))
    for (const each of next.querySelectorAll('.wide')) {
      each.scrollLeft = scrolled.get(each.getAttribute('aria-label')) || 0
      if (focused !== null && each.getAttribute('aria-label') === focused) each.focus({ preventScroll: true })
    }
    tell('as of now', false)
  } catch {
    tell('no answer: this is how it was', true)
  }
}
async function renewing() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    if (!document.hidden) await renew()
  }
}
renewing()
`
