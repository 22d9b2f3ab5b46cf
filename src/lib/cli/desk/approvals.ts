/** The approvals of a command, and what a typed name asks one for: a payment of the journal, or a plan. */

import type { Approvals, AskedApproval } from '../../approvals/approvals.ts'
import type { PersonKey } from '../../approvals/persons/person-key.ts'
import type { Plans } from '../../batch/plans.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { findByName } from '../../journal/find.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import type { Invocation } from '../invocation.ts'
import { JournalAccess } from './journal.ts'
import { isNewJournal, journalPlace } from './journal-place.ts'

export class ApprovalAccess {
  readonly #invocation: Invocation
  readonly #journal: JournalAccess

  #plans: Promise<Plans> | undefined

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.#journal = new JournalAccess(invocation)
    invocation.attach(this)
  }

  async open(): Promise<Approvals> {
    return (await (await this.#journal.open()).fourEyes()).approvals
  }

  /** As it stands, held against what is left of its plan. Throws not-found (6). */
  async show(id: string): Promise<AskedApproval> {
    const approvals = await this.open()
    const shown = await approvals.show(id)
    const { subject, subject_id: planId } = shown.approval.row
    return subject === 'plan' ? approvals.show(id, await this.#leftOf(planId)) : shown
  }

  /** Null where the plan does not lie here. */
  async #leftOf(planId: string): Promise<ReadonlyMap<string, bigint> | null> {
    const { openPlan } = await import('../../batch/plans.ts')
    const { sumNewRows } = await import('../../batch/limits.ts')
    const { ownerOf } = await import('../../batch/rows.ts')
    try {
      const { store, plan } = await openPlan(await this.#placeOfPlans(), planId)
      this.#invocation.closeAtEnd(() => store.close())
      const { sums } = await sumNewRows(ownerOf(plan, await this.#journal.open()), await this.#holding(), store)
      return sums
    } catch (error) {
      if (error instanceof Failure && error.kind === 'not-found') return null
      throw error
    }
  }

  /** Asks for an approval of what is named, which stands for `validFor` milliseconds; gives its id. Throws not-found (6), usage (2). */
  async request(typed: string, validFor: number, key: PersonKey): Promise<string> {
    const approvals = await this.open()
    const { isPlanId } = await import('../../batch/plans.ts')
    if (isPlanId(typed.trim().toLowerCase())) {
      return approvals.requestPlan(await this.#plan(typed), validFor, key)
    }
    const { intents } = await findByName(await this.#journal.open(), typed)
    const intent = intents.find(({ state }) => state === 'held') ?? intents[0]
    if (intent) return approvals.requestPayment(intent.journalId, validFor, key)
    throw new Failure('not-found', `the journal knows nothing by the name ${typed}`, {
      hints: [hint`What waits for an approval: \`${paste('journal list', '--state', 'held')}\`.`],
    })
  }

  /** A plan is asked for as it lies there now, to its last row. */
  async #plan(planId: string) {
    const { openPlan } = await import('../../batch/plans.ts')
    const { approvablePlan } = await import('../../batch/plan.ts')
    const { verifyPlan } = await import('../../batch/agreed-rows.ts')
    const { store, plan } = await openPlan(await this.#placeOfPlans(), planId)
    this.#invocation.closeAtEnd(() => store.close())
    if (plan.discardedAt !== null)
      throw new Failure('locked', `the plan ${plan.planId} was discarded`, { moneyMoved: 'no' })
    await verifyPlan(await this.#journal.open(), store, plan)
    return approvablePlan(plan)
  }
  /** A word about a plan denies nothing that its runs have sent. */
  readonly placed = async (failure: Failure): Promise<Failure> => {
    const { withMoneyOfPlans } = await import('../batch/at-stake.ts')
    return withMoneyOfPlans(failure, this.#invocation, () => ({
      plans: () => this.#placeOfPlans(),
      journal: async () => ({ journal: await this.#journal.open(), holding: await this.#holding() }),
      planOf: (word) => this.#planOf(word),
    }))
  }

  async #planOf(word: string): Promise<string | null> {
    if (!/^a-/i.test(word.trim()) || isNewJournal(this.#invocation.places)) return null
    try {
      const { approval } = await (await this.open()).show(word)
      return approval.row.subject === 'plan' ? approval.row.subject_id : null
    } catch (error) {
      if (error instanceof Failure && error.kind === 'not-found') return null
      throw error
    }
  }

  async #holding(): Promise<ThisProcess> {
    const { thisProcess } = await import('../../journal/lease.ts')
    return thisProcess(journalPlace(this.#invocation).team === null ? 'this-machine' : 'any-machine')
  }

  #placeOfPlans(): Promise<Plans> {
    this.#plans ??= this.#openPlans()
    return this.#plans
  }

  async #openPlans(): Promise<Plans> {
    const { openPlans } = await import('../../batch/local-plans.ts')
    const { places, edge } = this.#invocation
    const plans = await openPlans(places.batches, journalPlace(this.#invocation), edge.clock)
    this.#invocation.closeAtEnd(() => plans.close())
    return plans
  }
}
