/**
 * Rows of papers that are planned again. Their own columns say which payment each was: what was refused or not sent keeps its
 * id, and what was sent, or may have been, is not planned anew.
 */
import { createPayout } from '../../contract/payout/payout.ts'
import type { Desk } from '../../desk/desk.ts'
import { idsForKeys } from '../../desk/draft.ts'
import { Failure, type MoneyMoved } from '../../failure.ts'
import { type Hint, hint } from '../../hint.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import type { Plans } from '../plans/plans.ts'
import { type BatchFile, type BatchRow, givenIdOf } from '../read/row.ts'
import { SeenKeys } from '../read/rows/keys.ts'
import { resumeLine } from '../resume-line.ts'
import { Belongings, type Objection } from './belongings.ts'

/** The states in which a row of a paper may be planned again; '' of a row that was added, or whose state was taken out. */
const payable: ReadonlySet<string> = new Set(['', 'refused', 'unsent', 'turned-away', 'planned', 'held'])

/** Rows that are asked about together. */
const piece = 500

/** Objections that are told one by one. */
const mostTold = 5

export class GivenBack {
  readonly #desk: Pick<Desk, 'journal' | 'profile'>
  readonly #plans: Pick<Plans, 'withRow'>
  readonly #belongings: Belongings
  readonly #seen = new SeenKeys()
  readonly #objections: string[] = []
  #more = 0
  readonly #moved = new Set<MoneyMoved>()
  #pending: BatchRow[] = []
  /** False once a row is objected to for something else than that it was accepted. */
  #areAllAccepted = true
  /** The id of the first row that is objected to. */
  #first: string | null = null

  constructor(
    desk: Pick<Desk, 'journal' | 'profile'>,
    holding: ThisProcess,
    plans: Pick<Plans, 'withRow' | 'withRows'>,
  ) {
    this.#desk = desk
    this.#plans = plans
    this.#belongings = new Belongings(desk, holding, plans)
  }

  /** The same rows, looked at as they pass by. */
  async *passing(rows: BatchFile['rows']): BatchFile['rows'] {
    for await (const each of rows) {
      if (each.kind === 'row' && each.paper) await this.#look(each)
      yield each
    }
    await this.#askAround()
  }

  /** Throws usage (2) for rows that were sent, may have been or still may be, and for rows of another client's plan. */
  async mustBePayable(file: string): Promise<void> {
    if (this.#objections.length > 0) throw await this.#objection(file)
  }

  async #look(row: BatchRow): Promise<void> {
    const { state = '', uniqueId = null } = row.paper ?? {}
    const [given, at] = [givenIdOf(row), `row ${row.number}`]
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
    // A key that was changed gives another id, and another payment: the row's own must not be paid, nor about to be.
    const isChanged = ({ key, paper }: BatchRow) => key !== null && ids.get(key) !== paper?.uniqueId
    for (const each of await this.#belongings.objections(rows, isChanged)) this.#object(each)
  }

  #object({ words, uniqueId, moneyMoved }: Objection, isAccepted = false): void {
    this.#areAllAccepted &&= isAccepted
    if (this.#objections.length < mostTold) this.#objections.push(words)
    else this.#more += 1
    this.#moved.add(moneyMoved)
    this.#first ??= uniqueId
  }

  async #objection(file: string): Promise<Failure> {
    const more = this.#more > 0 ? [`and ${this.#more} more`] : []
    const plan = this.#first === null ? null : await this.#plans.withRow(this.#first)
    const resumes: Hint = this.#areAllAccepted
      ? hint`What was accepted needs nothing more.`
      : plan === null
        ? hint`\`batch resume\` of their plan, on the machine that has it, resolves and sends them under their own ids.`
        : hint`\`${resumeLine(plan)}\` resolves and sends them under their own ids.`
    const message = `${file} came out of a plan, and these rows are not to be planned again: ${[...this.#objections, ...more].join('; ')}`
    const [moneyMoved = 'no', ...others] = this.#moved
    return new Failure('usage', message, {
      moneyMoved: others.length === 0 ? moneyMoved : 'unknown',
      hints: [resumes, hint`Take them out of the file; a payment that is new stands in a file of its own.`],
    })
  }
}
