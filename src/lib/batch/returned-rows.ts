/**
 * Rows of result files that are planned again. Their paydesk columns name the payment of each row: a row that was refused or not
 * sent keeps its id; a row that was sent, or may have been, is not planned again.
 */

import { createPayout } from '../contract/payout/payout.ts'
import { isSameService, originOf, type ServicePlace } from '../contract/service.ts'
import type { Desk } from '../desk/desk.ts'
import { idsForKeys, scopeOf } from '../desk/new-intent.ts'
import { Failure, type MoneyMoved } from '../failure.ts'
import { hint } from '../hint.ts'
import { type Intent, moneyMovedBy } from '../journal/intent.ts'
import type { ThisProcess } from '../journal/lease.ts'
import { isSameSender, type Plan, resumeLine } from './plan.ts'
import type { Plans } from './plans.ts'
import { FirstFew } from './read/first-few.ts'
import { type BatchFile, type BatchRow, idFromResultFile, type ResultFileMark } from './read/row.ts'
import { SeenKeys } from './read/row-builder.ts'
import { isConflict, type PlannedRow } from './row-state.ts'
import { loadRows, ownerOf } from './rows.ts'

/** The states in which a row of a result file may be planned again; '' for a row that was added, or whose state was removed. */
const payable: ReadonlySet<string> = new Set(['', 'refused', 'unsent', 'turned-away', 'planned', 'held'])

const piece = 500

const mostTold = 5

interface Objection {
  readonly words: string
  readonly moneyMoved: MoneyMoved
}

type ReturnedRow = BatchRow & { readonly mark: ResultFileMark }

export class ReturnedRows {
  readonly #desk: Pick<Desk, 'journal' | 'profile'>
  readonly #plans: Pick<Plans, 'withRows'>
  readonly #leaseHolder: ThisProcess
  readonly #seen = new SeenKeys()
  readonly #objections = new FirstFew<string>(mostTold)
  readonly #moved = new Set<MoneyMoved>()
  /** True while all objections are to rows that were accepted. */
  #areAllAccepted = true
  /** The id of the first row with an objection. */
  #first: string | null = null

  constructor(desk: Pick<Desk, 'journal' | 'profile'>, leaseHolder: ThisProcess, plans: Pick<Plans, 'withRows'>) {
    this.#desk = desk
    this.#plans = plans
    this.#leaseHolder = leaseHolder
  }

  /** Gives the same rows, and examines them. */
  async *passing(rows: BatchFile['rows']): BatchFile['rows'] {
    let pending: ReturnedRow[] = []
    for await (const each of rows) {
      if (each.kind === 'row' && each.mark) {
        const row = { ...each, mark: each.mark }
        const objection = this.#objectToMark(row)
        if (objection) this.#add(row, objection)
        else if (row.mark.uniqueId !== null) pending.push(row)
      }
      if (pending.length === piece) {
        await this.#examine(pending)
        pending = []
      }
      yield each
    }
    if (pending.length > 0) await this.#examine(pending)
  }

  /** Throws usage (2) for rows that were sent, may have been or may still be sent, and for rows of another client's plan. */
  async mustBePayable(file: string): Promise<void> {
    if (this.#objections.count === 0) return
    const [found] = this.#first === null ? [] : await this.#plans.withRows([this.#first])
    const resumes = this.#areAllAccepted
      ? hint`Accepted rows need nothing more.`
      : found
        ? hint`\`${resumeLine(found.plan)}\` resolves and sends them under their own ids.`
        : hint`\`batch resume\`, on the machine that has their plan, resolves and sends them under their own ids.`
    const message = `${file} was written from a plan, and these rows must not be planned again: ${this.#objections.inWords()}`
    const [moneyMoved = 'no', ...others] = this.#moved
    throw new Failure('usage', message, {
      moneyMoved: others.length === 0 ? moneyMoved : 'unknown',
      hints: [resumes, hint`Remove them from the file, and put new payments into another file.`],
    })
  }

  #add({ mark }: ReturnedRow, { words, moneyMoved }: Objection): void {
    this.#areAllAccepted &&= mark.state === 'accepted'
    this.#objections.add(() => words)
    this.#moved.add(moneyMoved)
    this.#first ??= mark.uniqueId
  }

  /** The objection that the row itself shows. */
  #objectToMark(row: ReturnedRow): Objection | null {
    const { state, uniqueId } = row.mark
    const at = `row ${row.number}`
    if (state === 'accepted') return { words: `${at} is accepted`, moneyMoved: 'yes' }
    if (!payable.has(state)) return { words: `${at} is ${state}`, moneyMoved: 'unknown' }
    if (uniqueId === null && row.key === null) {
      return { words: `${at} has no key and no paydesk:uniqueId`, moneyMoved: 'no' }
    }
    if (uniqueId === null) {
      return state === '' ? null : { words: `${at} is ${state}, and has no paydesk:uniqueId`, moneyMoved: 'unknown' }
    }
    const kept = idFromResultFile(row)
    const before = kept === null ? null : this.#seen.rowBefore(kept, row.number)
    if (before === null) return null
    return { words: `${at} has the paydesk:uniqueId of row ${before} once more`, moneyMoved: 'unknown' }
  }

  /** Asks plans and journal about rows that name their ids. */
  async #examine(rows: readonly ReturnedRow[]): Promise<void> {
    const { journal, profile } = this.#desk
    const keys = rows.flatMap(({ key }) => (key === null ? [] : [key]))
    const idOfKey = keys.length === 0 ? new Map<string, string>() : await idsForKeys(this.#desk, createPayout, keys)
    const uniqueIds = rows.map(({ mark }) => mark.uniqueId ?? '')
    const intents = await journal.list({ uniqueIds, operations: [createPayout] })
    const planned: PlannedBefore[] = []
    for (const { plan, rows } of await this.#plans.withRows(uniqueIds)) {
      if (isOfEndedWorld(plan, profile)) continue
      const standing = await loadRows(ownerOf(plan, journal), this.#leaseHolder, rows)
      planned.push(...standing.map((row) => ({ ...row, plan })))
    }
    for (const row of rows) {
      const known = {
        planned: planned.filter((each) => each.planned.unique_id === row.mark.uniqueId),
        intents: intents.filter((each) => each.uniqueId === row.mark.uniqueId && !isOfEndedWorld(each, profile)),
      }
      // A changed key gives another id, and another payment: then the row's own payment must not have been paid, or be about to be.
      const isChanged = row.key !== null && idOfKey.get(row.key) !== row.mark.uniqueId
      const objection = objectToOtherClient(row, known, profile) ?? (isChanged ? objectToOpenRow(row, known) : null)
      if (objection) this.#add(row, objection)
    }
  }
}

/** True for a world of the sandbox that has ended, together with its payments. */
function isOfEndedWorld(place: ServicePlace, profile: ServicePlace): boolean {
  return place.environment === 'sandbox' && !isSameService(scopeOf(place), scopeOf(profile))
}

interface PlannedBefore extends PlannedRow {
  readonly plan: Plan
}

/** What the plans and the journal know of an id. */
interface Known {
  readonly planned: readonly PlannedBefore[]
  readonly intents: readonly Intent[]
}

function clientInWords({ clientId, service }: ServicePlace): string {
  return `the client ${clientId} of ${originOf(service)}`
}

function objectionBy(intent: Intent | null, words: string): Objection {
  return { words, moneyMoved: intent === null ? 'no' : moneyMovedBy(intent) }
}

/** A row of another client would be paid by both clients. */
function objectToOtherClient(
  { number }: ReturnedRow,
  { planned, intents }: Known,
  profile: ServicePlace,
): Objection | null {
  const foreign = planned.find(({ plan }) => !isSameSender(profile, plan))
  if (foreign) {
    const { plan, intent } = foreign
    const words = `row ${number} came out of ${plan.planId}, a plan of ${clientInWords(plan)}: plan it as the profile that it was planned for`
    return objectionBy(intent, words)
  }
  const sent = intents.find((intent) => !isSameService(intent, scopeOf(profile)))
  if (!sent) return null
  return objectionBy(sent, `row ${number} was sent by ${clientInWords(sent)}: ${sent.journalId} (${sent.state})`)
}

/** The row's own payment, unless it was certainly refused: under another id it would be paid once more. */
function objectToOpenRow({ number, key, mark }: ReturnedRow, { planned, intents }: Known): Objection | null {
  const at = `row ${number} has the key ${key} now`
  const open = planned.find(
    ({ plan, ...row }) => plan.discardedAt === null && (row.state !== 'refused' || isConflict(row)),
  )
  if (open) {
    const { plan, state, intent } = open
    const before = open.planned.business_key === null ? '' : `had ${open.planned.business_key} before, `
    return objectionBy(intent, `${at}, ${before}and is ${state} in ${plan.planId}`)
  }
  const sent = intents.find(({ state, isTaken }) => isTaken || (state !== 'refused' && state !== 'unsent'))
  if (sent) return objectionBy(sent, `${at}, and was sent under another one: ${sent.journalId} (${sent.state})`)
  // Only a refusal is certainly final: a plan on another machine may go on with the others.
  const isEnded = planned.length + intents.length > 0 || mark.state === 'refused' || mark.state === ''
  if (isEnded) return null
  const words = `${at}, which is not the one of its paydesk:uniqueId, and no plan here knows that`
  return { words, moneyMoved: 'unknown' }
}
