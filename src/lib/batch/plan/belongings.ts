/**
 * The payments that rows of papers were: what the plans and the journal know of the ids that the papers name, whichever client
 * had them.
 */
import { createPayout } from '../../contract/payout/payout.ts'
import { isSameService, originOf, type ServicePlace } from '../../contract/service.ts'
import type { Desk } from '../../desk/desk.ts'
import { scopeOf } from '../../desk/draft.ts'
import type { MoneyMoved } from '../../failure.ts'
import { type Intent, moneyMovedBy } from '../../journal/intent.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import type { PlanRowRow } from '../../store/plans.ts'
import type { Plans } from '../plans/plans.ts'
import type { BatchRow } from '../read/row.ts'
import { ownerOf } from '../rows/owner.ts'
import { isConflict, type PlannedRow, withIntents } from '../rows/state.ts'
import { type Plan, speaksFor } from './plan.ts'

/** A row that is not to be planned again, in words. */
export interface Objection {
  readonly words: string
  /** The id that its paper names. */
  readonly uniqueId: string | null
  readonly moneyMoved: MoneyMoved
}

/** A row as one of the plans has it. */
interface Owned extends PlannedRow {
  readonly plan: Plan
}

/** All that is known of an id. */
interface Facts {
  readonly owned: readonly Owned[]
  readonly intents: readonly Intent[]
}

export class Belongings {
  readonly #desk: Pick<Desk, 'journal' | 'profile'>
  readonly #holding: ThisProcess
  readonly #plans: Pick<Plans, 'withRows'>

  constructor(desk: Pick<Desk, 'journal' | 'profile'>, holding: ThisProcess, plans: Pick<Plans, 'withRows'>) {
    this.#desk = desk
    this.#holding = holding
    this.#plans = plans
  }

  /** Of some hundred rows that name their ids. `isChanged`: true for a row that would be paid under another id now. */
  async objections(rows: readonly BatchRow[], isChanged: (row: BatchRow) => boolean): Promise<readonly Objection[]> {
    const factsOf = await this.#known(rows.map(({ paper }) => paper?.uniqueId ?? ''))
    return rows.flatMap((row) => {
      const facts = factsOf(row.paper?.uniqueId ?? '')
      return this.#ofAnother(row, facts) ?? (isChanged(row) ? stillOpen(row, facts) : null) ?? []
    })
  }

  /** The row of another client: paid by this one, it would be paid by both. */
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

  async #owned(uniqueIds: readonly string[]): Promise<readonly Owned[]> {
    const owned: Owned[] = []
    for (const { plan, rows } of await this.#plans.withRows(uniqueIds)) {
      if (!this.#isGone(plan)) owned.push(...(await this.#standing(plan, rows)))
    }
    return owned
  }

  async #standing(plan: Plan, rows: readonly PlanRowRow[]): Promise<readonly Owned[]> {
    const standing = await withIntents(ownerOf(plan, this.#desk.journal), this.#holding, rows)
    return standing.map((row) => ({ ...row, plan }))
  }

  /** A world of the sandbox that was ended, and its payments with it. */
  #isGone(place: ServicePlace): boolean {
    return place.environment === 'sandbox' && !isSameService(scopeOf(place), scopeOf(this.#desk.profile))
  }
}

function clientInWords({ clientId, service }: ServicePlace): string {
  return `the client ${clientId} of ${originOf(service)}`
}

/** The row's own payment, while it was not refused for certain: under another id it would be paid once more. */
function stillOpen(row: BatchRow, { owned, intents }: Facts): Objection | null {
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
  // Only a refusal is an end for certain; whether a plan on another machine goes on with the others is not known here.
  const isEnded = owned.length + intents.length > 0 || row.paper?.state === 'refused' || row.paper?.state === ''
  if (isEnded) return null
  const words = `${at}, which is not the one of its paydesk:uniqueId, and no plan here knows that`
  return { words, uniqueId, moneyMoved: 'unknown' }
}
