/** Persons and rules of a store, and what is asked of them: loaded where one of them is needed. */
import type { ServicePlace } from '../contract/service.ts'
import type { Clock, Random } from '../edge.ts'
import type { Failure } from '../failure.ts'
import { tbilisiDay } from '../spending.ts'
import type { Store } from '../store/engine/store.ts'
import { type DaySum, daySumsSince } from '../store/journal/approvals.ts'
import type { IntentRow, JournalTables } from '../store/journal/schema.ts'
import { Approvals } from './approvals.ts'
import { decideOnPlan } from './decide.ts'
import { Team } from './persons/team.ts'
import type { AtMachine, Ruling } from './ruling.ts'
import type { ApprovablePlan } from './subject.ts'

export class FourEyes {
  readonly team: Team
  readonly approvals: Approvals
  readonly #store: Store<JournalTables>
  readonly #holding: AtMachine

  constructor(
    store: Store<JournalTables>,
    clock: Clock,
    random: Random,
    holding: AtMachine,
    notHeld: (row: IntentRow) => Failure,
  ) {
    this.#store = store
    this.#holding = holding
    this.team = new Team(store, clock, random)
    this.approvals = new Approvals(store, clock, random, notHeld)
  }

  /** The sums that count today where a sender sends. */
  daySums({ environment }: Pick<ServicePlace, 'environment'>): Promise<readonly DaySum[]> {
    return this.#store.read((db) => daySumsSince(db, environment, tbilisiDay(this.team.now)))
  }

  /**
   * The word of the rules about the new rows of a plan, whole: their sums in minor units by currency. `day`: the sums of the day
   * from before those rows were read; now, if not given.
   */
  planRuling(
    plan: ApprovablePlan,
    sender: ServicePlace,
    sums: ReadonlyMap<string, bigint>,
    day?: readonly DaySum[],
  ): Promise<Ruling> {
    const deciding = { now: this.team.now, holding: this.#holding }
    return this.#store.read((db) => decideOnPlan(db, plan, { sender, sums, ...(day ? { day } : {}) }, deciding))
  }
}
