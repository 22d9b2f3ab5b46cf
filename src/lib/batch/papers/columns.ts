/**
 * The columns of a paper: first those of the file that was planned, then paydesk's own, which a reading passes over when the
 * paper is given back.
 */
import { fromMinorUnits } from '../../contract/core/decimal.ts'
import { isRecord, readJson } from '../../json.ts'
import type { PlanRowRow } from '../../store/plans.ts'
import type { Plan } from '../plan/plan.ts'
import type { PainPayment } from '../read/pain001/facts.ts'
import { isKeyHeader } from '../read/rows/columns.ts'
import { rowFields } from '../read/rows/contract.ts'
import { defused } from '../read/rows/defused.ts'
import { ownColumnPrefix, rowName } from '../read/rows/paper.ts'
import { isConflict } from '../rows/state.ts'
import { ownIntent, type PaperLine } from './lines.ts'

type Cells = (line: PaperLine) => readonly string[]

interface Columns {
  readonly names: readonly string[]
  readonly cells: Cells
}

/** In the order of the columns. */
const own: Readonly<Record<string, (line: PaperLine) => string | number | null | undefined>> = {
  // A row that must not be paid anew: no reading takes it back as one that was only refused.
  state: (line) => (isConflict(line) ? 'conflict' : line.state),
  status: (line) => ownIntent(line)?.status,
  code: ({ code }) => code,
  why: ({ why }) => why,
  row: ({ planned }) => planned.number,
  uniqueId: ({ planned }) => planned.unique_id,
  transactionId: (line) => ownIntent(line)?.transactionId,
  journalId: ({ intent }) => intent?.journalId,
}

/** Those of the file, as they stood; columns of an earlier paper are left out. */
function asGiven({ headers, planId, format }: Plan): Columns {
  const kept = [...headers.keys()].filter((at) => !headers[at]?.startsWith(ownColumnPrefix))
  return {
    names: kept.map((at) => headers[at] ?? ''),
    cells: ({ planned }) => {
      const source = readJson(planned.source)
      const cells = kept.map((at) => (Array.isArray(source) ? String(source[at] ?? '') : ''))
      // A line of NDJSON may have no key, and the papers have a column of them all the same: it has no gap.
      const isGap = (at: number) =>
        format === 'ndjson' && cells[at] === '' && isKeyHeader(headers[kept[at] ?? -1] ?? '', null)
      const { business_key, number } = planned
      return business_key === null ? cells.map((cell, at) => (isGap(at) ? rowName(planId, number) : cell)) : cells
    },
  }
}

/** The column that holds the keys of a pain.001: `--key-column` takes it. */
const painKeyColumn = 'EndToEndId'

/**
 * A pain.001 has no columns: a paper of it has the fields of a payout, and with them the key. A payment without one is called
 * by plan and row, so that a column of keys has no gap.
 */
function ofPayments({ planId }: Plan): Columns {
  const fields = rowFields.map(({ name }) => name)
  const original = ['PmtInfId', 'InstrId', 'UETR'].map((name) => `${ownColumnPrefix}${name}`)
  return {
    names: [painKeyColumn, ...fields, ...original],
    cells: ({ planned }) => {
      const request = readJson(planned.request)
      const members = isRecord(request) ? request : {}
      const payment = paymentOf(planned)
      return [
        planned.business_key ?? rowName(planId, planned.number),
        ...fields.map((name) => (name === 'amount' ? amountOf(planned) : String(members[name] ?? ''))),
        ...[payment?.block.paymentInformationId, payment?.instructionId, payment?.uetr].map((cell) => cell ?? ''),
      ]
    },
  }
}

function amountOf({ amount_minor }: PlanRowRow): string {
  return fromMinorUnits(BigInt(amount_minor))
}

/** The original ids of a row of a pain.001; null of other formats. */
export function paymentOf({ payment }: Pick<PlanRowRow, 'payment'>): PainPayment | null {
  return payment === null ? null : (JSON.parse(payment) as PainPayment)
}

/** The columns of the papers of a plan, every cell safe to be opened in a spreadsheet. */
export function columnsOf(plan: Plan): Columns {
  const given = plan.format === 'pain.001' ? ofPayments(plan) : asGiven(plan)
  const ours = Object.values(own)
  return {
    names: [...given.names, ...Object.keys(own).map((name) => `${ownColumnPrefix}${name}`)].map(defused),
    cells: (line) => [...given.cells(line), ...ours.map((cell) => String(cell(line) ?? ''))].map(defused),
  }
}
