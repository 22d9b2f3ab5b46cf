/** Plans a file: checks it, makes the plan, and tells what a person should know before agreeing to it. */

import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { fromMinorUnits, JsonNumber, minorUnits } from '../contract/core/decimal.ts'
import { howMany } from '../contract/core/text.ts'
import { currencies } from '../contract/payout/request.ts'
import type { Desk } from '../desk/desk.ts'
import { readBalances } from '../desk/payouts.ts'
import { Failure, type MoneyMoved } from '../failure.ts'
import { blank, hint, paste } from '../hint.ts'
import type { ThisProcess } from '../journal/lease.ts'
import { fileTrouble } from '../paths.ts'
import type { ResultOf } from '../result.ts'
import { type MadePlan, makePlan, type PlanRequest, type Survey, surveyFile } from './make-plan.ts'
import { type Plan, totalsInWords } from './plan.ts'
import { findLargestRows, planFactsOf } from './plan-result.ts'
import type { Plans } from './plans.ts'
import { complaintLine } from './read/row.ts'
import type { planResult } from './result.ts'
import { ReturnedRows } from './returned-rows.ts'
import { warningsInWords } from './warnings.ts'

export type PlanResult = ResultOf<typeof planResult>

export interface FileToPlan extends Omit<PlanRequest, 'name' | 'isNamed' | 'file' | 'fileHash' | 'plans'> {
  readonly plans: Plans
  readonly path: string
  /** Null without a name: then the hash of the file names the plan. */
  readonly name: string | null
}

/** Throws usage (2) for a wrong file, and as `makePlan`. */
export async function planFile(desk: Desk, leaseHolder: ThisProcess, request: FileToPlan): Promise<MadePlan> {
  assertFile(request.path)
  const read = await request.read()
  const back = new ReturnedRows(desk, leaseHolder, request.plans)
  const survey = await surveyFile({ ...read, rows: back.passing(read.rows) })
  const file = basename(request.path)
  assertNoComplaints(request.path, survey)
  await back.mustBePayable(file)
  if (survey.keyless > survey.keepingIds && request.name === null) assertNameNotNeeded(desk, survey)
  const fileHash = await hashFile(request.path)
  const named = { name: request.name ?? fileHash, isNamed: request.name !== null }
  return makePlan(desk, leaseHolder, { ...request, file, fileHash, ...named }, survey)
}

/** Throws usage (2) for stdin and a pipe: the file is read twice. */
function assertFile(path: string): void {
  const found = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false })
  const isOnce = path === '-' || (found !== undefined && !found.isFile() && !found.isDirectory())
  if (!isOnce) return
  const name = path === '-' ? 'stdin' : path
  throw new Failure('usage', `a plan reads its file twice, but ${name} can be read only once`, {
    hints: [hint`Save it as a file and plan that: \`${paste('batch plan', blank('<file>'))}\`.`],
  })
}

/** Complaints that stand in the message, each on a line of its own; `batch check` tells all. */
const mostTold = 5

function assertNoComplaints(path: string, { complaints, whole }: Survey): void {
  const file = basename(path)
  if (complaints.count > 0) {
    const first = complaints.first.slice(0, mostTold).map((each) => complaintLine(file, each))
    const more = complaints.count > first.length ? [`and ${complaints.count - first.length} more`] : []
    const said = `${file} has ${howMany(complaints.count, 'complaint')}; nothing was planned`
    throw new Failure('usage', `${said}:\n${[...first, ...more].join(';\n')}`, {
      hints: [hint`\`${paste('batch check', path)}\` lists every mistake. Correct the file and plan it again.`],
    })
  }
  if (whole === 0) throw new Failure('usage', `${file} has no rows, so there is nothing to pay`)
}

function assertNameNotNeeded({ profile }: Desk, { keyless }: Survey): void {
  if (profile.environment !== 'live') return
  throw new Failure(
    'usage',
    `${howMany(keyless, 'row has', 'rows have')} no key; on a live profile the plan then needs a name`,
    {
      hints: [
        hint`Name the column of the keys: \`--key-column <column>\`.`,
        hint`Or name the plan, for example \`--name 2026-11\`: the same rows under the same name are paid once.`,
      ],
    },
  )
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk)
  } catch (error) {
    throw new Failure('usage', `${path} cannot be read: ${fileTrouble(error)}`)
  }
  return hash.digest('hex').slice(0, 16)
}

export async function planResultOf(
  { plan, store, notices, standing, relatives }: MadePlan,
  balances: PlanResult['balances'],
  approval: PlanResult['approval'],
): Promise<PlanResult> {
  const short = balances.filter(({ covers }) => covers === false)
  const warnings = [
    ...warningsInWords(notices),
    ...relatives,
    ...short.map(
      ({ currency, amount, needed }) => `the balance is ${currency} ${amount}, but the plan needs ${needed}`,
    ),
  ]
  return {
    ...planFactsOf(plan),
    largest: await findLargestRows(plan, store),
    approval,
    replayed: notices.replayed.count,
    left: notices.left,
    consent: totalsInWords(plan.totals),
    renewed: standing === 'renewed',
    firstTime: notices.firstTime.count,
    fits: notices.shortages.length === 0,
    known: notices.known,
    otherAccounts: notices.otherAccounts.count,
    balances,
    warnings,
  }
}

export function plannedAlreadyFailure(
  { planId, plannedAt }: Plan,
  document: PlanResult,
  moneyMoved: MoneyMoved,
): Failure {
  return new Failure('duplicate', `this file is already planned: ${planId}, at ${plannedAt}`, {
    moneyMoved,
    retry: 'never',
    hints: [
      hint`\`${paste('batch status', planId)}\` shows its state.`,
      hint`To pay the same file once more on purpose, use \`--again "<reason>"\`.`,
    ],
    document,
  })
}

/** The balances, beside what the plan needs. Empty if the service does not tell them: planning needs no service. */
export async function readBalancesFor(desk: Desk, { totals }: Plan): Promise<PlanResult['balances']> {
  const wanted = currencies.filter((currency) => totals[currency] !== undefined)
  const asked = wanted.map(async (currency) => {
    const [balance] = await readBalances(desk, currency).catch(() => [])
    const needed = BigInt(totals[currency] ?? '0')
    const units = balance?.amount === null || balance === undefined ? null : minorUnits(String(balance.amount))
    return {
      currency,
      amount: balance?.amount ?? null,
      needed: new JsonNumber(fromMinorUnits(needed)),
      covers: units === null ? null : units >= needed,
    }
  })
  return Promise.all(asked)
}
