/** `journal reconcile` on the command line: its flags, and the reconciliation as people see it. */
import { isRealDashedDate } from '../../contract/date.ts'
import { Failure } from '../../failure.ts'
import { printableJson } from '../../json.ts'
import type { Kind } from '../../reconcile/match.ts'
import type { Reconciled, ReconciledItem, ReconcileOptions, Reconciliation } from '../../reconcile/reconcile.ts'
import { escapeFormula } from '../../text.ts'
import type { SharedFlags } from '../flags/shared.ts'
import { typedForm } from '../flags/typed-line.ts'
import type { Invocation } from '../invocation.ts'
import { type Form, isSheetForm } from '../output/choice.ts'
import { toStdout } from '../output/files.ts'
import { type RowForms, sheetBody, sheetHead, textOf } from '../output/form.ts'
import { factsOf, type Labels, labelled, tableOf, textView, type View } from '../output/view.ts'
import { type PageTarget, writePage } from '../page.ts'

interface ReconcileFlags extends SharedFlags {
  readonly account?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly days: number
  readonly map?: string | undefined
  readonly apply: boolean
}

export async function optionsIn(flags: ReconcileFlags): Promise<ReconcileOptions> {
  const { from = null, to = null } = flags
  for (const [flag, day] of Object.entries({ from, to })) {
    if (day !== null && !isRealDashedDate(day))
      throw new Failure('usage', `--${flag} takes a day like 2026-11-20, not "${day}"`)
  }
  if (from !== null && to !== null && to < from) throw new Failure('usage', '--to must not be before --from')
  const { readColumnMap } = await import('../../batch/read/column-map.ts')
  const map = flags.map === undefined ? null : await readColumnMap(flags.map)
  const account = flags.account?.replaceAll(' ', '').toUpperCase() ?? null
  return { map, profile: flags.profile ?? null, account, from, to, days: flags.days, apply: flags.apply }
}

/** Writes the page. Throws usage (2) where its file cannot be made. */
export async function writeReconciliation(
  invocation: Invocation,
  target: PageTarget,
  found: Reconciled,
): Promise<void> {
  const { reconciliationPage } = await import('../../reconcile/page.ts')
  await writePage(invocation, target, await reconciliationPage(found, invocation.edge.clock.now()))
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

const atOnce = 200

async function stream(invocation: Invocation, { head, items }: Reconciled, form: Form): Promise<void> {
  const write = toStdout(invocation)
  const { redactor, unread } = invocation.output
  const [before, after] = printableJson(redactor.withoutSecrets(head)).split('"items":[]')
  if (form === 'json') await write(`${before}"items":[`)
  if (isSheetForm(form)) await write(sheetHead(form, columns))
  let group: ReconciledItem[] = []
  let isFirst = true
  const flush = async () => {
    const shown = redactor.withoutSecrets(group)
    group = []
    if (isSheetForm(form))
      return write(
        sheetBody(
          form,
          shown.map((item) => sheetCells(item).map(escapeFormula)),
        ),
      )
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

const dayInWords = ({ from, to }: Reconciliation) => (from === null || from === to ? from : `${from} to ${to}`)

const counts: Labels<Reconciliation> = {
  account: ({ statements }) => [...new Set(statements.flatMap(({ account }) => account ?? []))].join(', ') || null,
  days: dayInWords,
  'opening balance': 'opening',
  'closing balance': 'closing',
  ...Object.fromEntries(exceptions.map(([kind, title]) => [title, (told: Reconciliation) => told[kind] || null])),
  expected: ({ expected }) => expected || null,
  'not about payouts': ({ other }) => other || null,
  'resolved in the journal': ({ applied }) => applied || null,
}

const itemColumns: Labels<ReconciledItem> = {
  what: ({ kind }) => kindTitles[kind],
  entry: ({ entry }) => entry?.entry,
  day: ({ entry }) => entry?.day,
  amount: sumOf,
  to: ({ entry }) => entry?.account ?? entry?.name ?? entry?.text,
  payout: ({ journalId, candidates }) => journalId ?? candidates.join(', '),
  why: ({ reason, applied, state }) => (applied ? `${reason}; resolved: ${state}` : reason),
}

export function reconciliationView(told: Reconciliation): View {
  const shown = told.items.filter(isShown)
  const rank = (item: ReconciledItem) => exceptions.findIndex(([kind]) => kind === item.kind) >>> 0
  const rows = shown.toSorted((one, other) => rank(one) - rank(other)).slice(0, mostRows)
  const wrong = exceptions.reduce((all, [kind]) => all + told[kind], 0)
  const left = Math.max(shown.length, wrong) - rows.length
  const next = rows.flatMap((item) => item.next ?? [])
  return [
    factsOf(told, counts, `${told.file}: ${told.matched} of ${told.entries} matched`),
    tableOf(rows, itemColumns, 'Everything agrees.'),
    ...(left > 0 ? textView(`… and ${left} more: --json and --output csv list all.`) : []),
    ...(next.length > 0 ? textView(['Next steps (check each first):', ...next].join('\n')) : []),
  ]
}

const sheet: Labels<ReconciledItem> = {
  kind: 'kind',
  by: 'by',
  statement: ({ entry }) => entry?.statement,
  entry: ({ entry }) => entry?.entry,
  day: ({ entry }) => entry?.day,
  direction: ({ entry }) => entry?.direction,
  amount: ({ entry }) => entry?.amount,
  currency: ({ entry }) => entry?.currency,
  charges: ({ entry }) => entry?.charges,
  account: ({ entry }) => entry?.account,
  name: ({ entry }) => entry?.name,
  text: ({ entry }) => entry?.text,
  endToEndId: ({ entry }) => entry?.endToEndId,
  returnReason: ({ entry }) => entry?.returnReason,
  journalId: 'journalId',
  key: 'key',
  state: 'state',
  paid: 'amount',
  paidCurrency: 'currency',
  reason: 'reason',
  applied: 'applied',
  next: 'next',
}

const columns = Object.keys(sheet)

const sheetCells = (item: ReconciledItem) => labelled(item, sheet).map(([, cell]) => textOf(cell))

export function reconciliationRows({ items }: Reconciliation): RowForms {
  return { rows: items, behind: [], sheet: { names: columns, rows: items.map(sheetCells) } }
}
