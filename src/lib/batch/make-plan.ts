/**
 * Makes the plan of a file. The file is read twice: first to check it and to compute the id of its plan, then to store its rows.
 */

import { createHash, hash } from 'node:crypto'
import type { Members } from '../contract/core/members.ts'
import { createPayout } from '../contract/payout/payout.ts'
import type { ServicePlace } from '../contract/service.ts'
import type { Desk } from '../desk/desk.ts'
import { digestOfRequest, idOfKey, idsForKeys, newIntentOf, scopeOf } from '../desk/new-intent.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import type { Intent } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { ThisProcess } from '../journal/lease.ts'
import { isRecord, readJson, writeJson } from '../json.ts'
import { addRows, changePlan, newPlan, type PlanRowRow, planRow } from '../store/plans.ts'
import { findPlannedElsewhere, relatedPlans } from './duplicates.ts'
import { Lease } from './lease.ts'
import { conditionsOf, goodFor, type Plan, type PlanFacts, staleness } from './plan.ts'
import { type PlanStore, type Plans, planIn, storedRows } from './plans.ts'
import { type Complaints, newComplaints } from './read/check.ts'
import { type BatchFile, type BatchRow, type FileSummary, idFromResultFile } from './read/row.ts'
import { ownerOf, type RowOwner } from './rows.ts'
import { assertMeant, type Findings, findWarnings } from './warnings.ts'

const rowsPerCommit = 1000

export interface PlanRequest {
  readonly name: string
  /** True if a name was given; otherwise the name is the hash of the file. */
  readonly isNamed: boolean
  /** Of the bytes of the file. */
  readonly fileHash: string
  readonly again: string | null
  readonly allowDuplicates: boolean
  /** The name of the file, without its folders. */
  readonly file: string
  readonly plans: Pick<Plans, 'open' | 'list'>
  readonly read: () => Promise<BatchFile>
}

export interface MadePlan {
  readonly store: PlanStore
  readonly plan: Plan
  readonly notices: Findings
  /** `known`: it existed, and is valid. `renewed`: it existed, and is valid for another day now. */
  readonly standing: 'new' | 'known' | 'renewed'
  /** Warnings about plans that a person may confuse with this plan. */
  readonly relatives: readonly string[]
}

/** Throws as `assertMeant`: then there is no plan. */
export async function makePlan(
  desk: Desk,
  leaseHolder: ThisProcess,
  request: PlanRequest,
  survey: Survey,
): Promise<MadePlan> {
  const hash = planHash(desk.profile, { ...request, content: survey.content })
  const planId = `b-${hash.slice(0, 12)}`
  const store = await request.plans.open(planId)
  try {
    const lease = new Lease(store, leaseHolder)
    const facts = planFactsOf(desk, request, survey, { planId, hash })
    const found = await planIn(store)
    const isFilled = found === null && (await writePlan(desk, { store, lease }, request, survey, facts))
    // Another process may have made the plan meanwhile.
    const known = isFilled ? null : (found ?? (await planIn(store)))
    const hasKeyless = survey.keyless > survey.keepingIds
    // The times are taken before the findings: the run checks everything that is sent after them.
    const times = planTimes(desk, store)
    const notices = await findWarnings({ desk, leaseHolder, store, plans: request.plans, facts, hasKeyless })
    const alike = (whole: Plan) => relatedPlans(request.plans, whole, hasKeyless)
    if (known && staleness(known, desk.profile, store.clock.now()) === null) {
      return { store, plan: known, notices, standing: 'known', relatives: await alike(known) }
    }
    const file = { desk, leaseHolder, store, plans: request.plans, facts, hasKeyless: survey.keyless > 0 }
    const elsewhere =
      request.again === null &&
      (await findPlannedElsewhere({ ...file, isNamed: request.isNamed, isRenewed: known !== null }))
    if (elsewhere) throw elsewhere
    assertMeant(desk, notices, request.allowDuplicates)
    const made = known ? {} : { complete: 1, ...nobody }
    await store.write(async (db) => {
      if (!known) lease.mustBeOurs(await planRow(db), byAnother)
      await changePlan(db, { ...times, discarded_at: null, ...made })
    })
    const plan = await planIn(store)
    if (!plan) throw new Failure('bug', `the plan ${planId} was written but cannot be found`, { moneyMoved: 'no' })
    return { store, plan, notices, standing: known ? 'renewed' : 'new', relatives: await alike(plan) }
  } catch (error) {
    await store.close()
    throw error
  }
}

function planTimes({ profile }: Desk, { clock }: PlanStore) {
  const now = clock.now()
  return {
    planned_at: new Date(now).toISOString(),
    expires_at: new Date(now + goodFor).toISOString(),
    conditions: conditionsOf(profile),
  }
}

function planFactsOf(
  { profile }: Desk,
  { name, again, file, fileHash, allowDuplicates }: PlanRequest,
  { summary, whole, keepingIds }: Survey,
  identity: Pick<PlanFacts, 'planId' | 'hash'>,
): Omit<PlanFacts, 'format' | 'headers'> {
  const totals = [...summary.totals].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    ...identity,
    ...{ name, again, file, fileHash, allowDuplicates },
    profile: profile.name,
    ...scopeOf(profile),
    rows: whole,
    totals: Object.fromEntries(totals.map(([currency, units]) => [currency, units.toString()])),
    message: summary.message,
    ...(keepingIds > 0 ? { keepsIds: true } : {}),
  }
}

/** A plan whose rows are being written, by one process at a time. */
interface Filling {
  readonly store: PlanStore
  readonly lease: Lease
}

const byAnother = 'it is made by that one'

const nobody = { holder: null, held_since: null, held_until: null, held_until_steady: null }

/** False if another process has completed the plan: a run may be reading its rows. */
async function writePlan(
  desk: Desk,
  filling: Filling,
  request: PlanRequest,
  survey: Survey,
  facts: Omit<PlanFacts, 'format' | 'headers'>,
): Promise<boolean> {
  const file = await request.read()
  const whole: PlanFacts = { ...facts, format: file.format, headers: file.headers }
  const { store, lease } = filling
  const times = planTimes(desk, store)
  const isWhole = await store.write(async (db) => {
    const row = await planRow(db)
    if (row?.complete) return true
    lease.mustBeFree(row)
    const empty = { facts: writeJson(whole), ...times, discarded_at: null, complete: 0 }
    await newPlan(db, { ...empty, ...lease.held })
    return false
  })
  if (isWhole) return false
  const seen = await surveyFile({ ...file, rows: writeRows(desk, filling, request, file.rows) })
  if (seen.content !== survey.content || seen.complaints.count > 0) {
    throw new Failure('usage', `${request.file} changed while it was read; nothing was planned`, {
      moneyMoved: 'no',
      hints: [hint`Plan it again when no program writes to it.`],
    })
  }
  return true
}

/** Gives the same rows, and stores them. */
async function* writeRows(
  desk: Desk,
  { store, lease }: Filling,
  request: PlanRequest,
  rows: BatchFile['rows'],
): BatchFile['rows'] {
  const ids = new RowIds(desk, request)
  let piece: BatchRow[] = []
  const keep = async () => {
    if (piece.length === 0) return
    const named = await ids.of(piece.map((row) => ({ ...row, keptId: idFromResultFile(row) })))
    piece = []
    const rows = await rowsOfPlan(desk, named)
    await store.write(async (db) => {
      lease.mustBeOurs(await planRow(db), byAnother)
      await addRows(db, rows)
    })
  }
  for await (const each of rows) {
    if (each.kind === 'row') piece.push(each)
    if (piece.length === rowsPerCommit) await keep()
    yield each
  }
  await keep()
}

/** The result of the first reading. Only the hash of a row is kept, so that a million rows take no more memory than ten. */
export interface Survey {
  readonly complaints: Complaints
  /** Rows without a complaint. */
  readonly whole: number
  /** Rows among them without a key. */
  readonly keyless: number
  /** Rows without a key that keep the id of an earlier plan. */
  readonly keepingIds: number
  readonly summary: FileSummary
  readonly content: string
}

function contentOf({ request }: { readonly request: Members }): string {
  return digestOfRequest(createPayout, request)
}

class RowsHash {
  readonly #hash = createHash('sha256')

  /** `keptId`: the id of a row that keeps it from an earlier plan. */
  add(key: string | null, content: string, keptId: string | null): void {
    this.#hash.update(JSON.stringify(keptId === null ? [key, content] : [key, content, keptId]))
  }

  digest(): string {
    return this.#hash.digest('base64url')
  }
}

export async function surveyFile(file: BatchFile): Promise<Survey> {
  const hash = new RowsHash()
  const complaints = newComplaints()
  let [whole, keyless, keepingIds] = [0, 0, 0]
  for await (const each of file.rows) {
    if (each.kind === 'complaint') {
      complaints.add(() => each)
      continue
    }
    whole += 1
    const keptId = idFromResultFile(each)
    if (each.key === null) keyless += 1
    if (keptId !== null) keepingIds += 1
    hash.add(each.key, contentOf(each), keptId)
  }
  return {
    complaints,
    whole,
    keyless,
    keepingIds,
    summary: file.summary(),
    content: hash.digest(),
  }
}

/** The hash of service, client, name and rows: the same file planned again is the same plan. */
function planHash(
  profile: ServicePlace,
  { name, again, content }: { readonly name: string; readonly again: string | null; readonly content: string },
): string {
  const { serviceId, environment, clientId } = scopeOf(profile)
  const parts = ['paydesk plan', serviceId, environment, clientId, name, again, content]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** What the id of a row depends on. */
interface Nameable {
  readonly number: number
  readonly key: string | null
  readonly request: Members
  /** The id that the row keeps from an earlier plan. */
  readonly keptId?: string | null
}

interface NamedRow<PlannedRow extends Nameable> {
  readonly row: PlannedRow
  readonly content: string
  readonly uniqueId: string
}

/**
 * Gives rows their ids. With a key, a row has the id that `payout create --key` would send. Without a key, the id depends on the
 * name of the plan, the request, and its place among equal requests: a corrected file keeps the ids of rows that did not change.
 */
class RowIds {
  readonly #desk: RowOwner
  readonly #name: string
  readonly #again: string | null
  /** By the first 48 bits of the digest. If two rows share them by chance, the ordinal only counts further. */
  readonly #alike = new Map<number, number>()

  constructor(desk: RowOwner, { name, again }: { readonly name: string; readonly again: string | null }) {
    this.#desk = desk
    this.#name = name
    this.#again = again
  }

  async of<PlannedRow extends Nameable>(rows: readonly PlannedRow[]): Promise<readonly NamedRow<PlannedRow>[]> {
    const keys = rows.flatMap(({ key }) => (key === null ? [] : [key]))
    const known = keys.length === 0 ? new Map<string, string>() : await idsForKeys(this.#desk, createPayout, keys)
    return rows.map((row) => {
      const content = contentOf(row)
      const own = () => (row.key === null ? this.#derived(content) : (known.get(row.key) ?? ''))
      const uniqueId = row.keptId ?? own()
      return { row, content, uniqueId }
    })
  }

  #derived(content: string): string {
    const brief = Buffer.from(content, 'base64url').readUIntBE(0, 6)
    const ordinal = (this.#alike.get(brief) ?? 0) + 1
    this.#alike.set(brief, ordinal)
    const named = JSON.stringify([this.#name, ...(this.#again === null ? [] : [this.#again]), content, ordinal])
    return idOfKey(this.#desk.profile, 'a row of a plan', named)
  }
}

async function rowsOfPlan(desk: Desk, named: readonly NamedRow<BatchRow>[]): Promise<readonly PlanRowRow[]> {
  const known = await findKnown(desk, named)
  return named.map((each) => rowOfPlan(desk, each, known.get(each.uniqueId)))
}

async function findKnown(
  { journal, profile }: Desk,
  rows: readonly NamedRow<BatchRow>[],
): Promise<Map<string, Intent>> {
  const uniqueIds = rows.map(({ uniqueId }) => uniqueId)
  const known = await journal.list({ scope: scopeOf(profile), uniqueIds, operations: [createPayout] })
  return new Map(known.toReversed().map((intent) => [intent.uniqueId, intent]))
}

function rowOfPlan(
  { profile }: Desk,
  { row, content, uniqueId }: NamedRow<BatchRow>,
  known: Intent | undefined,
): PlanRowRow {
  const { key } = row
  const newIntent = newIntentOf(
    profile,
    createPayout,
    { ...row.request, uniqueId },
    { idempotencyKey: key, ownId: uniqueId },
  )
  return {
    number: row.number,
    unique_id: uniqueId,
    business_key: key,
    content,
    request: writeJson(row.request),
    payee: newIntent.payee,
    amount_minor: newIntent.amountMinor ?? '0',
    currency: newIntent.currency ?? '',
    source: JSON.stringify(row.source),
    payment: row.payment === null ? null : JSON.stringify(row.payment),
    known_opened_at: known?.openedAt ?? null,
    known_changed_at: known?.changedAt ?? null,
  }
}

// Before the first row is sent, the plan is verified with every row and id.

/** Throws bug (1) for a plan that was changed outside paydesk: nothing of it is sent. Gives its rows as they were seen. */
export async function verifyPlan(journal: Journal, store: PlanStore, plan: Plan): Promise<AgreedRows> {
  const seen = new AgreedRows()
  const owner = ownerOf(plan, journal)
  const hash = new RowsHash()
  const ids = new RowIds(owner, plan)
  for await (const rows of storedRows(store)) {
    const named = await ids.of(rows.map((row) => asked(plan, row)))
    for (const [at, { row, content, uniqueId }] of named.entries()) {
      const kept = rows[at]
      if (kept?.unique_id !== uniqueId || kept.content !== content) throw changed(plan, `its row ${row.number}`)
      hash.add(row.key, content, row.keptId)
      seen.add(kept)
    }
  }
  if (planHash(owner.profile, { ...plan, content: hash.digest() }) !== plan.hash) throw changed(plan, 'it')
  return seen
}

function asked({ keepsIds = false }: Plan, { number, business_key, unique_id, request }: PlanRowRow) {
  const members = readJson(request)
  // An id that does not follow from its row is a part of what the hash of the plan was made of.
  const keptId = keepsIds && business_key === null ? unique_id : null
  return { number, key: business_key, request: isRecord(members) ? members : {}, keptId }
}

function changed({ planId, file }: Plan, what: string): Failure {
  return new Failure(
    'bug',
    `the plan ${planId} is damaged: ${what} was changed outside paydesk. Nothing of it is sent`,
    {
      hints: [hint`Plan ${file} again on an undamaged disk: rows that were sent keep their ids.`],
    },
  )
}

type AgreedRow = Pick<PlanRowRow, 'number' | 'business_key' | 'unique_id' | 'request'>

function digestOf({ number, business_key, unique_id, request }: AgreedRow): string {
  return hash('sha256', JSON.stringify([number, business_key, unique_id, request]), 'base64').slice(0, 22)
}

/**
 * The rows of a plan as they were when its hash was verified. They are read again when they are sent, perhaps hours later: nobody
 * agreed to a row that was changed meanwhile.
 */
export class AgreedRows {
  readonly #digests = new Map<string, string>()

  add(row: AgreedRow): void {
    this.#digests.set(row.unique_id, digestOf(row))
  }

  has(row: AgreedRow): boolean {
    return this.#digests.get(row.unique_id) === digestOf(row)
  }

  hasId(uniqueId: string): boolean {
    return this.#digests.has(uniqueId)
  }
}
