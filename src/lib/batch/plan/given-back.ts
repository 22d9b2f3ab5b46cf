/**
 * Rows of papers that are planned again. Their own columns say which payment each was: what was refused or not sent keeps its
 * id, and what was sent, or may have been, is not planned anew.
 */
import { createPayout } from '../../contract/payout/payout.ts'
import { originOf } from '../../contract/service.ts'
import type { Desk } from '../../desk/desk.ts'
import { scopeOf } from '../../desk/draft.ts'
import { idsForKeys } from '../../desk/key-id.ts'
import { Failure } from '../../failure.ts'
import { type Hint, hint, paste } from '../../hint.ts'
import { moneyMovedBy } from '../../journal/intent.ts'
import { unmoved } from '../../journal/verdict.ts'
import type { Plans } from '../plans/plans.ts'
import { type BatchFile, type BatchRow, givenIdOf } from '../read/row.ts'
import { SeenKeys } from '../read/rows/keys.ts'
import { speaksFor } from './plan.ts'

/** The states in which a row of a paper may be planned again; '' of a row that was added, or whose state was taken out. */
const payable: ReadonlySet<string> = new Set(['', 'refused', 'unsent', 'turned-away', 'planned', 'held'])

/** Rows that are asked about together. */
const piece = 500

/** Objections that are told one by one. */
const mostTold = 5

export class GivenBack {
  readonly #desk: Pick<Desk, 'journal' | 'profile'>
  readonly #plans: Pick<Plans, 'withRow'>
  readonly #seen = new SeenKeys()
  readonly #objections: string[] = []
  #more = 0
  #isAccepted = true
  #pending: BatchRow[] = []
  /** The id of the first row that is objected to, and of the first that keeps its own. */
  #first: string | null = null
  #kept: string | null = null

  constructor(desk: Pick<Desk, 'journal' | 'profile'>, plans: Pick<Plans, 'withRow'>) {
    this.#desk = desk
    this.#plans = plans
  }

  /** The same rows, looked at as they pass by. */
  async *passing(rows: BatchFile['rows']): BatchFile['rows'] {
    for await (const each of rows) {
      if (each.kind === 'row' && each.paper) await this.#look(each)
      yield each
    }
    await this.#askJournal()
  }

  /** Throws usage (2) for rows that were sent, or may have been, and for rows of another client's plan. */
  async mustBePayable(file: string): Promise<void> {
    if (this.#objections.length > 0) throw await this.#objection(file)
    const plan = this.#kept === null ? null : await this.#plans.withRow(this.#kept)
    if (!plan || speaksFor(this.#desk.profile, plan)) return
    const { planId, clientId, service } = plan
    throw new Failure(
      'usage',
      `${file} came out of ${planId}, a plan of the client ${clientId} of ${originOf(service)}`,
      {
        hints: [hint`Its rows have the ids of that client: plan it as the profile that it was planned for.`],
      },
    )
  }

  async #look(row: BatchRow): Promise<void> {
    const { state = '', uniqueId = null } = row.paper ?? {}
    const [given, at] = [givenIdOf(row), `row ${row.number}`]
    if (!payable.has(state)) this.#object(`${at} is ${state}`, uniqueId, state === 'accepted')
    else if (row.key === null && uniqueId === null) this.#object(`${at} has no key and no paydesk:uniqueId`, null)
    else if (given !== null) {
      const before = this.#seen.rowBefore(given, row.number)
      if (before !== null) this.#object(`${at} has the paydesk:uniqueId of row ${before} once more`, null)
      this.#kept ??= given
    } else if (uniqueId !== null) this.#pending.push(row)
    if (this.#pending.length === piece) await this.#askJournal()
  }

  /** A key that was changed gives another id, and another payment: the row's own must not have been sent. */
  async #askJournal(): Promise<void> {
    const rows = this.#pending
    this.#pending = []
    if (rows.length === 0) return
    const { journal, profile } = this.#desk
    const keys = rows.flatMap(({ key }) => (key === null ? [] : [key]))
    const ids = await idsForKeys(this.#desk, createPayout, keys)
    const others = rows.filter(({ key, paper }) => key !== null && ids.get(key) !== paper?.uniqueId)
    if (others.length === 0) return
    const uniqueIds = others.map(({ paper }) => paper?.uniqueId ?? '')
    const found = await journal.list({ scope: scopeOf(profile), uniqueIds, operations: [createPayout] })
    const byId = new Map(found.map((intent) => [intent.uniqueId, intent]))
    for (const { number, paper } of others) {
      const own = byId.get(paper?.uniqueId ?? '')
      if (!own || (unmoved.has(own.state) && !own.isTaken)) continue
      const isAccepted = moneyMovedBy(own) === 'yes'
      this.#object(
        `row ${number} has another key now, and was sent: ${own.journalId} (${own.state})`,
        own.uniqueId,
        isAccepted,
      )
    }
  }

  #object(words: string, uniqueId: string | null, isAccepted = false): void {
    if (this.#objections.length < mostTold) this.#objections.push(words)
    else this.#more += 1
    this.#isAccepted &&= isAccepted
    this.#first ??= uniqueId
  }

  async #objection(file: string): Promise<Failure> {
    const more = this.#more > 0 ? [`and ${this.#more} more`] : []
    const plan = this.#first === null ? null : await this.#plans.withRow(this.#first)
    const resumes: Hint =
      plan === null
        ? hint`\`batch resume\` of their plan, on the machine that has it, resolves and sends them under their own ids.`
        : hint`\`${paste('batch resume', plan.planId)}\` resolves and sends them under their own ids.`
    const message = `${file} came out of a plan, and these rows are not to be planned again: ${[...this.#objections, ...more].join('; ')}`
    return new Failure('usage', message, {
      ...(this.#first === null ? {} : { moneyMoved: this.#isAccepted ? 'yes' : 'unknown' }),
      hints: [resumes, hint`Take them out of the file; a payment that is new stands in a file of its own.`],
    })
  }
}
