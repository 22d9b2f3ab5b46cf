/**
 * Rows of result files that are planned again. Their paydesk columns name the payment of each row: a row that was refused or not
 * sent keeps its id; a row that was sent, or may have been, is not planned again.
 */

import { createPayout } from '../contract/payout/payout.ts'
import { isSameService, originOf, type ServicePlace } from '../contract/service.ts'
import type { Desk } from '../desk/desk.ts'
import { idsForKeys, scopeOf } from '../desk/draft.ts'
import { Failure, type MoneyMoved } from '../failure.ts'
import { type Hint, hint } from '../hint.ts'
import { type Intent, moneyMovedBy } from '../journal/intent.ts'
import type { ThisProcess } from '../journal/lease.ts'
import type { PlanRowRow } from '../store/plans.ts'
import { type Plan, resumeLine, speaksFor } from './plan.ts'
import type { Plans } from './plans.ts'
import { FirstFew } from './read/first-few.ts'
import { type BatchFile, type BatchRow, keptIdOf } from './read/row.ts'
import { SeenKeys } from './read/row-builder.ts'
import { isConflict, type PlannedRow } from './row-state.ts'
import { loadRows, ownerOf } from './rows.ts'

/** The states in which a row of a result file may be planned again; '' for a row that was added, or whose state was removed. */
const payable: ReadonlySet<string> = new Set(['', 'refused', 'unsent', 'turned-away', 'planned', 'held'])

/** Rows of one query. */
const piece = 500

/** Objections that are told one by one. */
const mostTold = 5

export class ReturnedRows {
  readonly #desk: Pick<Desk, 'journal' | 'profile'>
  readonly #plans: Pick<Plans, 'withRows'>
  readonly #holding: ThisProcess
  readonly #seen = new SeenKeys()
  readonly #objections = new FirstFew<string>(mostTold)
  readonly #moved = new Set<MoneyMoved>()
  #pending: BatchRow[] = []
  /** True while all objections are to rows that were accepted. */
  #areAllAccepted = true
  /** The id of the first row with an objection. */
  #first: string | null = null

  constructor(desk: Pick<Desk, 'journal' | 'profile'>, holding: ThisProcess, plans: Pick<Plans, 'withRows'>) {
    this.#desk = desk
    this.#plans = plans
    this.#holding = holding
  }

  /** Gives the same rows, and examines them. */
  async *passing(rows: BatchFile['rows']): BatchFile['rows'] {
    for await (const each of rows) {
      if (each.kind === 'row' && each.paper) await this.#look(each)
      yield each
    }
    await this.#askAround()
  }

  /** Throws usage (2) for rows that were sent, may have been or may still be sent, and for rows of another client's plan. */
  async mustBePayable(file: string): Promise<void> {
    if (this.#objections.count > 0) throw await this.#objection(file)
  }

  async #look(row: BatchRow): Promise<void> {
    const { state = '', uniqueId = null } = row.paper ?? {}
    const [given, at] = [keptIdOf(row), `row ${row.number}`]
    const object = (words: string, moneyMoved: MoneyMoved) => this.#object({ words, uniqueId, moneyMoved })
    if (state === 'accepted') this.#object({ words: `${at} is accepted`, uniqueId, moneyMoved: 'yes' }, true)
    else if (!payable.has(state)) object(`${at} is ${state}`, 'unknown')
    else if (uniqueId === null && row.key === null) object(`${at} has no key and no paydesk:uniqueId`, 'no')
    else if (uniqueId === null && state !== '') object(`${at} is ${state}, and has no paydesk:uniqueId`, 'unknown')
    else if (uniqueId !== null) {
      const before = given === null ? null : this.#seen.rowBefore(given, row.number)
      if (before === null) this.#pending.push(row)
      else object(`${at} has the paydesk:uniqueId of row ${before} once more`, 'unknown')
    }
    if (this.#pending.length === piece) await this.#askAround()
  }

  async #askAround(): Promise<void> {
    const rows = this.#pending
    this.#pending = []
    if (rows.length === 0) return
    const keys = rows.flatMap(({ key }) => (key === null ? [] : [key]))
    const ids = keys.length === 0 ? new Map() : await idsForKeys(this.#desk, createPayout, keys)
    // A changed key gives another id, and another payment: then the row's own payment must not have been paid, or be about to be.
    const isChanged = ({ key, paper }: BatchRow) => key !== null && ids.get(key) !== paper?.uniqueId
    for (const each of await this.#toOthers(rows, isChanged)) this.#object(each)
  }

  #object({ words, uniqueId, moneyMoved }: Objection, isAccepted = false): void {
    this.#areAllAccepted &&= isAccepted
    this.#objections.add(() => words)
    this.#moved.add(moneyMoved)
    this.#first ??= uniqueId
  }

  async #objection(file: string): Promise<Failure> {
    const [found] = this.#first === null ? [] : await this.#plans.withRows([this.#first])
    const plan = found?.plan ?? null
    const resumes: Hint = this.#areAllAccepted
      ? hint`Accepted rows need nothing more.`
      : plan === null
        ? hint`\`batch resume\`, on the machine that has their plan, resolves and sends them under their own ids.`
        : hint`\`${resumeLine(plan)}\` resolves and sends them under their own ids.`
    const message = `${file} was written from a plan, and these rows must not be planned again: ${this.#objections.inWords()}`
    const [moneyMoved = 'no', ...others] = this.#moved
    return new Failure('usage', message, {
      moneyMoved: others.length === 0 ? moneyMoved : 'unknown',
      hints: [resumes, hint`Remove them from the file, and put new payments into another file.`],
    })
  }

  /** `rows` name their ids. `isChanged`: true for a row that would be paid under another id now. */
  async #toOthers(rows: readonly BatchRow[], isChanged: (row: BatchRow) => boolean): Promise<readonly Objection[]> {
    const factsOf = await this.#known(rows.map(({ paper }) => paper?.uniqueId ?? ''))
    return rows.flatMap((row) => {
      const facts = factsOf(row.paper?.uniqueId ?? '')
      return this.#ofAnother(row, facts) ?? (isChanged(row) ? objectToOpenRow(row, facts) : null) ?? []
    })
  }

  /** A row of another client would be paid by both clients. */
  #ofAnother({ number, paper }: BatchRow, { owned, intents }: Facts): Objection | null {
    const uniqueId = paper?.uniqueId ?? null
    const foreign = owned.find(({ plan }) => !speaksFor(this.#desk.profile, plan))
    if (foreign) {
      const { plan, intent } = foreign
      const words = `row ${number} came out of ${plan.planId}, a plan of ${clientInWords(plan)}: plan it as the profile that it was planned for`
      return { words, uniqueId, moneyMoved: intent === null ? 'no' : moneyMovedBy(intent) }
    }
    const sent = intents.find((intent) => !isSameService(intent, scopeOf(this.#desk.profile)))
    if (!sent) return null
    const words = `row ${number} was sent by ${clientInWords(sent)}: ${sent.journalId} (${sent.state})`
    return { words, uniqueId, moneyMoved: moneyMovedBy(sent) }
  }

  async #known(uniqueIds: readonly string[]): Promise<(uniqueId: string) => Facts> {
    const found = await this.#desk.journal.list({ uniqueIds, operations: [createPayout] })
    const intents = found.filter((each) => !this.#isGone(each))
    const owned = await this.#owned(uniqueIds)
    return (uniqueId) => ({
      owned: owned.filter(({ planned }) => planned.unique_id === uniqueId),
      intents: intents.filter((intent) => intent.uniqueId === uniqueId),
    })
  }

  async #owned(uniqueIds: readonly string[]): Promise<readonly PlannedBefore[]> {
    const owned: PlannedBefore[] = []
    for (const { plan, rows } of await this.#plans.withRows(uniqueIds)) {
      if (!this.#isGone(plan)) owned.push(...(await this.#standing(plan, rows)))
    }
    return owned
  }

  async #standing(plan: Plan, rows: readonly PlanRowRow[]): Promise<readonly PlannedBefore[]> {
    const standing = await loadRows(ownerOf(plan, this.#desk.journal), this.#holding, rows)
    return standing.map((row) => ({ ...row, plan }))
  }

  /** True for a world of the sandbox that has ended, together with its payments. */
  #isGone(place: ServicePlace): boolean {
    return place.environment === 'sandbox' && !isSameService(scopeOf(place), scopeOf(this.#desk.profile))
  }
}

/** Why a row is not planned again. */
interface Objection {
  readonly words: string
  /** The id that the result file names. */
  readonly uniqueId: string | null
  readonly moneyMoved: MoneyMoved
}

/** A row as an earlier plan has it. */
interface PlannedBefore extends PlannedRow {
  readonly plan: Plan
}

/** What the plans and the journal know of an id. */
interface Facts {
  readonly owned: readonly PlannedBefore[]
  readonly intents: readonly Intent[]
}

function clientInWords({ clientId, service }: ServicePlace): string {
  return `the client ${clientId} of ${originOf(service)}`
}

/** The row's own payment, unless it was certainly refused: under another id it would be paid once more. */
function objectToOpenRow(row: BatchRow, { owned, intents }: Facts): Objection | null {
  const uniqueId = row.paper?.uniqueId ?? null
  const at = `row ${row.number} has the key ${row.key} now`
  const inPlan = owned.find((each) => each.plan.discardedAt === null && (each.state !== 'refused' || isConflict(each)))
  if (inPlan) {
    const { plan, planned, state, intent } = inPlan
    const before = planned.business_key === null ? '' : `had ${planned.business_key} before, `
    const words = `${at}, ${before}and is ${state} in ${plan.planId}`
    return { words, uniqueId, moneyMoved: intent === null ? 'no' : moneyMovedBy(intent) }
  }
  const sent = intents.find(({ state, isTaken }) => isTaken || (state !== 'refused' && state !== 'unsent'))
  if (sent) {
    const words = `${at}, and was sent under another one: ${sent.journalId} (${sent.state})`
    return { words, uniqueId, moneyMoved: moneyMovedBy(sent) }
  }
  // Only a refusal is certainly final: a plan on another machine may go on with the others.
  const isEnded = owned.length + intents.length > 0 || row.paper?.state === 'refused' || row.paper?.state === ''
  if (isEnded) return null
  const words = `${at}, which is not the one of its paydesk:uniqueId, and no plan here knows that`
  return { words, uniqueId, moneyMoved: 'unknown' }
}
