/** The payees that a profile knows: names with their accounts, looked at once and listed since. */
import type { Clock, Random } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { sameName } from '../../person-name.ts'
import type { ResultOf } from '../../result.ts'
import type { Store } from '../../store/engine/store.ts'
import * as rows from '../../store/journal/payees.ts'
import type { JournalTables, PayeeRow } from '../../store/journal/schema.ts'
import type { payeeResult } from './result.ts'

export type Payee = ResultOf<typeof payeeResult>

/** A beneficiary as a payout names it. `account`: as the payee of an intent. */
export interface NamedAccount {
  readonly name: string
  readonly account: string
}

function payeeOf({ id, profile, name, account, added_at }: PayeeRow): Payee {
  return { payeeId: id, profile, name, account, addedAt: added_at }
}

export class Payees {
  readonly #store: Store<JournalTables>
  readonly #clock: Clock
  readonly #random: Random

  constructor(store: Store<JournalTables>, clock: Clock, random: Random) {
    this.#store = store
    this.#clock = clock
    this.#random = random
  }

  /** By name. */
  list(profile: string): Promise<Payee[]> {
    return this.#store.ask(async (db) => (await rows.payeesOf(db, profile)).map(payeeOf))
  }

  /**
   * Lists one. One that is listed as this already stays as it is (`isNew: false`). Throws duplicate (7) for an account that is
   * listed under another name.
   */
  add(profile: string, { name, account }: NamedAccount): Promise<{ readonly payee: Payee; readonly isNew: boolean }> {
    return this.#store.write(async (db) => {
      const known = (await rows.payeesOf(db, profile)).map(payeeOf).find((each) => each.account === account)
      if (known && !sameName(known.name, name)) throw otherName(known, name)
      if (known) return { payee: known, isNew: false }
      const drawn = this.#random.uuid().replaceAll('-', '')
      const row = {
        ...{ id: `p-${drawn.slice(0, 12)}`, salt: drawn.slice(12), profile, name, account },
        added_at: new Date(this.#clock.now()).toISOString(),
      }
      return { payee: payeeOf(await rows.addPayee(db, row)), isNew: true }
    })
  }

  /** Takes one off the list, by its id, its account or a name that only one has. Throws not-found (6), usage (2). */
  remove(profile: string, typed: string): Promise<Payee> {
    return this.#store.write(async (db) => {
      const payees = (await rows.payeesOf(db, profile)).map(payeeOf)
      const payee = meantBy(payees, typed, profile)
      await rows.removePayee(db, { id: payee.payeeId })
      return payee
    })
  }
}

function meantBy(payees: readonly Payee[], typed: string, profile: string): Payee {
  const text = typed.trim()
  const account = text.replaceAll(' ', '').toUpperCase()
  const byId = payees.filter(
    ({ payeeId, account: own }) => payeeId === text.toLowerCase() || [text, account].includes(own),
  )
  const found = byId.length > 0 ? byId : payees.filter(({ name }) => sameName(name, text))
  const [payee, ...others] = found
  if (payee && others.length === 0) return payee
  if (payee) {
    throw new Failure('usage', `${found.length} payees of ${profile} have the name ${text}`, {
      hints: [hint`Name it by its id: ${found.map(({ payeeId }) => payeeId).join(', ')}.`],
    })
  }
  throw new Failure('not-found', `${profile} knows no payee ${text}`, {
    hints: [hint`\`${paste('payee list')}\` shows those that it knows.`],
  })
}

function otherName({ payeeId, name, account }: Payee, asked: string): Failure {
  return new Failure('duplicate', `${account} is listed as ${name} already, and not as ${asked}`, {
    moneyMoved: 'no',
    hints: [hint`If the account has changed hands: \`${paste('payee remove', payeeId)}\`, then add it anew.`],
  })
}
