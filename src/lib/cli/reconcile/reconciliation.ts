/** `journal reconcile` on the command line: its flags, and the reconciliation as people see it. */
import { resolve } from 'node:path'
import { sheetHeader, sheetRows } from '../../batch/reports/files.ts'
import { isRealDashedDate } from '../../contract/date.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { printableJson } from '../../json.ts'
import type { Kind } from '../../reconcile/match.ts'
import type { Reconciled, ReconciledItem, ReconcileWish, Reconciliation } from '../../reconcile/reconcile.ts'
import { escapeFormula } from '../../visible.ts'
import type { SharedFlags } from '../flags/shared.ts'
import { typedForm } from '../flags/typed-line.ts'
import type { Invocation } from '../invocation.ts'
import type { Form } from '../output/choice.ts'
import { toStdout } from '../output/files.ts'
import type { RowForms } from '../output/form.ts'
import type { View } from '../output/view.ts'

interface ReconcileFlags extends SharedFlags {
  readonly account?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly days: number
  readonly map?: string | undefined
  readonly apply: boolean
  readonly html: boolean
  readonly out?: string | undefined
}

/** What is asked for. Throws usage (2). */
export async function wishIn(flags: ReconcileFlags, { line }: Invocation): Promise<ReconcileWish> {
  const { from = null, to = null, out, html } = flags
  for (const [flag, day] of Object.entries({ from, to })) {
    if (day !== null && !isRealDashedDate(day))
      throw new Failure('usage', `--${flag} takes a day like 2026-11-20, not "${day}"`)
  }
  if (from !== null && to !== null && to < from) throw new Failure('usage', '--to must not be before --from')
  if (out !== undefined && !html)
    throw new Failure('usage', '--out is for the HTML page', { hints: [hint`Add \`--html\`.`] })
  if (html && isOnStdout(flags) && typedForm(line) !== 'table') {
    throw new Failure('usage', '--html prints the page itself, so it has no other result', {
      hints: [hint`Omit \`--json\` or \`--output\`, or name a file with \`--out\`.`],
    })
  }
  const { readColumnMap } = await import('../../batch/read/column-map.ts')
  const map = flags.map === undefined ? null : await readColumnMap(flags.map)
  const account = flags.account?.replaceAll(' ', '').toUpperCase() ?? null
  return { map, profile: flags.profile ?? null, account, from, to, days: flags.days, apply: flags.apply }
}

/** True where the page itself goes to stdout: then no result stands beside it. */
export function isOnStdout({ html, out }: Pick<ReconcileFlags, 'html' | 'out'>): boolean {
  return html && (out === undefined || out === '-')
}

/** Writes the page, where one was asked for. Throws usage (2) where its file cannot be made. */
export async function writePage(invocation: Invocation, flags: ReconcileFlags, found: Reconciled): Promise<void> {
  if (!flags.html) return
  const { reconciliationPage } = await import('../../reconcile/page.ts')
  const page = await reconciliationPage(found, invocation.edge.clock.now())
  if (isOnStdout(flags)) await toStdout(invocation)(page)
  else (await import('../output/files.ts')).writeNewFiles([{ path: resolve(String(flags.out)), text: page }])
}

/** From so many items on, the document is written piece by piece: as a whole it would take ten times its size. */
const large = 5000

/** The document of a run; undefined where it was written to stdout already. */
export async function shownDocument(invocation: Invocation, found: Reconciled): Promise<Reconciliation | undefined> {
  const { line } = invocation
  const form = typedForm(line)
  const { documentOf } = await import('../../reconcile/reconcile.ts')
  const isPicked = line.has('--fields') || line.has('--query')
  if (found.count < large || (isPicked && form !== 'table')) return documentOf(found)
  if (form === 'table') return documentOf(found, (item, kept) => isShown(item) && kept < mostRows)
  await stream(invocation, found, form)
  return undefined
}

/** Items that are written at once. */
const atOnce = 200

async function stream(invocation: Invocation, { head, items }: Reconciled, form: Form): Promise<void> {
  const write = toStdout(invocation)
  const { redactor, unread } = invocation.output
  const [before, after] = printableJson(redactor.withoutSecrets(head)).split('"items":[]')
  if (form === 'json') await write(`${before}"items":[`)
  if (form === 'csv') await write(sheetHeader(columns))
  let group: ReconciledItem[] = []
  let isFirst = true
  const flush = async () => {
    const shown = redactor.withoutSecrets(group)
    group = []
    if (form === 'csv') return write(sheetRows(shown.map((item) => sheetCells(item).map(escapeFormula))))
    const texts = shown.map((item) => printableJson(item))
    if (form === 'ndjson') return write(`${texts.join('\n')}\n`)
    await write(`${isFirst ? '' : ','}${texts.join(',')}`)
    isFirst = false
  }
  for await (const item of items()) {
    invocation.signal.throwIfAborted()
    if (unread.aborted) return
    group.push(item)
    if (group.length >= atOnce) await flush()
  }
  if (group.length > 0) await flush()
  if (form === 'json') await write(`]${after}\n`)
  for (const warning of head.warnings) invocation.output.warn(warning)
}

/** Rows of the table. */
const mostRows = 100

/** What somebody must look at, the gravest first. */
const exceptions = [
  ['different', 'other sum'],
  ['returned', 'came back'],
  ['ambiguous', 'ambiguous'],
  ['notInJournal', 'not in this journal'],
  ['notOnStatement', 'not on the statement'],
] as const satisfies readonly (readonly [Kind, string])[]

export const kindTitles: Readonly<Record<Kind, string>> = {
  ...(Object.fromEntries(exceptions) as Record<(typeof exceptions)[number][0], string>),
  matched: 'matched',
  expected: 'expected',
  other: 'other',
}

/** What stands in the table: what does not agree, and what was found by its sum or resolved. */
export function isShown({ kind, by, applied, next }: ReconciledItem): boolean {
  return exceptions.some(([each]) => each === kind) || by === 'sum' || applied || next !== null
}

function sumOf(item: ReconciledItem): string {
  const { entry, amount, currency } = item
  const [sum, of] = entry ? [entry.amount, entry.currency] : [amount, currency]
  return sum === null ? '' : `${of} ${entry?.direction === 'debit' ? '-' : ''}${sum}`
}

function toOf({ entry }: ReconciledItem): string {
  return entry?.account ?? entry?.name ?? entry?.text ?? ''
}

export function reconciliationView(told: Reconciliation): View {
  const { statements, items } = told
  const accounts = [...new Set(statements.flatMap(({ account }) => account ?? []))]
  const shown = items.filter(isShown)
  const rank = (item: ReconciledItem) => exceptions.findIndex(([kind]) => kind === item.kind) >>> 0
  const rows = shown.toSorted((one, other) => rank(one) - rank(other)).slice(0, mostRows)
  const wrong = exceptions.reduce((all, [kind]) => all + told[kind], 0)
  const left = Math.max(shown.length, wrong) - rows.length
  const next = rows.flatMap((item) => item.next ?? [])
  return [
    {
      kind: 'facts',
      title: `${told.file}: ${told.matched} of ${told.entries} matched`,
      rows: [
        ['account', accounts.join(', ') || null],
        ['days', told.from === null ? null : told.from === told.to ? told.from : `${told.from} to ${told.to}`],
        ['opening balance', told.opening],
        ['closing balance', told.closing],
        ...exceptions.map(([kind, title]) => [title, told[kind] || null] as const),
        ['expected', told.expected || null],
        ['not about payouts', told.other || null],
        ['resolved in the journal', told.applied || null],
      ],
    },
    {
      kind: 'table',
      head: ['what', 'entry', 'day', 'amount', 'to', 'payout', 'why'],
      rows: rows.map((item) => [
        ...[kindTitles[item.kind], item.entry?.entry, item.entry?.day, sumOf(item), toOf(item)],
        ...[
          item.journalId ?? item.candidates.join(', '),
          item.applied ? `${item.reason}; resolved: ${item.state}` : item.reason,
        ],
      ]),
      empty: 'Everything agrees.',
    },
    ...(left > 0 ? [{ kind: 'text', text: `… and ${left} more: --json and --output csv list all.` } as const] : []),
    ...(next.length > 0
      ? [{ kind: 'text', text: ['Next steps (check each first):', ...next].join('\n') } as const]
      : []),
  ]
}

const columns = [
  ...['kind', 'by', 'statement', 'entry', 'day', 'direction', 'amount', 'currency', 'charges', 'account', 'name'],
  ...[
    'text',
    'endToEndId',
    'returnReason',
    'journalId',
    'key',
    'state',
    'paid',
    'paidCurrency',
    'reason',
    'applied',
    'next',
  ],
]

function sheetCells(item: ReconciledItem): readonly string[] {
  const { entry } = item
  const { statement, entry: reference, day, direction, amount, currency, charges, account, name, text } = entry ?? {}
  const cells = [
    ...[item.kind, item.by, statement, reference, day, direction, amount, currency, charges, account, name, text],
    ...[entry?.endToEndId, entry?.returnReason, item.journalId, item.key, item.state, item.amount, item.currency],
    ...[item.reason, item.applied, item.next],
  ]
  return cells.map((cell) => (cell === null || cell === undefined ? '' : String(cell)))
}

export function reconciliationRows({ items }: Reconciliation): RowForms {
  return { rows: items, behind: [], sheet: { names: columns, rows: items.map(sheetCells) } }
}
