/**
 * Makes the plan of a file. The file is read twice: first for what is wrong in it and for the identity of its plan, then for
 * the rows, which go straight to the disk.
 */
import type { Desk } from '../../desk/desk.ts'
import { scopeOf } from '../../desk/draft.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import { writeJson } from '../../json.ts'
import { addRows, changePlan, newPlan, planRow } from '../../store/plans.ts'
import type { Plans } from '../plans/plans.ts'
import { relativesOf } from '../plans/relatives.ts'
import { type PlanStore, planIn } from '../plans/store.ts'
import { type BatchFile, type BatchRow, givenIdOf } from '../read/row.ts'
import { Lease } from '../run/lease.ts'
import { RowIds } from './ids.ts'
import { type Notices, noticesOf } from './notices.ts'
import { plannedElsewhere } from './other-plans.ts'
import { conditionsOf, goodFor, type Plan, type PlanFacts, staleness } from './plan.ts'
import { rowsToPlan } from './row.ts'
import { planHash, type Survey, surveyOf } from './survey.ts'
import { mustBeMeant } from './warnings.ts'

/** Rows that are made durable together. */
const rowsPerCommit = 1000

export interface PlanWish {
  readonly name: string
  /** True if the name was given: it is the file's hash otherwise. */
  readonly isNamed: boolean
  /** Of the file's bytes. */
  readonly fileHash: string
  readonly again: string | null
  readonly allowDuplicates: boolean
  /** The file's name, its folders left out. */
  readonly file: string
  readonly plans: Pick<Plans, 'open' | 'list'>
  /** Reads the file from its beginning. */
  readonly read: () => Promise<BatchFile>
}

export interface MadePlan {
  readonly store: PlanStore
  readonly plan: Plan
  readonly notices: Notices
  /** `known`: it was there, and is good still; `renewed`: it was there, and is good for another day now. */
  readonly standing: 'new' | 'known' | 'renewed'
  /** Plans that a person may take for this one, in words. */
  readonly relatives: readonly string[]
}

/** Throws as `mustBeMeant`: then there is no plan. */
export async function makePlan(desk: Desk, holding: ThisProcess, wish: PlanWish, survey: Survey): Promise<MadePlan> {
  const hash = planHash(desk.profile, { ...wish, content: survey.content })
  const planId = `b-${hash.slice(0, 12)}`
  const store = await wish.plans.open(planId)
  try {
    const lease = new Lease(store, holding)
    const facts = factsOf(desk, wish, survey, { planId, hash })
    const found = await planIn(store)
    const isFilled = found === null && (await fill(desk, { store, lease }, wish, survey, facts))
    // Not by this process: another one has made it meanwhile.
    const known = isFilled ? null : (found ?? (await planIn(store)))
    const hasKeyless = survey.keyless > survey.given
    // The run looks at all that is sent from now on.
    const times = timesOf(desk, store)
    const notices = await noticesOf({ desk, holding, store, plans: wish.plans, facts, hasKeyless })
    const alike = (whole: Plan) => relativesOf(wish.plans, whole, hasKeyless)
    if (known && staleness(known, desk.profile, store.clock.now()) === null) {
      return { store, plan: known, notices, standing: 'known', relatives: await alike(known) }
    }
    const file = { desk, holding, store, plans: wish.plans, facts, hasKeyless: survey.keyless > 0 }
    const elsewhere =
      wish.again === null && (await plannedElsewhere({ ...file, isNamed: wish.isNamed, isRenewed: known !== null }))
    if (elsewhere) throw elsewhere
    mustBeMeant(desk, notices, wish.allowDuplicates)
    const made = known ? {} : { complete: 1, ...nobody }
    await store.write(async (db) => {
      if (!known) lease.mustBeOurs(await planRow(db), byAnother)
      await changePlan(db, { ...times, discarded_at: null, ...made })
    })
    const plan = await planIn(store)
    if (!plan) throw new Failure('bug', `the plan ${planId} was written and is not there`, { moneyMoved: 'no' })
    return { store, plan, notices, standing: known ? 'renewed' : 'new', relatives: await alike(plan) }
  } catch (error) {
    await store.close()
    throw error
  }
}

function timesOf({ profile }: Desk, { clock }: PlanStore) {
  const now = clock.now()
  return {
    planned_at: new Date(now).toISOString(),
    expires_at: new Date(now + goodFor).toISOString(),
    conditions: conditionsOf(profile),
  }
}

function factsOf(
  { profile }: Desk,
  { name, again, file, fileHash, allowDuplicates }: PlanWish,
  { told, whole, given }: Survey,
  identity: Pick<PlanFacts, 'planId' | 'hash'>,
): Omit<PlanFacts, 'format' | 'headers'> {
  const totals = [...told.totals].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    ...identity,
    ...{ name, again, file, fileHash, allowDuplicates },
    profile: profile.name,
    ...scopeOf(profile),
    rows: whole,
    totals: Object.fromEntries(totals.map(([currency, units]) => [currency, units.toString()])),
    message: told.message,
    ...(given > 0 ? { keepsIds: true } : {}),
  }
}

/** A plan whose rows are being written, by one process at a time. */
interface Filling {
  readonly store: PlanStore
  readonly lease: Lease
}

const byAnother = 'it is made by that one'

const nobody = { holder: null, held_since: null, held_until: null, held_until_steady: null }

/** False if the plan is whole by then: a run may be reading its rows. */
async function fill(
  desk: Desk,
  filling: Filling,
  wish: PlanWish,
  survey: Survey,
  facts: Omit<PlanFacts, 'format' | 'headers'>,
): Promise<boolean> {
  const file = await wish.read()
  const whole: PlanFacts = { ...facts, format: file.format, headers: file.headers }
  const { store, lease } = filling
  const times = timesOf(desk, store)
  const isWhole = await store.write(async (db) => {
    const row = await planRow(db)
    if (row?.complete) return true
    lease.mustBeFree(row)
    const empty = { facts: writeJson(whole), ...times, discarded_at: null, complete: 0 }
    await newPlan(db, { ...empty, ...lease.held })
    return false
  })
  if (isWhole) return false
  const seen = await surveyOf({ ...file, rows: kept(desk, filling, wish, file.rows) })
  if (seen.content !== survey.content || seen.complaints.count > 0) {
    throw new Failure('usage', `${wish.file} was changed while it was read; nothing is planned`, {
      moneyMoved: 'no',
      hints: [hint`Plan it again when nobody writes to it.`],
    })
  }
  return true
}

/** The same rows, written to the plan as they pass by. */
async function* kept(
  desk: Desk,
  { store, lease }: Filling,
  wish: PlanWish,
  rows: BatchFile['rows'],
): BatchFile['rows'] {
  const ids = new RowIds(desk, wish)
  let piece: BatchRow[] = []
  const keep = async () => {
    if (piece.length === 0) return
    const named = await ids.of(piece.map((row) => ({ ...row, givenId: givenIdOf(row) })))
    piece = []
    const rows = await rowsToPlan(desk, named)
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
