/** The payees that a profile knows: names with their accounts. */
import { isDeepStrictEqual } from 'node:util'
import { accountInWords } from '../contract/core/iban.ts'
import { type NamedAccount, payeeDetails } from '../contract/payout/payee.ts'
import type { Clock, Random } from '../edge.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import type { ResultOf } from '../result.ts'
import type { Store } from '../store/engine/store.ts'
import * as rows from '../store/journal/payees.ts'
import type { JournalReader, JournalTables, PayeeRow } from '../store/journal/schema.ts'
import { plainName, sameName } from '../text.ts'
import type { payeeResult } from './result.ts'

export type Payee = ResultOf<typeof payeeResult>

/** `completed`: it was listed without some of its details. */
export type Listing =
  | { readonly payee: Payee; readonly change: 'new' | 'completed' | 'none' }
  | { readonly problem: Failure }

function payeeOf(row: PayeeRow): Payee {
  return {
    ...{ payeeId: row.id, profile: row.profile, name: row.name, account: row.account },
    beneficiaryIdentityNumber: row.identity_number,
    beneficiaryAddress: row.address,
    ...{ birthDate: row.birth_date, currency: row.currency, addedAt: row.added_at },
  }
}

function columnsOf({ name, account, ...details }: NamedAccount) {
  return {
    ...{ name, account, identity_number: details.beneficiaryIdentityNumber ?? null },
    ...{ address: details.beneficiaryAddress ?? null, birth_date: details.birthDate ?? null },
    currency: details.currency ?? null,
  }
}

async function payeesIn(db: JournalReader, profile: string): Promise<Payee[]> {
  return (await rows.payeesOf(db, profile)).map(payeeOf)
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

  list(profile: string): Promise<Payee[]> {
    return this.#store.ask((db) => payeesIn(db, profile))
  }

  /** Throws not-found (6), and usage (2) where several are meant. */
  async find(profile: string, typed: string): Promise<Payee> {
    return nearestWord(await this.list(profile), typed, profile)
  }

  /**
   * Lists one, or adds the details that it lacks. Throws duplicate (7) for an account that is listed under another
   * name, or with other details.
   */
  async add(profile: string, given: NamedAccount): Promise<Exclude<Listing, { problem: Failure }>> {
    const [listing] = await this.addAll(profile, [given])
    if (!listing || 'problem' in listing) throw listing?.problem ?? new Failure('bug', 'the payee was not listed')
    return listing
  }

  /** All of them, or none where one has a problem or `isDry`. */
  addAll(profile: string, given: readonly NamedAccount[], isDry = false): Promise<readonly Listing[]> {
    return this.#store.write(async (db) => {
      const known = new Map((await rows.payeesOf(db, profile)).map((row) => [row.account, row]))
      const changed = new Map<string, 'new' | 'completed'>()
      const listings = given.map((each): Listing => {
        const row = known.get(each.account) ?? this.#newRow(profile, each)
        const before = payeeOf(row)
        const problem = otherThan(before, each)
        if (problem) return { problem }
        const added = payeeDetails.filter((name) => each[name] && before[name] === null)
        const change = known.has(each.account) ? (added.length > 0 ? 'completed' : 'none') : 'new'
        const details = Object.fromEntries(added.map((name) => [name, each[name]]))
        const next = { ...row, ...columnsOf({ ...before, ...details }) }
        known.set(each.account, next)
        if (change !== 'none') changed.set(each.account, changed.get(each.account) ?? change)
        return { payee: payeeOf(next), change }
      })
      if (isDry || listings.some((each) => 'problem' in each)) return listings
      for (const [account, change] of changed) {
        const row = known.get(account)
        if (row) await (change === 'new' ? rows.addPayee : rows.changePayee)(db, row)
      }
      return listings
    })
  }

  #newRow(profile: string, given: NamedAccount): PayeeRow {
    const drawn = this.#random.uuid().replaceAll('-', '')
    return {
      ...{ id: `p-${drawn.slice(0, 12)}`, salt: drawn.slice(12), profile, ...columnsOf(given), digest: '' },
      added_at: new Date(this.#clock.now()).toISOString(),
    }
  }

  /** Throws duplicate (7) where another one has the account, locked (12) where another run has changed it. */
  change(profile: string, before: Payee, given: NamedAccount): Promise<Payee> {
    return this.#store.write(async (db) => {
      const known = await rows.payeesOf(db, profile)
      const row = known.find(({ id }) => id === before.payeeId)
      if (!row || !isDeepStrictEqual(payeeOf(row), before)) {
        throw new Failure('locked', `another run has changed the payee ${before.payeeId}`, { moneyMoved: 'no' })
      }
      const other = known.find(({ account, id }) => account === given.account && id !== row.id)
      if (other) throw otherName(payeeOf(other), given.name)
      return payeeOf(await rows.changePayee(db, { ...row, ...columnsOf(given) }))
    })
  }

  /** Throws as `find`. */
  remove(profile: string, typed: string): Promise<Payee> {
    return this.#store.write(async (db) => {
      const payee = nearestWord(await payeesIn(db, profile), typed, profile)
      await rows.removePayee(db, { id: payee.payeeId })
      return payee
    })
  }
}

/** The only payee that is meant: never the best of several. */
export function nearestWord(payees: readonly Payee[], typed: string, profile: string): Payee {
  const text = typed.trim()
  const account = text.replaceAll(' ', '').toUpperCase()
  const found = payees.filter(
    (each) =>
      each.payeeId === text.toLowerCase() || [text, account].includes(each.account) || sameName(each.name, text),
  )
  const [payee, ...others] = found
  if (payee && others.length === 0) return payee
  if (payee) {
    const each = found.map(({ payeeId, name, account: own }) => `${payeeId} (${name}, ${accountInWords(own)})`)
    throw new Failure('usage', `${found.length} payees of ${profile} are called ${text}: ${each.join(', ')}`, {
      hints: [hint`Name it by its id: ${found.map(({ payeeId }) => payeeId).join(', ')}.`],
    })
  }
  const near = text === '' ? [] : payees.filter(({ name }) => ` ${plainName(name)}`.includes(` ${plainName(text)}`))
  const likely = near
    .slice(0, 3)
    .map(({ payeeId, name, account: own }) => `${payeeId} (${name}, ${accountInWords(own)})`)
  throw new Failure('not-found', `${profile} has no payee ${text}`, {
    hints: [
      ...(likely.length > 0 ? [hint`Listed with this word in the name: ${likely.join(', ')}.`] : []),
      hint`\`${paste('payee list')}\` lists them.`,
    ],
  })
}

/** Listed under another name, or with other details; null where it is not. */
function otherThan(known: Payee, given: NamedAccount): Failure | null {
  if (!sameName(known.name, given.name)) return otherName(known, given.name)
  const other = payeeDetails.find((name) => given[name] && known[name] !== null && known[name] !== given[name])
  if (other === undefined) return null
  const message = `${known.account} is already listed with another ${other}`
  return new Failure('duplicate', message, {
    moneyMoved: 'no',
    hints: [hint`If it has changed: \`${paste('payee edit', known.payeeId)}\`.`],
  })
}

function otherName({ payeeId, name, account }: Payee, asked: string): Failure {
  return new Failure('duplicate', `${account} is listed as ${name} already, and not as ${asked}`, {
    moneyMoved: 'no',
    hints: [hint`If the account has changed hands: \`${paste('payee remove', payeeId)}\`, then add it again.`],
  })
}

type KnownPayee = Pick<Payee, 'payeeId' | 'name' | 'account'>

export interface PayeeAlarm {
  readonly says: string
  readonly known: readonly string[]
  readonly inWords: string
}

export function payeeAlarm(says: string, known: readonly string[]): PayeeAlarm {
  return { says, known, inWords: `${says}: ${known.join(', ')}` }
}

/** Asked about one beneficiary after the other. */
export class KnownPayees {
  readonly #byAccount: ReadonlyMap<string, KnownPayee>
  readonly #byName = new Map<string, KnownPayee[]>()

  constructor(payees: readonly KnownPayee[]) {
    this.#byAccount = new Map(payees.map((payee) => [payee.account, payee]))
    for (const payee of payees) {
      const name = plainName(payee.name)
      this.#byName.set(name, [...(this.#byName.get(name) ?? []), payee])
    }
  }

  get isEmpty(): boolean {
    return this.#byAccount.size === 0
  }

  has(account: string): boolean {
    return this.#byAccount.has(account)
  }

  /** Null for none. */
  idOf(account: string): string | null {
    return this.#byAccount.get(account)?.payeeId ?? null
  }

  accountsOf(name: string): readonly string[] {
    return (this.#byName.get(plainName(name)) ?? []).map((each) => each.account)
  }

  /** Null where neither name nor account is known with another. */
  alarm({ name, account }: { readonly name: string | null; readonly account: string }): PayeeAlarm | null {
    if (name === null) return null
    const own = this.#byAccount.get(account)
    if (own && sameName(own.name, name)) return null
    if (own) return payeeAlarm('this account is listed for another payee', [own.name])
    const others = this.accountsOf(name)
    return others.length === 0 ? null : payeeAlarm(`${name} is listed with another account`, others)
  }
}
